package analysis

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestParts(t *testing.T) {
	tests := []struct {
		rule      string
		catalogue string // words of the catalogue, separated by blanks
		word      string
		want      string
	}{
		{"a part is indexed with and without its linking element", "", "deckensegel", "decke decken segel"},
		{"also if the catalogue has the form with the linking element", "decken", "deckensegel", "decke decken segel"},
		{"parts need no linking element", "", "akustikpaneel", "akustik paneel"},
		{"a part whose end is not a reliable sequence is not split", "spaziergang", "abendspaziergang", "abend spaziergang"},
		{"s is a linking element", "segelflug", "arbeitsplatte", "arbeit arbeits platte"},
		{"an ending may follow the last part", "", "akustikpaneelen", "akustik paneel paneelen"},
		{"words of the catalogue are parts", "wiener geflecht", "wienergeflecht", "geflecht wiener"},
		{"a listed word may lose its e", "", "wollfilz", "filz woll wolle"},
		{"parts of a part are parts", "", "schallschutzvorhang", "schall schallschutz schutz schutzvorhang vorhang"},
		{"a compound of many parts", "", "holzwolleleichtbauplatte",
			"bau bauplatte holz holzwolle holzwolleleicht holzwolleleichtbau leicht leichtbau leichtbauplatte platte wolle " +
				"wolleleicht wolleleichtbau wolleleichtbauplatte"},
		{"unknown letters are not a part", "gal", "regal", ""},
		{"a word with an ending is not a compound", "", "decken", ""},
		{"a known word is also split", "deckensegel segel", "deckensegel", "decke decken segel"},
		{"a word with an unknown rest is not split", "", "deckenxyz", ""},
		{"three letters of the catalogue are a part before listed words", "lux", "luxplatte", "lux platte"},
		{"two short words of the catalogue only are not a split", "abcd efgh", "abcdefgh", ""},
		{"a part without its diacritics", "", "turverkleidung", "tur verkleidung"},
		{"a word with digits is never split", "", "wand45platte", ""},
		{"Teiler does not contain Teil", "", "raumteiler", "raum teiler"},
		{"three letters and an n are not a word with an ending", "", "turnhalle", "halle turn"},
		{"of two equally good parts the longer one wins", "", "sporthallen", "halle hallen sport"},
		{"n links after e, el and er", "", "tafelnbild", "bild tafel tafeln"},
		{"and after nothing else", "", "spanndecke", "decke spann"},
		{"Fläche is not a form of flach", "", "wandflache", "flache wand"},
		{"a listed word consists of listed words only", "perfo rated", "perforated", ""},
		{"a joint without a linking element is preferred", "weichschaumstoff schaumstoffplatte",
			"weichschaumstoffplatten",
			"platte platten schaum schaumstoff schaumstoffplatte schaumstoffplatten stoff stoffplatte stoffplatten weich " +
				"weichschaum weichschaumstoff"},
		{"an ending does not hide a word", "", "trennwande", "trenn wand wande"},
		{"Deckschicht does not contain Decke", "", "deckschicht", "schicht"},
		{"a part is found without an e that folding removed", "deko", Key("Dekoelement"), "deko element"},
		{"after a letter that does not swallow an e it is not found", "", "holzlement", ""},
		{"u does not swallow an e after a vowel", "", "baulement", ""},
		{"a sequence of parts is a part", "", "lochgipsdeckenfeld",
			"decke decken deckenfeld feld gips gipsdecke gipsdecken gipsdeckenfeld loch lochgips lochgipsdecke lochgipsdecken"},
		{"a folded spelling of two nouns is both", "", "kuchenwand", "kuche kuchen wand"},
		{"also at the end", "", "stahlkuchen", "kuche kuchen stahl"},
		{"also if one of them has a linking element", "", "korkenplatte", "kork korken platte"},
		{"but not for three letters", "", "eisenplatte", "eisen platte"},
		{"an irregular form is a part", "", "bucherregal", "buch bucher regal"},
		{"a head of five letters is found after any letters", "", "xylonplatten", "platte platten"},
		{"a shorter head is not", "", "xylonwand", ""},
		{"nor after a prefix", "", "verplatten", ""},
		{"nor after a prefix and the beginning of a syllable", "", "verstrampel", ""},
		{"nor after a prefix between words", "", "xylonvorplatte", ""},
		{"a common word ending is a prefix after a known word", "", "wandausplatte", ""},
		{"and not after an unknown word", "", "xylausplatte", "platte"},
		{"letters without a vowel before it are an abbreviation", "", "mdfplatten", "platte platten"},
		{"also of two letters", "", "gkplatte", "platte"},
		{"which can be in the catalogue", "mdf", "mdfplatte", "mdf platte"},
		{"unless words begin with these letters", "", "plreiniger", ""},
		{"except for a head in -ung", "", "xylonauskleidung", ""},
		{"several known words at the end are parts", "", "xylonschutzwandplatte",
			"platte schutz schutzwand schutzwandplatte wand wandplatte"},
		{"two words of five letters each", "", "xylonglasplatte", "platte"},
		{"unless they form a known word", "glasplatte", "xylonglasplatte", "glas glasplatte platte"},
		{"if they are not chance endings of other words", "", "journalistenkreisplatte", "kreis kreisplatte platte"},
		{"so are several at the beginning before a possible noun", "", "wandvorhangschwurbel", "vorhang wand wandvorhang"},
		{"an ending is not a noun", "", "wandvorhangschwurbelig", ""},
		{"nor is an ending of another class", "", "wandvorhangschen", ""},
		{"a head that is a common chance ending needs a known word before it", "", "synthetisch", ""},
		{"after a known word it is a head", "", "gartentisch", "garten tisch"},
		{"an adjective has no head", "", "sonnenreichen", ""},
		{"a participle does not contain Ende", "ende", "wandhangende", ""},
		{"an s does not link an English word", "sport", "sportsboard", ""},
		{"ton is not found in -tone", "steel", "steeltone", ""},
		{"but it is after a German word", "", "hochtone", "hoch ton tone"},
		{"-ung is linked by s", "", "dampfungsteil", "dampfung dampfungs teil"},
		{"an exception", "", "warschau", ""},
		{"a listed word has a head", "", "barhocker", "hocker"},
		{"in all forms", "", "oberflachen", "flache flachen"},
		{"also as a part", "", "stahlbarhockerwand", "barhocker barhockerwand hocker hockerwand stahl stahlbarhocker wand"},
		{"Dichte is of dicht and a part", "", "rohdichten", "dichte dichten roh"},
		{"after a prefix it has no head", "", "abwasser", ""},
		{"a listed exception", "", "kristalle", ""},
		{"in all its forms", "", "zweifels", ""},
		{"-innen does not contain Rinne", "", "malerinnen", ""},
		{"bautechnisch does not contain Nische", "", "bautechnische", ""},
		{"a preposition of the catalogue is not a part", "uber", "ubergang", ""},
		{"after a linking s, the next part does not begin with s", "", "arbeitsamt", "amt arbeit arbeits"},
		{"nor after es", "", "landesamt", "amt land landes"},
		{"three letters of the catalogue are not the last part", "lux", "plattelux", ""},
		{"nor a part before unlisted words", "lux wiener", "luxwiener", ""},
		{"an adjective is a part", "", "grauton", "grau ton"},
		{"also between other parts", "", "holzfeinstruktur", "fein feinstruktur holz holzfein struktur"},
		{"only without an ending", "", "spanlosen", ""},
		{"not at the end", "", "wandlose", ""},
		{"an adjective of three letters is not a part between others", "", "herzneurose", ""},
		{"nor before the end of a noun", "", "eigenschaft", ""},
		{"an s after -ung marks an unlisted noun", "", "auskleidungsplatte", "auskleidung auskleidungs platte"},
		{"also after other endings with a linking s", "", "brennbarkeitsklasse", "brennbarkeit brennbarkeits klasse"},
		{"known words in it are split off", "", "wandauskleidungsplatte",
			"auskleidung auskleidungs auskleidungsplatte platte wand wandauskleidung wandauskleidungs"},
		{"without the s it is not recognised", "", "auskleidungplatte", "platte"},
		{"nor before an unknown rest", "", "auskleidungsxyz", ""},
		{"a noun with a prefix and -ung is the last part", "", "wandauskleidungen", "auskleidung auskleidungen wand"},
		{"it must not begin with -er, a common ending", "", "gutertrennung", "trennung"},
		{"nor with letters with which no word begins", "", "wandgerschaftung", ""},
		{"letters of any script", "этажное здание", "этажноездание", "здание этажное"},
	}
	for _, test := range tests {
		got := formsOf(NewSplitter(wordsOf(test.catalogue)).Parts(nil, test.word))
		slices.Sort(got)
		if joined := strings.Join(got, " "); joined != test.want {
			t.Errorf("%s: parts of %q are %q, want %q", test.rule, test.word, joined, test.want)
		}
	}
}

