package analysis

import (
	"slices"
	"strings"
	"sync"
)

// A Synonym is a key that means the same as another in a catalogue of acoustic products.
type Synonym struct {
	Key   string
	Whole bool // not meant as a part of compounds: Stoff is fabric, a Schaumstoff is not

	Last            string // the last word
	German, English string // its stems
}

// MaxSynonymWords is the number of words of the longest key that has synonyms.
const MaxSynonymWords = 3

// maxInflection is the number of letters that a listed word may have less than an inflected form of it: -ern, -ing.
const maxInflection = 3

// Synonyms returns the synonyms of a key by the package's list, none when it is not listed. A key whose last word is an
// inflected form has those of the word itself, so that carpets and Teppiche have synonyms as carpet and Teppich do.
func Synonyms(key string) []Synonym {
	table := synonymTable()
	if own := table[key]; own != nil {
		return own.synonyms
	}
	last := strings.LastIndexByte(key, ' ') + 1
	for end := len(key) - 1; end >= max(last+MinPart, len(key)-maxInflection); end-- {
		if own := table[key[:end]]; own != nil && own.isInflected(key[last:]) {
			return own.synonyms
		}
	}
	return nil
}

// Listed calls visit with every key that has synonyms, in no order.
func Listed(visit func(s *Synonym)) {
	for _, own := range synonymTable() {
		visit(&own.Synonym)
	}
}

// HasForm reports whether a word is the synonym's last word or an inflected form of it.
func (s *Synonym) HasForm(word string) bool { return word == s.Last || s.isInflected(word) }

// isInflected reports whether a word is an inflected form of the synonym's last word: it begins with that and shares a
// stem with it. Sharing a stem is not enough: deck does with Decke.
func (s *Synonym) isInflected(form string) bool {
	if len(form) <= len(s.Last) || !strings.HasPrefix(form, s.Last) {
		return false
	}
	german, english := Stems(form)
	return german == s.German || english == s.English
}

// A listedKey is a key of the list with its synonyms.
type listedKey struct {
	Synonym
	synonyms []Synonym
}

// synonymTable holds every listed key. One that stands in several groups has the synonyms of all of them.
var synonymTable = sync.OnceValue(func() map[string]*listedKey {
	table := map[string]*listedKey{}
	for _, group := range synonymGroups() {
		for i, s := range group {
			own := table[s.Key]
			if own == nil {
				own = &listedKey{Synonym: s}
				table[s.Key] = own
			}
			for j, other := range group {
				if i != j && !slices.Contains(own.synonyms, other) {
					own.synonyms = append(own.synonyms, other)
				}
			}
		}
	}
	return table
})

func newSynonym(key string, whole bool) Synonym {
	last := key[strings.LastIndexByte(key, ' ')+1:]
	german, english := Stems(last)
	return Synonym{Key: key, Whole: whole, Last: last, German: german, English: english}
}

func synonymGroups() [][]Synonym {
	var groups [][]Synonym
	for line := range strings.Lines(synonymList) {
		var group []Synonym
		for key := range strings.SplitSeq(strings.TrimSpace(line), ", ") {
			key, whole := strings.CutPrefix(key, "=")
			if key != "" {
				group = append(group, newSynonym(key, whole))
			}
		}
		if group != nil {
			groups = append(groups, group)
		}
	}
	return groups
}

