package runtime_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/runtime"
)

// words contains the vocabulary of the test catalogues.
var words = map[string]indexes.Value{
	"textil": {Names: map[string]string{"de": "Textil", "en": "Textile"}, Synonyms: []string{"Stoff", "fabric",
		"woven cloth"}},
	"holz":      {Names: map[string]string{"de": "Holz", "en": "Wood"}},
	"breitband": {Names: map[string]string{"de": "breitbandig", "en": "broadband"}},
	"ceiling":   {Names: map[string]string{"de": "Decke", "en": "Ceiling"}},
	"free-standing": {Names: map[string]string{"de": "freistehend", "en": "free-standing"},
		Synonyms: []string{"Stellwand"}},
}

// declared contains the values that may have no products.
var declared = []indexes.Vocabulary{
	{Family: indexes.FamilyCategory, Values: []indexes.Value{{Value: "textil"}, {Value: "holz"}}},
	{Family: indexes.FamilyInstallation, Values: []indexes.Value{{Value: "free-standing"}}},
}

// translations is the dictionary of the test catalogues. Its words do not occur in other lists.
var translations = []indexes.Translation{
	{German: "wand", English: "buildingthing"}, {German: "segel", English: "sailthing"},
	{German: "filz", English: "waiting room"},
	{German: "filz", English: "walking"}, {German: "vorhang", English: "walked"},
}

// addedSynonyms contains synonyms of the test catalogues that do not occur in other lists.
var addedSynonyms = []analysis.SynonymGroup{
	{From: []string{"ykurtine", "vorhang", "woollen raft"}},
	{From: []string{"vorhang", "yvelum"}},
	{From: []string{"yklang"}, To: []string{"ykurtine", "holz"}},
	{From: []string{"yfloor"}, To: []string{"wand"}},
}

