package analysis

import (
	"strings"
	"sync"
)

// buildingWords are words of building and acoustics of which German compounds are made, as keys, so that a catalogue
// is split well even where a part never stands alone in it. Only these may be parts of three letters.
var buildingWords = sync.OnceValue(func() []string { return strings.Fields(buildingWordList) })

// keepsE reports whether a listed word has to keep its last e in compounds, since without it it is another word: a
// Deckschicht is on no Decke, a Buchregal not of Buche.
func keepsE(word string) bool {
	switch word {
	case "buche", "decke", "masse", "messe", "plane":
		return true
	}
	return false
}

const buildingWordList = `
abdeckung abhanger abhangung abschirmung absorber absorption absorptions abstand achse acryl akustik akustisch alu
aluminium anlage anschluss anstrich anteil arbeit arbeits architektur asbest asthetik auditorium aufbau auflage aufsatz
aula ausbau ausgleich aussen

baffel baffle bahn balken band bank basalt basis bass bau baum baustoff bekleidung belag beleuchtung bereich beschallung
beschichtung besprechung beton bett bezug bibliothek bild bildschirm birke blah blech blei blende boden bogen bohle
bohrung box brand breit breitband brett bruch buche buhne buro bus

carbon chor

dach dachgeschoss damm dammung dampf dampfung decke deckung dekor design dichtung dicke diele diffuser diffusion
diffusor direktschall diskothek doppel dose draht druck dunn durchgang durchmesser dusche

ebene echo ecke eiche einbau einfach eingang einlage einlege element emission energie erde esche estrich

fabrik fach fahrzeug falle falte farbe faser fassade feder federung fein feinputz feld fenster fertig fest feuchte feuer
fichte film filter filz flach flache flamm flatter fleece fliese floor flor flur flussigkeit foam foil folie form
frequenz front fuge fuhrung fullung funktion furnier fuss

garn gehause gelande gelenk gemeinde gerat gerausch geruch gesims gestell gewebe gewinde gewolbe gips gitter glas
glaswolle glatt granulat griff grill grob gross grossraum grund gummi

halb halle halter halterung hand hanf hange hart harz haus haut heiz heizung hell helm hoch hohl holz hor hotel hulle
hygiene

industrie innen insel installation isolation isolier isolierung

jalousie jute

kabel kabine kachel kalk kaltschaum kammer kanal kante karton kassette kasten keil keller keramik kern kinder kino
kirche kissen klang klasse klassen klebe kleber klein klemme klett klima klinker knauf kokos komfort konferenz
konstruktion kontor konzert kopf kork korn korper kraft krankenhaus kreis kuche kugel kuhl kulisse kunst kunststoff
kuppel

labor lack lage lager lamelle laminat lampe landschaft lang larche larm last latte lauf laut lautsprecher leder leicht
leichtbau leinen leinwand leiste leistung leucht leuchte licht lichtdecke linie linoleum loch lochung luft luftung

magnet maler manschette marmor maschine mass masse massiv masten material matte mauer mauerwerk medien melamin membran
messe messung metall mikro mikrofon mineral mineralfaser mineralwolle mittel mobel modul molton montage moos motiv muffe
multiplex mund musik muster

nachhall nadel nadelfilz naht nasse natur netz neutral noppe norm nut

oberflache objekt ofen offen orchester orgel ort

paneel panel papier pappe parkett pegel pendel perforation perforiert pfeiler pflanze pflege pfosten plane platte
platten plattform podest podium polster polyamid polycarbonat polyester polymer polyurethan poren poros praxis press
probe produktion profil projektion pult pulver punkt pur putz pyramide

quader quadrat quelle quer

rahmen rand raster rauch raum recycling reduktion reflektor reflexion regal regler reihe rein reinigung relief resonanz
resonator restaurant rhythmus riegel ring rippe rohr rolle rollo rost ruck rucken ruhe rund

saal sand sandwich sanierung satz saule saulen schacht schaf schaft schale schalen schall schallschutz schalter schaum
schaumstoff scheibe schicht schiene schiff schild schirm schlag schlitz schloss schlossen schluck schnitt schrank
schraube schreib schreibtisch schule schulung schur schurze schutz schwamm schwelle schwer schwerfolie schwimm
schwimmbad schwing schwinger segel seide seil seite sicht sichtbeton sichtschutz signal sitz sitzung sockel sofa solar
sonder sonne span spann spanplatte spektrum sperre sperrholz spiegel spiel sport sprache spritz sprung stab stadion
stahl stand stander standfuss stark statte staub steg stein stelle stellwand steuerung stil stimme stoff storung stoss
strahl streck streifen streu streuung strich strick strom stromung struktur stuck studio stuhl sturz stutze system

tafel tages tapete tasche technik teil teiler teilung telefon teppich textil theater thermo tiefe tiefton tisch ton tor
trag trager transport trapez trenn trennung trennwand treppe tritt tuch tunnel tur turm turn

ubung umluft umwelt unter unterdecke unterricht

velours ventil verblend verbund verglasung verkehr verkleidung verlegung verschalung vertikal vinyl vlies voll vorhang
vorsatz vorsatzschale

wabe wachs waffel wagen walze wand wanne ware warme waschraum wasser weich welle wellen wellness werk werkstatt wert
wetter wickel widerstand wind winkel wohn wohnung wolb wolke wolle wurfel

zaun zeit zelle zellulose zelt zement ziegel zimmer zone zubehor zug zwischen zylinder

absorbent absorbing acoustic acoustics air board brick carpet ceiling cloud cork cotton cover curtain damping desk
diffuse door drywall dust fabric felt fiber fibre fire frame glass grid ground gypsum hall hard insulation lattice light
lining louver louvre metal mount mounting noise office paint partition perforated pipe plaster plasterboard plywood poly
porous raft rail resonant rock rockwool room rubber screen seat slat slot soft sound soundproof space spray steel stone
surface textile tile timber tube veneer wall wave wide window wood wool work works
`