// synonymList has a group of synonyms on each line, as keys: what is the same thing in a catalogue of acoustic products,
// in German and English and in British and American spelling. A wider or a narrower term is no synonym, and a word with
// a second meaning that products have (Bild, screen, cloud, Platte, Sale) stands here with the word that makes it plain,
// or not at all. A phrase is not listed when its words are: of ceiling and baffle, Deckenbaffel follows. Inflected forms
// are found without being listed, but not those that change inside. Behind = stands what is not meant in compounds.
const synonymList = `
decke, ceiling
wand, =wall
boden, fussboden, floor
bodenbelag, flooring, floor covering
fenster, window
tur, door
dach, roof
ecke, corner
saule, column
=raum, room
halle, =hall
flur, korridor, corridor, hallway
buhne, stage
schreibtisch, desk
gestuhl, bestuhlung, seating
publikum, audience

buro, office
grossraumburo, open plan office
besprechungsraum, besprechungszimmer, konferenzraum, meeting room, conference room
schule, school
klassenzimmer, klassenraum, unterrichtsraum, classroom
horsaal, horsale, lecture hall, lecture theatre, lecture theater
turnhalle, sporthalle, gym, sports hall
schwimmbad, schwimmhalle, hallenbad, swimming pool, indoor pool
kindergarten, kita, kindertagesstatte, nursery, day care centre, day care center, daycare
kantine, mensa, canteen
bibliothek, bucherei, library, libraries
krankenhaus, klinik, hospital
arztpraxis, arztpraxen, medical practice
tonstudio, aufnahmestudio, recording studio
proberaum, probenraum, rehearsal room, practice room
konzertsaal, konzertsale, konzerthalle, concert hall
theater, theatre
heimkino, home cinema, home theater, home theatre
kirche, church
reinraum, cleanroom, clean room
feuchtraum, humid room, wet room, damp room
mehrzweckhalle, multipurpose hall, multi purpose hall

diffusor, diffuser
schallabsorber, akustikabsorber, sound absorber, acoustic absorber
breitbandabsorber, broadband absorber, wideband absorber, wide band absorber
bassfalle, tiefenabsorber, bassabsorber, tieftonabsorber, bass trap, basstrap, bass absorber, low frequency absorber
plattenschwinger, plattenresonator, membranabsorber, panel resonator, plate resonator, membrane absorber, membrane resonator
helmholtz resonator, helmholtzresonator, helmholtz absorber, helmholtzabsorber
deckensegel, akustiksegel, deckenwolke, akustikwolke, ceiling raft, ceiling sail, ceiling cloud, acoustic sail, acoustic cloud
segel, sail
baffel, baffle
deckenbaffel, ceiling baffle
paneel, panel
akustikpaneel, akustikpanel, akustikplatte, acoustic panel, acoustical panel, acoustic board
wandpaneel, wandpanel, wall panel
wandabsorber, wall absorber
akustikbild, acoustic picture, acoustic art panel
wandverkleidung, wandbekleidung, wall cladding, wall lining, wall panelling, wall paneling
deckenverkleidung, deckenbekleidung, ceiling cladding, ceiling lining
stellwand, partition screen, standing screen
akustikstellwand, acoustic screen
trennwand, partition, partition wall
raumteiler, raumtrenner, room divider
tischtrennwand, tischaufsatz, desk divider, desk screen, desk partition
akustikdecke, acoustic ceiling, acoustical ceiling
deckenplatte, ceiling tile, ceiling panel
unterdecke, abhangdecke, abgehangte decke, suspended ceiling, dropped ceiling, drop ceiling, false ceiling
rasterdecke, grid ceiling
einlegeplatte, lay in tile, lay in panel
spanndecke, stretch ceiling
kuhldecke, chilled ceiling, cooling ceiling
akustikputz, acoustic plaster, acoustical plaster
spritzputz, sprayed plaster, spray plaster
lochplatte, perforated board
lochpaneel, perforated panel
lochblech, perforated sheet, perforated metal
schlitzpaneel, schlitzplatte, slotted panel, slotted board
leistenpaneel, lamellenpaneel, slat panel, slatted panel, batten panel
lamelle, slat
latte, lattung, batten
vorhang, gardine, curtain, drape, drapery
akustikvorhang, schallschutzvorhang, acoustic curtain
buhnenvorhang, stage curtain
teppich, carpet
teppichboden, auslegware, carpet
teppich, rug
teppichfliese, carpet tile
tapete, wallpaper
noppenschaum, noppenschaumstoff, convoluted foam, egg crate foam
akustikschaum, akustikschaumstoff, acoustic foam, acoustical foam
wurfel, cube
kugel, sphere
keil, wedge
telefonzelle, telefonkabine, telefonbox, phone booth
larmschutzwand, noise barrier
schallschutztur, acoustic door, soundproof door
leuchte, luminaire
beleuchtung, lighting

holz, wood, timber
massivholz, solid wood, solid timber
holzwolle, wood wool
holzwolleplatte, sauerkrautplatte, wood wool board, wood wool panel
leichtbauplatte, lightweight building board
sperrholz, plywood
spanplatte, chipboard, particleboard, particle board
faserplatte, fibreboard, fiberboard
hartfaserplatte, hardboard
mdf, medium density fibreboard, medium density fiberboard
furnier, veneer
eiche, oak
buche, beech
fichte, spruce
birke, birch
esche, ash
nussbaum, walnut
bambus, bamboo
kork, cork
papier, paper
pappe, =karton, cardboard
wabe, honeycomb
schaumstoff, schaum, foam
melaminharzschaum, melaminharzschaumstoff, melaminschaum, melamine foam, melamine resin foam
polyurethan, polyurethane
polyurethanschaum, pu schaum, polyurethane foam, pu foam
mineralwolle, steinwolle, mineral wool, rock wool, rockwool, stone wool
glaswolle, glass wool, glasswool, fibreglass, fiberglass
glasfaser, glass fibre, glass fiber, fibreglass, fiberglass
mineralfaser, mineral fibre, mineral fiber
naturfaser, natural fibre, natural fiber
=faser, fibre, fiber
=wolle, wool
schafwolle, schurwolle, sheep wool, sheep s wool
baumwolle, cotton
hanf, hemp
moos, moss
vlies, fleece, nonwoven, non woven
akustikvlies, acoustic fleece
glasvlies, glass fleece
polyestervlies, pet vlies, petvlies, polyester fleece, pet fleece
filz, felt
wollfilz, wool felt
pet filz, petfilz, pet felt
=stoff, textil, fabric, textile
samt, velvet
leder, leather
kunstleder, artificial leather, faux leather, imitation leather
gips, gypsum
gipsplatte, gipskarton, gipskartonplatte, plasterboard, gypsum board, gypsum plasterboard, drywall
gipslochplatte, perforated gypsum board, perforated plasterboard
gipsfaser, gypsum fibre, gypsum fiber
putz, verputz, =plaster
beton, concrete
sichtbeton, exposed concrete, fair faced concrete
porenbeton, arated concrete
zement, cement
estrich, screed
ziegel, backstein, brick
mauerwerk, masonry
stein, stone
naturstein, natural stone
blahglas, expanded glass
glas, =glass
acrylglas, acrylic glass
kunststoff, plastic
folie, foil
metall, metal
stahl, steel
edelstahl, stainless steel
stahlblech, sheet steel, steel sheet
blech, sheet metal
aluminium, aluminum, alu
verzinkt, galvanised, galvanized
gummi, kautschuk, rubber

akustik, akustisch, acoustic
schall, sound
larm, noise
raumakustik, room acoustics
schallschutz, noise protection, noise control
schalldammung, sound insulation, soundproofing
larmminderung, noise reduction
dammung, insulation
schallabsorption, sound absorption
schallabsorbierend, schallschluckend, sound absorbing, sound absorbent
absorbierend, absorbing, absorbent, absorptive
absorptionsgrad, schallabsorptionsgrad, absorption cofficient
nachhall, reverberation
nachhallzeit, reverberation time
hallraum, reverberation room, reverberation chamber
flatterecho, flutter echo
streuung, schallstreuung, scattering
streuend, schallstreuend, scattering
reflektierend, reflective, reflecting
tieffrequent, tiefe frequenzen, low frequency, low frequencies
breitband, broadband, wideband, wide band
stromungswiderstand, flow resistance, flow resistivity
luftspalt, luftabstand, air gap, air space, airspace
hohlraum, cavity
lochung, perforation
gelocht, perforiert, perforated
geschlitzt, slotted
mikroperforiert, microperforated, micro perforated
poros, porous
brandschutz, fire protection
brandklasse, brandschutzklasse, baustoffklasse, fire class, fire rating
nicht brennbar, nichtbrennbar, unbrennbar, non combustible, noncombustible, incombustible
schwer entflammbar, schwerentflammbar, flame retardant, fire retardant
feuerfest, feuerbestandig, fire resistant, fireproof, fire rated
ballwurfsicher, ball impact resistant, ball impact resistance, ball proof, ballproof
stossfest, schlagfest, impact resistant
freistehend, freestanding, free standing
abgehangt, suspended
magnetisch, magnetic
bedruckbar, printable
bedruckt, printed
waschbar, abwaschbar, washable
selbstklebend, self adhesive
transluzent, lichtdurchlassig, translucent
fugenlos, nahtlos, seamless, jointless
pulverbeschichtet, powder coated
eloxiert, anodised, anodized
gepolstert, upholstered
doppellagig, zweilagig, double layer
massgefertigt, nach mass, made to measure, custom made, bespoke
recycelt, recycled
recyclingfahig, recycelbar, recyclebar, recyclable
nachhaltig, sustainable
umweltfreundlich, eco friendly, environmentally friendly
emissionsarm, low emission, low in emissions
farbe, colour, color
weiss, =white
schwarz, =black
grau, grey, gray
anthrazit, anthracite
rot, =red
grun, =green
blau, =blu
gelb, yellow
braun, brown
`