// wordsOf returns an isWord function for NewSplitter. The catalogue contains the words of key.
func wordsOf(key string) func(word string) bool {
	words := Words(key)
	return func(word string) bool { return slices.Contains(words, word) }
}

// formsOf returns the Form of each part.
func formsOf(parts []Part) []string {
	var forms []string
	for _, part := range parts {
		forms = append(forms, part.Form)
	}
	return forms
}

func TestPartsAppend(t *testing.T) {
	got := NewSplitter(wordsOf("")).Parts([]Part{{"wand", "wand"}}, "wandplatte")
	if want := []Part{{"wand", "wand"}, {"wand", "wand"}, {"platt", "platte"}}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q: dst must remain and must not hide parts", got, want)
	}
}

// BenchmarkSplitter splits the words in the sample catalogue and reports the number of compounds.
func BenchmarkSplitter(b *testing.B) {
	catalogue := map[string]bool{}
	for _, file := range []string{"products.ndjson", "references.ndjson"} {
		text, err := os.ReadFile("../../dataset/sample/" + file)
		if err != nil {
			b.Fatal(err)
		}
		for _, word := range Words(Key(string(text))) {
			catalogue[word] = isAlphabetic(word)
		}
	}
	maps.DeleteFunc(catalogue, func(_ string, alphabetic bool) bool { return !alphabetic })
	words := slices.Sorted(maps.Keys(catalogue))
	splitter := NewSplitter(func(word string) bool { return catalogue[word] })
	var parts []Part
	compounds := 0
	for b.Loop() {
		compounds = 0
		for _, word := range words {
			if parts = splitter.Parts(parts[:0], word); len(parts) > 0 {
				compounds++
			}
		}
	}
	b.ReportMetric(float64(len(words)), "words")
	b.ReportMetric(float64(compounds), "compounds")
}

