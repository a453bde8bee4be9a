package synthetic

import (
	"strings"

	"sabine/dataset"
)

// A brand is an invented manufacturer. One brand writes itself the same way in all of its records: as a name alone, or as an object with or
// without an id.
type brand struct {
	name   string
	slug   string
	form   int    // 0: a string; 1: an object without an id; 2: an object with its id
	id     string // UUID
	series []string
	kinds  []int // of the table of kinds: what it makes most
}

// brandNames are made up. The stems are sounds, not words, and no company is meant.
var brandNames = []string{
	"Auvelora Raumklang", "Brevandt Akustik", "Calmerisk", "Dornquell Schallwerk", "Elvantis Raumruhe", "Fjordwen Acoustics", "Grellmar & Söhne",
	"Hallvorn Systeme", "Ilmquist Akustikbau", "Jörnveld", "Kaltrun Objekt", "Lumarask", "Mondriva Interieur", "Nordquill Akustik", "Ostervelt",
	"Pellandra", "Quarvell Akustik", "Rauntal Werke", "Silvormo", "Tondrial", "Ulmvara Paneele", "Vexilor", "Wendrik Raumklima", "Xandrosk",
	"Yrvelund", "Zellquart", "Ahrvinder", "Bruxmoor Absorber", "Corvallin", "Dunvessel", "Eschvara Holzakustik", "Frivaldo", "Graßvelt Decken",
	"Hörwald & Tann", "Isvendar", "Jaspelin Textil", "Krumvold", "Lärchquist Möbelakustik", "Mardovan", "Nebrosk Schaumtechnik", "Öhlvander",
	"Prismorel", "Quendrix", "Rosvelder", "Stillquart", "Thorvenna", "Umbrasil", "Velmora Filz", "Wispermann Akustik", "Xelvaro", "Ysmarun",
	"Zundrik & Vahl", "Albrosk", "Bendrivo", "Celquista", "Dämpfried Objektbau", "Elmsvart", "Forvandel", "Güntrisk", "Hesquill", "Irvando",
	"Jelmsted", "Kvarnholt", "Lisvender", "Müldner & Söhrig", "Nuvarelle", "Ombravel", "Porvanto", "Quistmar", "Ravendral", "Sorbaluna",
	"Trisvold", "Ursquell", "Vindaro Vorhänge", "Wolkquist", "Ximbral", "Yrdavan", "Zirvento", "Arbosilent", "Bassvander", "Chorlinde Studio",
	"Diffuvar", "Echolund", "Faltquist", "Gipsvara", "Halmrisk Naturbau", "Infravell", "Jurtholm", "Klanghövel", "L'Ovelle Acoustique",
	"Minervold", "Niedervoll", "Orquista", "Plisvander", "Quadrosil", "Ruhevoll & Kemp", "Schallinger Tal", "Tuchvander", "Urstille",
	"Voluvento", "Wellgrund", "Xorbital", "Ylvaton", "Zargenholm", "Akuvander 3D", "Blähvara", "Cirrosil", "Deckvander", "Eufonar+", "Flüsterquell",
	"Gelmarin", "Hochvander", "Inselvoll", "Jadevoll", "Korkvander", "Lamelquist", "Mikrovara", "Nachtholm", "Obervell", "Perfovander",
}

// The syllables of series names.
var (
	seriesStarts = []string{"Lu", "Ta", "Ve", "Mo", "Si", "Or", "Ka", "Ne", "Fi", "Ar", "So", "Ri", "Be", "Cu", "Da", "El", "Ju", "Pa", "Wi", "Zo"}
	seriesMiddle = []string{"ma", "vel", "ri", "no", "lan", "so", "ber", "dri", "cu", "the", "ga", "lo", "quin", "sta", "mi"}
	seriesEnds   = []string{"ro", "na", "lis", "ton", "da", "vo", "rix", "um", "ell", "ant", "ea", "is"}
)

const seriesPerBrand = 9

// inventBrands makes the brands, the same for every seed.
func inventBrands() []brand {
	brands := make([]brand, len(brandNames))
	for i, name := range brandNames {
		d := newDice(0x5ab1e, uint64(i))
		b := brand{name: name, slug: dataset.SlugOf(name), form: i % 3, id: inventUUID(&d)}
		for range seriesPerBrand {
			b.series = append(b.series, pick(&d, seriesStarts)+pick(&d, seriesMiddle)+pick(&d, seriesEnds))
			b.kinds = append(b.kinds, pickKind(&d))
		}
		brands[i] = b
	}
	return brands
}

// domain is where the brand's pages would be: under example, which no one can own (RFC 2606).
func (b *brand) domain() string { return b.slug + ".example" }

// mark is the beginning of the brand's article numbers.
func (b *brand) mark() string { return strings.ToUpper(strings.ReplaceAll(b.slug, "-", "")[:2]) }
