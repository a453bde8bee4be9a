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
		catalogue string // words, separated by blanks
		word      string
		want      string
	}{
		{"a linking element goes with the part and without", "", "deckensegel", "decke decken segel"},
		{"so it does when the catalogue has the form with it", "decken", "deckensegel", "decke decken segel"},
		{"parts may touch", "", "akustikpaneel", "akustik paneel"},
		{"a part whose own end is no sure run stays whole", "spaziergang", "abendspaziergang", "abend spaziergang"},
		{"s links", "segelflug", "arbeitsplatte", "arbeit arbeits platte"},
		{"an ending may follow the last part", "", "akustikpaneelen", "akustik paneel paneelen"},
		{"the catalogue's words are parts", "wiener geflecht", "wienergeflecht", "geflecht wiener"},
		{"a listed word may lose its e", "", "wollfilz", "filz woll wolle"},
		{"the parts of a part are parts", "", "schallschutzvorhang", "schall schallschutz schutz schutzvorhang vorhang"},
		{"a compound of many parts", "", "holzwolleleichtbauplatte",
			"bau bauplatte holz holzwolle holzwolleleicht holzwolleleichtbau leicht leichtbau leichtbauplatte platte wolle " +
				"wolleleicht wolleleichtbau wolleleichtbauplatte"},
		{"nothing is a part by its only letters are split", "gal", "regal", ""},
		{"a word with an ending is no compound", "", "decken", ""},
		{"a word that is known is split all the same", "deckensegel segel", "deckensegel", "decke decken segel"},
		{"a rest that is no word leaves the word whole", "", "deckenxyz", ""},
		{"three letters of the catalogue are a part before listed words", "lux", "luxplatte", "lux platte"},
		{"two short words that only the catalogue knows are no split", "abcd efgh", "abcdefgh", ""},
		{"a part of letters with diacritics gone", "", "turverkleidung", "tur verkleidung"},
		{"a word with digits is never split", "", "wand45platte", ""},
		{"a Teiler is no Teil", "", "raumteiler", "raum teiler"},
		{"three letters and an n are no word with an ending", "", "turnhalle", "halle turn"},
		{"of two as good parts the longer one is", "", "sporthallen", "halle hallen sport"},
		{"n links after e, el and er", "", "tafelnbild", "bild tafel tafeln"},
		{"and after nothing else", "", "spanndecke", "decke spann"},
		{"a Fläche is not flach", "", "wandflache", "flache wand"},
		{"a listed word consists of listed words only", "perfo rated", "perforated", ""},
		{"a joint without a linking element is better than one with it", "weichschaumstoff schaumstoffplatte",
			"weichschaumstoffplatten",
			"platte platten schaum schaumstoff schaumstoffplatte schaumstoffplatten stoff stoffplatte stoffplatten weich " +
				"weichschaum weichschaumstoff"},
		{"an ending hides no word", "", "trennwande", "trenn wand wande"},
		{"a Deckschicht is on no Decke", "", "deckschicht", "schicht"},
		{"an e that folding took is missed by no part", "deko", Key("Dekoelement"), "deko element"},
		{"after a letter that does not swallow an e it is not found", "", "holzlement", ""},
		{"u does not swallow an e after a vowel", "", "baulement", ""},
		{"a run of parts is one", "", "lochgipsdeckenfeld",
			"decke decken deckenfeld feld gips gipsdecke gipsdecken gipsdeckenfeld loch lochgips lochgipsdecke lochgipsdecken"},
		{"a folded spelling of two nouns is both", "", "kuchenwand", "kuche kuchen wand"},
		{"at the end too", "", "stahlkuchen", "kuche kuchen stahl"},
		{"also if one of them has a linking element", "", "korkenplatte", "kork korken platte"},
		{"but not three letters", "", "eisenplatte", "eisen platte"},
		{"an irregular form is a part", "", "bucherregal", "buch bucher regal"},
		{"a head of five letters is found after any letters", "", "xylonplatten", "platte platten"},
		{"a shorter one does not", "", "xylonwand", ""},
		{"nor after a prefix", "", "verplatten", ""},
		{"nor after a prefix and the beginning of a syllable", "", "verstrampel", ""},
		{"nor after a prefix between words", "", "xylonvorplatte", ""},
		{"a common word ending is a prefix after a known word", "", "wandausplatte", ""},
		{"and not after an unknown word", "", "xylausplatte", "platte"},
		{"letters without a vowel before it are an abbreviation", "", "mdfplatten", "platte platten"},
		{"of two letters too", "", "gkplatte", "platte"},
		{"which a catalogue may know", "mdf", "mdfplatte", "mdf platte"},
		{"unless a word begins so", "", "plreiniger", ""},
		{"but for a head in -ung", "", "xylonauskleidung", ""},
		{"several known words at the end count too", "", "xylonschutzwandplatte",
			"platte schutz schutzwand schutzwandplatte wand wandplatte"},
		{"two have five letters each", "", "xylonglasplatte", "platte"},
		{"unless they make a word that is known", "glasplatte", "xylonglasplatte", "glas glasplatte platte"},
		{"and are none that others end in by chance", "", "journalistenkreisplatte", "kreis kreisplatte platte"},
		{"so are several at the beginning before a possible noun", "", "wandvorhangschwurbel", "vorhang wand wandvorhang"},
		{"which an ending is none", "", "wandvorhangschwurbelig", ""},
		{"nor one of another class", "", "wandvorhangschen", ""},
		{"a head that many words end in by chance needs a known word before it", "", "synthetisch", ""},
		{"behind which it is one", "", "gartentisch", "garten tisch"},
		{"an adjective has no head", "", "sonnenreichen", ""},
		{"a participle has no Ende", "ende", "wandhangende", ""},
		{"an s is no joint before an English word", "sport", "sportsboard", ""},
		{"nor is ton in -tone", "steel", "steeltone", ""},
		{"but it is behind a German word", "", "hochtone", "hoch ton tone"},
		{"-ung is linked by s", "", "dampfungsteil", "dampfung dampfungs teil"},
		{"an exception", "", "warschau", ""},
		{"a listed word has its head", "", "barhocker", "hocker"},
		{"in every form", "", "oberflachen", "flache flachen"},
		{"as a part too", "", "stahlbarhockerwand", "barhocker barhockerwand hocker hockerwand stahl stahlbarhocker wand"},
		{"Dichte is of dicht and a part", "", "rohdichten", "dichte dichten roh"},
		{"behind a prefix it has none", "", "abwasser", ""},
		{"a listed exception", "", "kristalle", ""},
		{"in every form", "", "zweifels", ""},
		{"women have no Rinne", "", "malerinnen", ""},
		{"nor has what is bautechnisch a Nische", "", "bautechnische", ""},
		{"a preposition of the catalogue is no part", "uber", "ubergang", ""},
		{"where s links, what follows does not begin with it", "", "arbeitsamt", "amt arbeit arbeits"},
		{"nor does it behind es", "", "landesamt", "amt land landes"},
		{"of the last part three letters of the catalogue are none", "lux", "plattelux", ""},
		{"nor do they come before unlisted ones", "lux wiener", "luxwiener", ""},
		{"an adjective is a part", "", "grauton", "grau ton"},
		{"between others too", "", "holzfeinstruktur", "fein feinstruktur holz holzfein struktur"},
		{"with no ending", "", "spanlosen", ""},
		{"nor at the end", "", "wandlose", ""},
		{"one of three letters is none between others", "", "herzneurose", ""},
		{"nor before the end of a noun", "", "eigenschaft", ""},
		{"an s behind -ung tells a noun that nobody lists", "", "auskleidungsplatte", "auskleidung auskleidungs platte"},
		{"and behind the other ends that it links", "", "brennbarkeitsklasse", "brennbarkeit brennbarkeits klasse"},
		{"known words are cut off it", "", "wandauskleidungsplatte",
			"auskleidung auskleidungs auskleidungsplatte platte wand wandauskleidung wandauskleidungs"},
		{"without the s it tells none", "", "auskleidungplatte", "platte"},
		{"before a rest that is unknown neither", "", "auskleidungsxyz", ""},
		{"a noun with a prefix and -ung is the last part", "", "wandauskleidungen", "auskleidung auskleidungen wand"},
		{"which -er, that words end in, does not begin", "", "gutertrennung", "trennung"},
		{"nor what no word begins with", "", "wandgerschaftung", ""},
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

// wordsOf returns the words of a key as a catalogue for a Splitter.
func wordsOf(key string) func(word string) bool {
	words := Words(key)
	return func(word string) bool { return slices.Contains(words, word) }
}

// formsOf returns the forms of parts.
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
		t.Errorf("got %q, want %q: what was there stays and hides nothing", got, want)
	}
}

// BenchmarkSplitter splits the words of the sample catalogue, and reports the number of compounds.
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
			// The word of a part without its last e, or without the first e that folding removed, is not in
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