// TestBuckets checks each rule by which a product matches a text, with a catalogue and a query. The expected
// products are first in the catalogue, in the expected order.
func TestBuckets(t *testing.T) {
	tests := []struct {
		rule     string
		query    string
		strategy runtime.Strategy
		found    []product
		others   []product
	}{
		{
			"exact: the key of the label, of any locale", "Säule", runtime.StrategyExact,
			[]product{{label: "Saeule"}, {label: "Pfeiler", labelEN: "SAULE"}},
			[]product{{label: "Pfeiler", labelEN: "Post"}},
		},
		{
			"exact: the key of the commercial name", "silent wall", runtime.StrategyExact,
			[]product{{label: "A", commercial: "Silent-Wall"}}, []product{{label: "B", commercial: "Silent"}},
		},
		{
			"exact: the key of the slug", "acme wave 3", runtime.StrategyExact,
			[]product{{label: "A", slug: "acme-wave-3"}}, []product{{label: "B", slug: "acme-wave-4"}},
		},
		{
			"exact: the id, in any case", "0B6F1234-0000-4000-8000-0000000000AA", runtime.StrategyExact,
			[]product{{label: "A", id: "0b6f1234-0000-4000-8000-0000000000aa"}}, []product{{label: "B"}},
		},
		{
			"exact: the key of the manufacturer's name", "müller & söhne", runtime.StrategyExact,
			[]product{{label: "A", manufacturer: "Mueller Soehne"}}, []product{{label: "B", manufacturer: "Mueller"}},
		},
		{
			"prefix: the key of a name starts with the query's, also inside a word", "acoustic pan", runtime.StrategyPrefix,
			[]product{{label: "Acoustic Panel 20"}, {label: "X", commercial: "Acoustic Panorama"},
				{label: "Wide panel, acoustic"}},
			[]product{{label: "Panel", description: "Panel"}},
		},
		{
			"prefix: the manufacturer's name, when the query ends at the end of a word", "baux", runtime.StrategyPrefix,
			[]product{{label: "A", manufacturer: "Baux Berlin"}, {label: "Wall by baux"}}, []product{{label: "B"}},
		},
		{
			"prefix: not the manufacturer's name inside a word", "baux", runtime.StrategyFTS,
			[]product{{label: "A", manufacturer: "Bauxer"}}, []product{{label: "B"}},
		},
		{
			"category: the value itself", "free standing", runtime.StrategyCategory,
			[]product{{label: "A", installations: []string{"free-standing"}}, {label: "X free and standing"}},
			[]product{{label: "B", installations: []string{"ceiling"}}},
		},
		{
			"category: a display name in either language", "broadband", runtime.StrategyCategory,
			[]product{{label: "A", character: "breitband"}}, []product{{label: "B"}},
		},
		{
			"category: a synonym", "woven cloth", runtime.StrategyCategory,
			[]product{{label: "A", category: "textil"}}, []product{{label: "B", category: "holz"}},
		},
		{
			"category: a display name's curated synonym", "timber", runtime.StrategyCategory,
			[]product{{label: "A", category: "holz"}}, []product{{label: "B", category: "textil"}},
		},
		{
			"category: not by a curated synonym of a value's synonym", "partition screen", runtime.StrategyNone, nil,
			[]product{{label: "A", installations: []string{"free-standing"}}},
		},
		{
			"phrase: the words are next to each other in a field, before fts", "quiet room", runtime.StrategyPhrase,
			[]product{
				{label: "A", description: "for a quiet room"},
				{label: "Room quiet"},
			},
			[]product{{label: "quiet"}, {label: "room"}},
		},
		{
			"phrase: not over the border of two texts of a field", "quiet room", runtime.StrategyFTS,
			[]product{{label: "so quiet", labelEN: "room so"}}, nil,
		},
		{
			"fts: every word in some field", "felt berlin", runtime.StrategyFTS,
			[]product{{label: "Felt one", manufacturer: "Made in Berlin"}},
			[]product{{label: "Felt"}, {label: "X", manufacturer: "Berlin"}},
		},
		{
			"fts: by the German stem", "wand klangs", runtime.StrategyFTS,
			[]product{{label: "Klang einer Wand"}}, []product{{label: "Klang"}},
		},
		{
			"fts: by the English stem", "absorbing walls", runtime.StrategyFTS,
			[]product{{label: "One wall absorbs"}}, []product{{label: "wall"}},
		},
		{
			"fts: as a part of a compound", "segel rot", runtime.StrategyFTS,
			[]product{{label: "Rot segel"}, {label: "Deckensegel rot"}},
			[]product{{label: "Decken rot"}},
		},
		{
			"fts: the last word as the beginning of a word", "rot dec", runtime.StrategyFTS,
			[]product{{label: "Decke in rot"}}, []product{{label: "rot, verdeckt"}},
		},
		{
			"fts: not the first word as the beginning of a word, when it matches in no other way", "dec rot", runtime.StrategyTrigram,
			[]product{{label: "Dec ohne"}, {label: "Decke in rot"}}, nil,
		},
		{
			"fts: by a synonym", "rot stoff", runtime.StrategyFTS,
			[]product{{label: "Rot", category: "textil"}}, []product{{label: "Rot", category: "holz"}},
		},
		{
			"fts: by a synonym of several words, as a phrase", "rot textil", runtime.StrategyFTS,
			[]product{{label: "Rot", description: "a woven cloth"}}, []product{{label: "Rot", description: "a cloth, woven"}},
		},
		{
			"fts: a synonym of several words matches each of them", "rot woven cloth", runtime.StrategyFTS,
			[]product{{label: "Rot", description: "Textile"}}, []product{{label: "Rot woven"}},
		},
		{
			"fts: two synonyms of one value are not synonyms of each other", "rot fabric", runtime.StrategyFTS,
			[]product{{label: "Rot", description: "Textil"}}, []product{{label: "Rot", description: "woven cloth"}},
		},
		{
			"fts: by a curated synonym, across languages", "carpet rot", runtime.StrategyFTS,
			[]product{{label: "Teppich rot"}}, []product{{label: "Vorhang rot"}},
		},
		{
			"fts: by an inflected form of a curated synonym", "ceiling rot", runtime.StrategyFTS,
			[]product{{label: "Decken, rot"}}, []product{{label: "Deck, rot"}},
		},
		{
			"fts: an inflected word has the curated synonyms of the word", "Teppiche rot", runtime.StrategyFTS,
			[]product{{label: "Carpet, rot"}}, nil,
		},
		{
			"fts: a word of the same stem that is not an inflected form has none", "deck rot", runtime.StrategyNone, nil,
			[]product{{label: "Ceiling, blau"}},
		},
		{
			"fts: by a compound of a curated synonym", "ceiling baffle", runtime.StrategyFTS,
			[]product{{label: "Deckenbaffel"}}, []product{{label: "Wandbaffel"}},
		},
		{
			"fts: not by a compound of a synonym that excludes compounds", "fabric rot", runtime.StrategyFTS,
			[]product{{label: "Stoffe rot"}}, []product{{label: "Kunststoff rot"}},
		},
		{
			"fts: by a curated synonym of several words, as a phrase, with the last one perhaps inflected", "Steinwolle rot",
			runtime.StrategyFTS,
			[]product{{label: "Rock wool, rot"}, {label: "Rock wools, rot"}}, []product{{label: "rot rock", labelEN: "wool"}},
		},
		{
			"fts: a curated synonym of several words matches each of them", "rot rock wool", runtime.StrategyFTS,
			[]product{{label: "Steinwolle, rot"}}, []product{{label: "Rock, rot"}},
		},
		{
			"fts: not by the beginning of a curated synonym", "rot gardine", runtime.StrategyFTS,
			[]product{{label: "Curtain, rot"}}, []product{{label: "Vorhangxyz, rot"}},
		},
		{
			"fts: two neighbours joined make a word", "rot decken segel", runtime.StrategyFTS,
			[]product{{label: "Deckensegel, rot"}}, []product{{label: "Decken, rot"}},
		},
		{
			"fts: a word is two neighbours joined", "rot akustikpaneel", runtime.StrategyFTS,
			[]product{{label: "Akustik-Paneel rot"}}, []product{{label: "Akustik: rot Paneel"}},
		},
		{
			"fts: joined words are folded again: oe counts as ö", "rot Büro Einrichtung", runtime.StrategyFTS,
			[]product{{label: "Büroeinrichtung rot"}}, []product{{label: "Büro rot"}},
		},
		{
			"fts: a word is two neighbours joined and folded again", "rot Büroeinrichtung", runtime.StrategyFTS,
			[]product{{label: "Büro-Einrichtung rot"}}, []product{{label: "Einrichtung, Büro, rot"}},
		},
		{
			"fts: at most four neighbours are joined, if one has a digit: the groups of an article number",
			"rot d k 4711 b",
			runtime.StrategyFTS,
			[]product{{label: "Rot", details: []string{"DK4711B"}}}, []product{{label: "Rot", details: []string{"DK4711"}}},
		},
		{
			"fts: three neighbours without a digit are not joined", "xbra ykad zura", runtime.StrategyNone,
			nil, []product{{label: "A", details: []string{"xbraykadzura"}}},
		},
		{
			"fts: five neighbours are not joined", "1 2 3 4 5", runtime.StrategyNone,
			nil, []product{{label: "A", details: []string{"12345"}}},
		},
		{
			"phrase: also in the details, after the descriptions", "b s2 d0", runtime.StrategyPhrase,
			[]product{{label: "A", description: "Brandklasse B-s2,d0"}, {label: "B", details: []string{"B-s2,d0"}}},
			[]product{{label: "B", details: []string{"B-s1,d0"}}},
		},
		{
			"fts: a number with a unit finds lengths in the details, not a bare number", "rot 60 cm", runtime.StrategyFTS,
			[]product{{label: "Rot", details: []string{"600 mm"}}, {label: "Rote", details: []string{"0,6 m"}},
				{label: "Rot", details: []string{"1.200 x 600 mm"}}},
			[]product{{label: "Rot", details: []string{"60 mm"}}},
		},
		{
			"fts: a bare number finds no number with a unit in the details", "600 rot", runtime.StrategyFTS,
			[]product{{label: "Rot 600 mm"}, {label: "Rot", description: "600 x 1200"}},
			[]product{{label: "Rot", details: []string{"600 mm", "600 x 1200 mm", "600 x 600"}}},
		},
		{
			"fts: the name of a dimension with a length is optional", "60 cm breit rot", runtime.StrategyFTS,
			[]product{{label: "Rot", details: []string{"60 cm"}}}, []product{{label: "Rot breit"}},
		},
		{
			"fts: elsewhere it is required", "breit rot", runtime.StrategyFTS,
			[]product{{label: "Rot breit"}}, []product{{label: "Rot 60 cm"}},
		},
		{
			"fts: details are the last field", "filz", runtime.StrategyFTS,
			[]product{{label: "A", description: "Aus Filz"}, {label: "B", details: []string{"Filz, verfestigt"}}}, nil,
		},
		{
			"fts: a compound that no product contains, by all its parts in one field", "rot deckenfilz", runtime.StrategyFTS,
			[]product{{label: "Filz für Decken, rot"}, {label: "Rote Holzdecke", description: "Filze an der Decke"}},
			[]product{{label: "Filz rot", description: "für Decken"}, {label: "Rot, Decken, Filzig"}, {label: "Decken rot"}},
		},
		{
			"fts: if no field of a product contains all parts, in any fields, best first", "deckenfilz", runtime.StrategyFTS,
			[]product{{label: "Filz rot", manufacturer: "Decke GmbH"}, {label: "Filz blau", description: "für Decken"}},
			[]product{{label: "Filz"}, {label: "Decken"}},
		},
		{
			"fuzzy: also when one of them is misspelt", "deckenfiltz", runtime.StrategyFuzzy,
			[]product{{label: "Filz blau", description: "für Decken"}}, []product{{label: "Filz"}, {label: "Decken"}},
		},
		{
			"trigram: a compound, if no product contains all its parts, by their weight", "säulenteppich", runtime.StrategyTrigram,
			[]product{{label: "X", description: "Säule"}}, slices.Repeat([]product{{label: "Runder blauer Filzteppich"}}, 11),
		},
		{
			"none: a compound, where no name ends in its last part", "säulenteppich", runtime.StrategyNone, nil,
			[]product{{label: "X", description: "Säule"}, {label: "Teppichfliese", description: "Teppich"}},
		},
		{
			"none: a compound that begins with an adjective", "edelteppich", runtime.StrategyNone, nil,
			[]product{{label: "X", description: "edel"}, {label: "Runder blauer Filzteppich"}},
		},
		{
			"none: a word of the lists is spelled correctly", "hockey", runtime.StrategyNone, nil,
			[]product{{label: "Hocker"}},
		},
		{
			"none: a compound with a part that no product contains", "säulenbrot", runtime.StrategyNone, nil,
			[]product{{label: "X", description: "Die rote Säule"}},
		},
		{
			"fts: a part by a synonym, a part that lost its e", "rot wollvorhang", runtime.StrategyFTS,
			[]product{{label: "Rot: curtain of wool"}, {label: "Wolle, rot", description: "Wolle, Vorhänge"}},
			[]product{{label: "Vorhang rot"}, {label: "Wollen rot"}},
		},
		{
			"fts: a compound of two parts is not split into three", "rot holzdeckensegel", runtime.StrategyFTS,
			[]product{{label: "Deckensegel aus Holz, rot"}}, []product{{label: "Holz, Decke, Segel, rot"}},
		},
		{
			"fts: no parts of a compound that some product contains", "rot deckenfilz", runtime.StrategyFTS,
			[]product{{label: "Rote Decken", description: "Deckenfilz"}}, []product{{label: "Filz für Decken, rot"}},
		},
		{
			"fts: no parts of a compound that is the beginning of another, if it is the last word", "rot deckenfilz",
			runtime.StrategyFTS,
			[]product{{label: "Deckenfilzig, rot"}}, []product{{label: "Filz für Decken, rot"}},
		},
		{
			"fuzzy: a compound, if no field contains all its parts", "deckenfilz", runtime.StrategyFuzzy,
			[]product{{label: "X Deckenfils"}}, []product{{label: "Decke"}, {label: "Filz"}},
		},
		{
			"fts: by a translation of the dictionary, also inflected, and its compounds", "rot buildingthing",
			runtime.StrategyFTS,
			[]product{{label: "Rote Wände, rot"}, {label: "Rot: Wand"}, {label: "Holzwand, rot"}},
			[]product{{label: "Wandel, rot"}, {label: "Rot"}},
		},
		{
			"fts: by the dictionary in both directions", "rot segel", runtime.StrategyFTS,
			[]product{{label: "Das rote Segel, rot"}, {label: "Rot: two sailthings"}}, []product{{label: "Rot"}},
		},
		{
			"fts: of several words the last one may be inflected", "rot waiting rooms", runtime.StrategyFTS,
			[]product{{label: "Filz, rot"}}, []product{{label: "Vorhang, rot"}},
		},
		{
			"fts: a word of the dictionary has its own translations, and not those of its stem", "rot walking",
			runtime.StrategyFTS,
			[]product{{label: "Rot, Filz"}}, []product{{label: "Rot, Vorhang"}},
		},
		{
			"fts: by a synonym of the build, also inflected, and its compounds", "rot ykurtinen", runtime.StrategyFTS,
			[]product{{label: "Vorhänge, rot"}, {label: "Akustikvorhang, rot"}}, []product{{label: "Rot"}},
		},
		{
			"fts: by a synonym of the build of several words, as a phrase", "vorhang", runtime.StrategyFTS,
			[]product{{label: "A woollen raft"}}, []product{{label: "Raft, woollen"}},
		},
		{
			"fts: several words have the synonyms of the build for all of them together", "rot woollen raft",
			runtime.StrategyFTS, []product{{label: "Vorhang, rot"}}, []product{{label: "Raft rot"}},
		},
		{
			"fts: synonyms of the build that share a term are not chained", "yvelum", runtime.StrategyFTS,
			[]product{{label: "X Vorhang"}}, []product{{label: "X ykurtine"}},
		},
		{
			"fts: synonyms of one direction do not replace the word itself", "rot yklang", runtime.StrategyFTS,
			[]product{{label: "Yklang in rot"}, {label: "Rot, ykurtine"}}, []product{{label: "Rot, Vorhang"}},
		},
		{
			"fts: synonyms of one direction do not apply in reverse", "rot ykurtine", runtime.StrategyFTS,
			[]product{{label: "Ykurtine in rot"}}, []product{{label: "Rot, yklang"}},
		},
		{
			"only fts: a synonym of the build does not name a value", "yklang", runtime.StrategyFTS,
			[]product{{label: "A", category: "holz"}}, nil,
		},
		{
			"fts: without own translations it has those of its stem", "rot walks", runtime.StrategyFTS,
			[]product{{label: "Rot, Filz"}, {label: "Rot, Vorhang"}}, []product{{label: "Rot"}},
		},
		{
			"exact: of ae one e is dropped, any others are letters", "Saeee", runtime.StrategyExact,
			[]product{{label: "Saeee"}, {label: "Säeee"}}, []product{{label: "Saee"}, {label: "Sa"}},
		},
		{
			"exact: signs are blanks", "Basotect G", runtime.StrategyExact,
			[]product{{label: "Basotect™ ℠G®©"}}, []product{{label: "BasotectTM G"}},
		},
		{
			"fuzzy: distance 1 for 4 to 7 letters, a transposition counts 1", "fitl", runtime.StrategyFuzzy,
			[]product{{label: "Filt"}}, []product{{label: "Finn"}},
		},
		{
			"fuzzy: not distance 2 for 7 letters", "abcdexy", runtime.StrategyTrigram,
			[]product{{label: "abcdefg"}}, nil,
		},
		{
			"fuzzy: distance 2 for 8 letters", "absobrre", runtime.StrategyFuzzy,
			[]product{{label: "Der Absorber"}}, nil,
		},
		{
			"fuzzy: a part of a compound, with another first letter", "okustik", runtime.StrategyFuzzy,
			[]product{{label: "Akustikpaneel"}}, []product{{label: "Paneel"}},
		},
		{
			"fuzzy: a part of a compound, with a transposition", "akutsik", runtime.StrategyFuzzy,
			[]product{{label: "Wandakustik"}}, []product{{label: "Wand"}},
		},
		{
			"fuzzy: a part of a compound at distance 2 for 8 letters", "absobrre", runtime.StrategyFuzzy,
			[]product{{label: "Wandabsorber"}}, []product{{label: "Wand"}},
		},
		{
			"fuzzy: a part of a compound for 5 letters", "fitlz", runtime.StrategyFuzzy,
			[]product{{label: "Deckenfilz, weich, geklebt"}}, []product{{label: "Decke"}},
		},
		{
			"fuzzy: no part of a compound for 4 letters", "fitz", runtime.StrategyNone, nil,
			[]product{{label: "Deckenfilz, weich, geklebt"}},
		},
		{
			"fuzzy: a part in a form of another compound", "wändex", runtime.StrategyFuzzy,
			[]product{{label: "Wandpaneel"}, {label: "Wändepaneel"}}, nil,
		},
		{
			"fuzzy: an inflected form of a part, which another compound has", "feler", runtime.StrategyFuzzy,
			[]product{{label: "Rasterfeld"}, {label: "Felderdecke"}}, []product{{label: "Raster"}},
		},
		{
			"fuzzy: a compound of the query with one misspelt part", "rot eichenlamelenwand", runtime.StrategyFuzzy,
			[]product{{label: "Lamellen aus Eiche für die Wand, rot"},
				{label: "X", description: "Eichenlamellen, rot an Wänden"}},
			[]product{{label: "Eiche, Wand, rot"}, {label: "Eiche, rot, Lamellen", description: "Wand"}},
		},
		{
			"fuzzy: not a part of four letters of a compound", "rot eichenfitzwand", runtime.StrategyTrigram,
			[]product{{label: "Rot: Filz an Eiche und Wand", description: "X"}}, nil,
		},
		{
			"fuzzy: not two parts of a compound", "rot eichenlamelenwant", runtime.StrategyTrigram,
			[]product{{label: "Lamellen aus Eiche für die Wand, rot"}}, nil,
		},
		{
			"fuzzy: the other words as in fts", "segel absorbre", runtime.StrategyFuzzy,
			[]product{{label: "Absorber als Deckensegel, Segel, Decken"}}, []product{{label: "Absorber"}},
		},
		{
			"fuzzy: not a word with a digit or of three letters", "pet20 rto", runtime.StrategyNone, nil,
			[]product{{label: "xyzpet30 blau"}, {label: "kariert"}},
		},
		{
			"trigram: similarity of at least 0.3, by similarity", "xabsorberx", runtime.StrategyTrigram,
			[]product{{label: "absorberab"}, {label: "absorberabcde"}},
			[]product{{label: "Vorhang"}},
		},
		{
			"trigram: a substring of three letters", "sor", runtime.StrategyTrigram,
			[]product{{label: "Ein Absorber aus vielen weichen Teilen"}}, []product{{label: "Vorhang"}},
		},
		{
			"trigram: words that weigh half as much as those of the best product", "fire rated wooden panel for a school gym",
			runtime.StrategyTrigram,
			[]product{{label: "Panel, school"}, {label: "School"}}, []product{{label: "Panel, red"}, {label: "For a, panel"}},
		},
		{
			"trigram: words are weighed when no name is similar", "unbekannte school", runtime.StrategyTrigram,
			[]product{{label: "A very quiet place for every school of the town"}}, []product{{label: "Panel"}},
		},
		{
			"trigram: below five words only names are similar", "Wollfilz Xyzwort grau", runtime.StrategyTrigram,
			[]product{{label: "Wollfilz, braun"}}, []product{{label: "X", description: "In grau"}},
		},
		{
			"trigram: five words or more are weighed, including function words", "Wollfilz Xyzwort grau für die",
			runtime.StrategyTrigram,
			[]product{{label: "Wollfilz, braun"}, {label: "X", description: "In grau"}}, nil,
		},
		{
			"trigram: names of five words and more are similar when no word matches",
			"Wollfolz Xyzgrou abcbraun dunkelbraux hellx", runtime.StrategyTrigram,
			[]product{{label: "Wollfilzx xyzgrau abcbrauner dunkelbraun"}}, []product{{label: "X"}},
		},
		{
			"trigram: at least one of the matching words must be long", "zzzyyyxxx pet abs", runtime.StrategyNone, nil,
			[]product{{label: "Something of pet and abs for a very quiet place"}},
		},
		{
			"function words are optional with another word", "Paneel für die Decke", runtime.StrategyFTS,
			[]product{{label: "Decke, Paneel"}, {label: "Paneel", description: "Unter die Decke"}},
			[]product{{label: "Paneel für die Wand"}},
		},
		{
			"only function words: they are required", "für die", runtime.StrategyFTS,
			[]product{{label: "Die für"}}, []product{{label: "Die"}, {label: "Für"}},
		},
		{
			"function words count in exact, prefix and phrase", "in der Decke", runtime.StrategyPhrase,
			[]product{{label: "X", description: "Einbau in der Decke"}, {label: "Decke, matt"}},
			[]product{{label: "In der Wand"}},
		},
		{
			"a function word is joined with its neighbour", "Vor Hang", runtime.StrategyFTS,
			[]product{{label: "Rot: Vorhang"}, {label: "Rot Hang"}}, []product{{label: "Vor"}},
		},
		{
			"a function word is never corrected, and no correction is needed", "Akustikk ohen", runtime.StrategyFuzzy,
			[]product{{label: "Akustik ohne"}}, []product{{label: "Akustik"}},
		},
		{
			"none: nothing is similar", "qqqwwwxxx", runtime.StrategyNone, nil, []product{{label: "Vorhang"}},
		},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			c := catalogue{words: words, declared: declared, dictionary: translations, synonyms: addedSynonyms,
				products: slices.Concat(test.others, test.found)}
			r := c.open(t).Search(&runtime.Query{Text: test.query, Limit: 50})
			var want []column.Doc
			for i := range test.found {
				want = append(want, column.Doc(len(test.others)+i))
			}
			got := slices.Clone(r.Docs)
			slices.Sort(got)
			if !slices.Equal(got, want) || r.Total != len(want) || r.Strategy != test.strategy {
				t.Errorf("search %q: got %v of %d by %v, want %v by %v\n%s", test.query, r.Docs, r.Total, r.Strategy, want,
					test.strategy, c)
			}
			if fallback := test.strategy >= runtime.StrategyFuzzy; r.UsedFallback != fallback {
				t.Errorf("search %q: used fallback %v, want %v", test.query, r.UsedFallback, fallback)
			}
			if want := newOracle(c).search(test.query); !slices.Equal(docsOf(want), r.Docs) {
				t.Errorf("search %q: got %v, reading every product finds %v\n%s", test.query, r.Docs, want, c)
			}
		})
	}
}

