package analysis

import (
	"strings"
	"testing"
)

// TestGermanStems checks that words separated by blanks have the same German stem, and that words in
// different columns have different stems.
func TestGermanStems(t *testing.T) {
	tests := []struct {
		rule, one, other string
	}{
		{"plural and case", "Platte Platten", "Plattform"},
		{"umlauts", "Wand Wände Wänden", "Wander Wanderer Wandel"},
		{"-er is a plural of listed nouns, in compounds too", "Regalbrett Regalbretter Regalbrettern Regalbretts", ""},
		{"and of no other words", "Lampe Lampen", "Lampert Lamper"},
		{"-n behind el and er", "Ziegel Ziegeln Ziegels", "Zieg"},
		{"a word in -en keeps it", "Balken Balkens", "Balke"},
		{"-ien and -ium", "Podium Podien Podiums", "Pode"},
		{"-alien", "Material Materialien Materials", "Materie"},
		{"-ilien", "Textil Textilien Textilie", "Textur"},
		{"-ie", "Folie Folien", "Fohlen"},
		{"-een and -eum", "Museum Museen Museums", "Muse"},
		{"a plural that is also an English word", "Granit Granite Graniten", "Granulat"},
		{"irregular forms", "Saal Säle Sälen Saales", "Salat"},
		{"also of a compound", "Konzertsaal Konzertsäle Konzertsälen", ""},
		{"Latin forms", "Zentrum Zentren Zentrums", "zentral"},
		{"-nis", "Verzeichnis Verzeichnisse Verzeichnissen", ""},
		{"three letters of a listed word", "Tür Türen", "Turn Turm"},
		{"three letters and -er", "Rad Räder Rädern", "Radar"},
		{"three letters and -e", "Ton Töne Tönen", "Toner Tonne"},
		{"three letters of an unlisted word join nothing", "xal", "xalen xale xals"},
		{"a marked word keeps its e", "Decke Decken", "Deck Decks"},
		{"so does a word whose rest is listed", "Halle Hallen", "Hall"},
		{"a listed word of three letters and -e", "Ende Enden", "End"},
		{"with which no word ends", "hemmend hemmende hemmenden", "hemm"},
		{"adjectives", "rot rotes roter rotem röter", "Rotor"},
		{"comparison", "hell heller helles hellste hellsten", "Hehl"},
		{"adjectives by their endings", "staubig staubige staubigem staubigster", "Staub"},
		{"participles", "perforiert perforierter perforierten", "Perforation"},
		{"-el loses its e", "dunkel dunkle dunkles dunkler", "Dunst"},
		{"-hung is no English hung", "Drehung Drehungen", "Drehang"},
		{"derived words have other stems", "Verkleidung Verkleidungen", "Kleid verkleiden"},
		{"also after a prefix", "Entferner", "entfernen"},
		{"-es and -s", "Absorber Absorbers Absorbern", "absorb"},
		{"s after a and o", "Sofa Sofas", "Sof"},
		{"a word in s keeps it", "Kreis Kreise Kreises", "Krei"},
		{"a word with a digit is its own stem", "40mm", "40mms"},
	}
	for _, test := range tests {
		one := Words(Key(test.one))
		want, _ := Stems(one[0])
		for _, word := range one {
			if got, _ := Stems(word); got != want {
				t.Errorf("%s: the stem of %q is %q, want %q as of %q", test.rule, word, got, want, one[0])
			}
		}
		for _, word := range strings.Fields(test.other) {
			if got, _ := Stems(Key(word)); got == want {
				t.Errorf("%s: the stem of %q is %q, which that of %q is", test.rule, word, got, one[0])
			}
		}
	}
}

// TestEnglishStems does the same for English stems.
func TestEnglishStems(t *testing.T) {
	tests := []struct {
		rule, one, other string
	}{
		{"a plural", "panel panels", "pane"},
		{"forms of verbs", "absorb absorbs absorbing absorbed", ""},
		{"irregular plurals", "shelf shelves", "shell"},
		{"irregular forms of verbs", "weave weaves weaving wove woven", "weaver"},
		{"words without a removable ending", "build builds building built", "guild"},
		{"an irregular form that is also another word has a separate stem", "fall falls falling", "fell"},
		{"upholstery has the stem of upholstered", "upholster upholsters upholstering upholstered upholstery", "holster"},
		{"a doubled consonant", "slat slats slatted slatting", "slate"},
		{"doubled only in British English", "panel panels paneled panelled paneling panelling", "pane"},
		{"also of a listed word of three letters", "rib ribs ribbed ribbing", "ribbon"},
		{"nouns in -ing have the stem of their verb", "mould moulded moulding mouldings", ""},
		{"in -ies", "library libraries", "liberal"},
		{"three letters of a listed word", "rug rugs", "rugged"},
		{"three letters of an unlisted word join nothing", "xal", "xals"},
		{"derived words have another meaning", "organ organs", "organic organism"},
		{"module and modulator", "module modules", "modulator"},
		{"a lining is not a line", "line lines lined", "lining linings"},
		{"acoustical is acoustic", "acoustic acoustics acoustical", ""},
		{"a German word keeps its e", "decke", "deck decks"},
	}
	for _, test := range tests {
		one := strings.Fields(test.one)
		_, want := Stems(one[0])
		for _, word := range one {
			if _, got := Stems(word); got != want {
				t.Errorf("%s: the stem of %q is %q, want %q as of %q", test.rule, word, got, want, one[0])
			}
		}
		for word := range strings.FieldsSeq(test.other) {
			if _, got := Stems(word); got == want {
				t.Errorf("%s: the stem of %q is %q, which that of %q is", test.rule, word, got, one[0])
			}
		}
	}
}

func BenchmarkStems(b *testing.B) {
	words := Words(Key("Akustikplatte Deckensegeln perforierter Konzertsäle Wanderung absorbing modules Xylophonistinnen"))
	b.ReportAllocs()
	for b.Loop() {
		for _, word := range words {
			Stems(word)
		}
	}
}