func FuzzParts(f *testing.F) {
	f.Add("deckensegel", "segel decken")
	f.Add("holzwolleleichtbauplatten", "")
	f.Add("ababababab", "abab ababa")
	f.Add("здание", "зда ние")
	f.Add("x\xffy", "\xff\xff\xff")
	f.Fuzz(func(t *testing.T, word, catalogue string) {
		parts := formsOf(NewSplitter(wordsOf(catalogue)).Parts(nil, word))
		for i, part := range parts {
			// A part may lack its final e, or the first e that folding removed, so its word may not occur in
			// the compound.
			holds := func(part string) bool {
				return strings.Contains(word, part) || strings.Contains(word, strings.TrimSuffix(part, "e"))
			}
			rest, ok := strings.CutPrefix(part, "e")
			if took := ok && (holds("a"+rest) || holds("o"+rest) || holds("u"+rest)); !holds(part) && !took {
				t.Errorf("%q has the part %q", word, part)
			}
			if part == word || utf8.RuneCountInString(part) < 3 || slices.Contains(parts[:i], part) {
				t.Errorf("%q has the parts %q, with a part short, double or the word itself", word, parts)
			}
		}
		if len(parts) > 0 && strings.ContainsFunc(word, unicode.IsDigit) {
			t.Errorf("%q has digits and the parts %q", word, parts)
		}
	})
}