// TestRanking checks each rule of the order. The test cases list matching products in the expected order; the
// catalogue contains them in reverse order, so that the document order is not the expected one.
func TestRanking(t *testing.T) {
	tests := []struct {
		rule     string
		query    string
		strategy runtime.Strategy
		products []product
	}{
		{
			"exact, prefix, category, phrase, fts", "wood", runtime.StrategyExact,
			[]product{{label: "Wood"}, {label: "Wooden wall"}, {label: "Tree", category: "holz"},
				{label: "Tree", description: "of wood"}},
		},
		{
			"exact, prefix, phrase, fts with two words", "quiet room", runtime.StrategyExact,
			[]product{
				{label: "Quiet Room"}, {label: "Quiet Room 2"}, {label: "X", description: "a quiet room"}, {label: "Room, quiet"},
			},
		},
		{
			"fts: all words in one field before spread over several", "rot wand", runtime.StrategyFTS,
			[]product{{label: "X", description: "Wand in rot"}, {label: "Rot", manufacturer: "Wand"}},
		},
		{
			"fts: the better field first", "rot ceiling", runtime.StrategyFTS,
			[]product{
				{label: "A ceiling in rot"},
				{label: "X", manufacturer: "Ceiling Rot"},
				{label: "X", category: "rot", installations: []string{"ceiling"}},
				{label: "X", description: "ceiling rot"},
			},
		},
		{
			"fts: the better field before the better kind", "klangs rot", runtime.StrategyFTS,
			[]product{{label: "rot klang"}, {label: "X", manufacturer: "rot klangs"}},
		},
		{
			"fts: in one field: the word itself, stem, part, beginning", "rot wand", runtime.StrategyFTS,
			[]product{
				{label: "Wand in rot"}, {label: "An Wänden rot"}, {label: "Trennwand rot"}, {label: "Wandererx rot"},
			},
		},
		{
			"fts: a synonym after the beginning of a word", "rot stoff", runtime.StrategyFTS,
			[]product{{label: "Stofflich rot"}, {label: "fabric rot"}},
		},
		{
			"fts: all parts of a compound after a synonym, before a part by a curated synonym", "rot wandtextil",
			runtime.StrategyFTS,
			[]product{{label: "Textil für die Wand, rot"}, {label: "X", description: "Fabric, Wand, rot"},
				{label: "rot, wall, textil"}},
		},
		{
			"fts: a curated synonym after all others, in any field", "rot vorhang", runtime.StrategyFTS,
			[]product{
				{label: "Vorhang in rot"},
				{label: "Akustikvorhang in rot"},
				{label: "X", description: "Vorhang in rot"},
				{label: "Curtain in rot"},
				{label: "X", description: "curtain in rot"},
				{label: "Rot", manufacturer: "Drape"},
			},
		},
		{
			"fts: a synonym of the build is a curated one: after all others, in any field", "rot yvelum",
			runtime.StrategyFTS,
			[]product{{label: "Yvelum in rot"}, {label: "X", description: "Yvelum in rot"}, {label: "Vorhang in rot"},
				{label: "X", description: "Vorhang in rot"}},
		},
		{
			"category, then category by a curated synonym, then fts in the same way", "timber", runtime.StrategyCategory,
			[]product{
				{label: "X", character: "timber"}, {label: "X", category: "holz"},
				{label: "X", description: "timber"}, {label: "Holz"}, {label: "X", description: "wood"},
			},
		},
		{
			"fts: spread over the better fields first, then by kind", "rot segel", runtime.StrategyFTS,
			[]product{
				{label: "Rot", manufacturer: "Segel"},
				{label: "Segelflug", manufacturer: "Rot"},
				{label: "Rot", description: "Segel"},
				{label: "Segelflug", description: "Rot"},
			},
		},
		{
			"fuzzy: fewer corrected words, then the smaller distance", "absorber wolkenfrei", runtime.StrategyFuzzy,
			[]product{
				{label: "Absorber wolkenfrey"},
				{label: "Absorber wolkinfrey"},
				{label: "Apsorber wolkenfrey"},
				{label: "Apsorbar wolkenfrey"},
				{label: "Apsorbar wolkinfrey"},
			},
		},
		{
			"fuzzy: the same number of corrections at the same distance: as fts", "schaumx rot", runtime.StrategyFuzzy,
			[]product{
				{label: "Rot und schaum"},
				{label: "Rotlich und schaum"},
				{label: "X", description: "schaum und rot"},
				{label: "Schaum", description: "rot"},
			},
		},
		{
			"fuzzy: a word before a part of a compound, the nearer part before a word", "akutsikx", runtime.StrategyFuzzy,
			[]product{{label: "X Akustikx"}, {label: "X Akustikxpaneel"}, {label: "Akustik"}},
		},
		{
			"prefix: the ends of words before the others, names before manufacturers", "wave", runtime.StrategyPrefix,
			[]product{{label: "Wave 3"}, {label: "X", manufacturer: "Wave Berlin"}, {label: "Wavelet"},
				{label: "X", manufacturer: "Wavelet"}},
		},
		{
			"phrase: the better field first", "quiet room", runtime.StrategyPhrase,
			[]product{
				{label: "X: quiet room"}, {label: "X", manufacturer: "A quiet room"}, {label: "X", description: "quiet room"},
			},
		},
		{
			"fts: only a short word: after the names, whole before as a part", "bett", runtime.StrategyFTS,
			[]product{{label: "Doppelbett"}, {label: "X", description: "neben dem Bett"}, {label: "Y", details: []string{"Betten"}},
				{label: "Z", description: "am Doppelbett"}},
		},
		{
			"fts: a longer word: the better field first", "schrank", runtime.StrategyFTS,
			[]product{{label: "X", description: "Eckschrank"}, {label: "Y", details: []string{"Schrank"}}},
		},
		{
			"phrase: in the same field as fts", "quiet room", runtime.StrategyPhrase,
			[]product{
				{label: "Room quiet", description: "a quiet room"},
				{label: "Rooms quiet", description: "a quiet room"},
				{label: "Roomsome quiet", description: "a quiet room"},
				{label: "X", manufacturer: "Room quiet", description: "a quiet room"},
				{label: "X", description: "a quiet room"},
			},
		},
		{
			"category: the better field first, also by a curated synonym", "stoff", runtime.StrategyCategory,
			[]product{
				{label: "Rot, Stoff", category: "textil"},
				{label: "X textil", category: "textil"},
				{label: "X fabric", category: "textil"},
				{label: "X", category: "textil", manufacturer: "Mr. Stoff"},
				{label: "X", category: "textil"},
			},
		},
		{
			"function words do not rank", "Decke mit", runtime.StrategyFTS,
			[]product{{label: "Rot, Decke"}, {label: "X mit", description: "mit rot, Decke"}},
		},
		{
			"trigram: the heavier words first, then as fts", "unbekannte school panels wall", runtime.StrategyTrigram,
			[]product{
				{label: "A school of very many words and a wall"},
				{label: "A wall of very many words, and panels"},
				{label: "A wall of very many words, and panel"},
				{label: "A wall of very many words", description: "panels"},
			},
		},
		{
			"trigram: the more similar first", "xabsorberx", runtime.StrategyTrigram,
			[]product{{label: "absorberab"}, {label: "absorberabcd"}, {label: "absorberabcdef"}},
		},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			c := catalogue{words: words, declared: declared, synonyms: addedSynonyms, products: slices.Clone(test.products)}
			slices.Reverse(c.products)
			r := c.open(t).Search(&runtime.Query{Text: test.query, Limit: 50})
			var want []column.Doc
			for i := range c.products {
				want = append(want, column.Doc(len(c.products)-1-i))
			}
			if !slices.Equal(r.Docs, want) || r.Strategy != test.strategy {
				t.Errorf("search %q: got %v by %v, want %v by %v\n%s", test.query, r.Docs, r.Strategy, want, test.strategy, c)
			}
			if want := newOracle(c).search(test.query); !slices.Equal(docsOf(want), r.Docs) {
				t.Errorf("search %q: got %v, reading every product finds %v\n%s", test.query, r.Docs, want, c)
			}
		})
	}
}

