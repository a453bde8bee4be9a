package analysis

import (
	"strings"
	"sync"
)

// buildingWords are words of building and acoustics of which German compounds are made, as keys, so that a catalogue
// is split well even where a part never stands alone in it. Only these may be parts of three letters.
var buildingWords = sync.OnceValue(func() []string { return strings.Fields(buildingWordList) })

const buildingWordList = `
abdeckung abhanger abhangung abschirmung absorber absorption absorptions abstand achse akustik akustisch alu aluminium
anlage arbeit arbeits architektur asthetik auditorium aufbau aula ausbau ausgleich aussen

baffel baffle bahn balken band basalt basis bass bau baum baustoff bekleidung beleuchtung bereich beschallung
beschichtung besprechung beton bett bibliothek bild bildschirm birke blech blende boden bogen bohle bohrung box brand
breit breitband brett bruch buche buro bus

carbon chor

dach dachgeschoss damm dammung dampf dampfung decke deckung dekor design dichtung dicke diele diffuser diffusion
diffusor direktschall diskothek dose draht druck dunn durchgang dusche

ebene echo ecke eiche einbau eingang einlage element emission energie erde esche estrich

fabrik fach fahrzeug falte farbe faser fassade feder federung fein feinputz feld fenster fertig fest feuchte feuer
fichte film filter filz flach flache flamm flatter fleece fliese floor flur flussigkeit foam foil folie form frequenz
front fuge fuhrung fullung funktion furnier fuss

garn gehause gelande gelenk gerat gerausch geruch gesims gestell gewebe gewinde gewolbe gips gitter glas glaswolle
glatt granulat griff grill grob grund gummi

halle halter halterung hand hanf hang hart harz haus haut heiz heizung hell helm hoch hohl holz hor hotel hulle
hygiene

industrie innen insel installation isolation isolier isolierung

jalousie jute

kabel kabine kachel kalk kaltschaum kammer kanal kante karton kassette kasten keil keller keramik kern kino kirche
kissen klang klasse klassen klebe kleber klein klemme klima klinker knauf komfort konferenz konstruktion kontor
konzert kopf kork korn korper kraft krankenhaus kreis kuche kugel kunst kunststoff kuppel

labor lack lage lager lamelle laminat lampe landschaft lang larche larm last latte lauf laut lautsprecher leder leicht
leichtbau leinen leinwand leiste leistung leucht leuchte licht lichtdecke linie linoleum loch lochung luft luftung

magnet maler manschette marmor maschine mass masse massiv masten material matte mauer mauerwerk medien melamin membran
messe messung metall mikro mikrofon mineral mineralfaser mineralwolle mittel mobel modul moos motiv muffe multiplex
mund musik muster

nachhall nadel nadelfilz naht nasse natur netz neutral noppe norm nut

oberflache objekt ofen offen orchester ort

paneel panel papier pappe parkett pegel pendel perforation pfeiler pflanze pflege pfosten plane platte platten
plattform podest podium polster polyester polymer polyurethan poren poros praxis probe profil projektion pult pur putz
pyramide

quader quadrat quelle

rahmen rand raster rauch raum recycling reduktion reflektor reflexion regal regler reihe reinigung relief resonanz
resonator restaurant rhythmus riegel ring rippe rohr rolle rollo rost ruck rucken ruhe rund

saal sand sandwich sanierung satz saule saulen schacht schaft schale schalen schall schallschutz schalter schaum
schaumstoff scheibe schicht schiene schiff schild schirm schlag schlitz schloss schlossen schnitt schrank schraube
schreibtisch schule schulung schurze schutz schwamm schwelle schwer schwerfolie schwimmbad segel seide seil seite
sicht sichtbeton sichtschutz signal sitz sitzung sockel sofa solar sonder sonne span spann spanplatte spektrum sperre
sperrholz spiegel spiel sport sprache spritz sprung stab stadion stahl stand stander standfuss stark staub steg stein
stelle stellwand steuerung stil stimme stoff storung stoss strahl streck streifen streu streuung strich strom struktur
stuck studio stuhl sturz stutze system

tafel tapete tasche technik teil teiler teilung telefon teppich textil theater thermo tiefe tiefton tisch ton tor
trager transport trapez trenn trennung trennwand treppe tritt tuch tunnel tur turm

ubung umluft umwelt unterdecke unterricht

velours ventil verbund verglasung verkehr verkleidung verlegung verschalung vinyl vlies vliese voll vorhang vorsatz
vorsatzschale

wachs wagen walze wand wande wanne ware warme waschraum wasser weich welle wellen wellness werk werkstatt wetter
wickel wind winkel wohn wohnung wolke wolle wurfel

zaun zeit zelle zellulose zelt ziegel zimmer zone zubehor zug zwischen zylinder

absorbent absorbing acoustic acoustics air board brick carpet ceiling cloud cork cotton cover curtain damping desk
diffuse door drywall dust fabric felt fiber fibre fire frame glass grid ground gypsum hall hard insulation lattice
light lining louver louvre metal mount mounting noise office paint partition perforated pipe plaster plasterboard
plywood poly porous raft rail resonant rock rockwool room rubber screen seat slat slot soft sound soundproof space
spray steel stone surface textile tile timber tube veneer wall wave wide window wood wool work works
`