func TestEqualRanksAreInDocumentOrder(t *testing.T) {
	c := catalogue{products: []product{{label: "Wand rot"}, {label: "Rot"}, {label: "Eine Wand rot"},
		{label: "Wand und rot"}}}
	r := c.open(t).Search(&runtime.Query{Text: "rot", Limit: 50})
	if want := []column.Doc{1, 0, 2, 3}; !slices.Equal(r.Docs, want) {
		t.Errorf("got %v, want %v", r.Docs, want)
	}
}

func docsOf(hits []hit) []column.Doc {
	var docs []column.Doc
	for _, h := range hits {
		docs = append(docs, column.Doc(h.doc))
	}
	return docs
}

// String lists the products of a catalogue for a failed test.
func (c catalogue) String() string {
	var s strings.Builder
	for i, p := range c.products {
		fmt.Fprintf(&s, "%3d %q %q %q by %q, %s %s %v: %q\n", i, p.label, p.labelEN, p.commercial, p.manufacturer,
			p.category, p.character,
			p.installations, p.description)
	}
	return s.String()
}

// TestNothingIsCorrectedToAFireClassAsOneWord needs the compiler, which joins the words of a class.
func TestNothingIsCorrectedToAFireClassAsOneWord(t *testing.T) {
	g := ofRecords(t, `
{"id":"00000000-0000-4000-8000-000000000001","label":"Rohrschale","manufacturer":"Acme","fire_class":"EL-d2"}
{"id":"00000000-0000-4000-8000-000000000002","label":"Belag","manufacturer":"Acme","fire_class":"BL-s1,d0"}
`)
	for text, want := range map[string]int{"eld2": 1, "EL-d2": 1, "elde": 0, "eldx": 0, "bls1d0": 1, "blsxd0": 0,
		"blsxdx": 0, "blsxdxab": 0} {
		if got := g.Search(&runtime.Query{Text: text, Limit: 1}).Total; got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
	}
}
