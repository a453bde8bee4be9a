package table

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"sabine/dataset"
	"sabine/dataset/importers/workbook"
	"sabine/dataset/product"
)

// A form returns a cell's text as the record has it; ok is false for what the field cannot hold. A field without a form holds any text.
type form func(c *Column, kind workbook.Kind, text string) (string, bool)

// forms are those of the fields that are texts.
var forms = map[Field]form{
	FieldID: isUUID, FieldManufacturerID: isUUID,
	FieldSlug: isSlug, FieldManufacturerSlug: isSlug,
	FieldURL: isAddress, FieldEPDURL: isAddress,
	FieldImages:   imagesOf,
	FieldMeta:     startsJSON('{'),
	FieldGeometry: startsJSON('{'),

	FieldLabel: inOneLineForm, FieldLabelEN: inOneLineForm, FieldMaterial: inOneLineForm, FieldCommercialName: inOneLineForm,
	FieldManufacturer: inOneLineForm, FieldArticle: articleNumber, FieldCategory: inOneLineForm, FieldCharacter: inOneLineForm,
	FieldEntryID: inOneLineForm, FieldEntryLabel: inOneLineForm, FieldMounting: inOneLineForm,

	FieldPublished: booleanOf, FieldPurchasable: booleanOf, FieldHasEPD: booleanOf,
	FieldUpdated: momentOf, FieldTestDate: dateOf,

	FieldAlphaWMin: ratingOf, FieldNRC: ratingOf, FieldSAA: ratingOf,
	FieldShapeInd: shapeLetters, FieldClass: classOf, FieldFireClass: fireClassOf,
	FieldShape: wordIn(shapeWords), FieldSourceKind: wordIn(sourceWords), FieldDataSource: wordIn(originWords),

	FieldCalculated: numberText, FieldLimitFrequency: frequencyText, FieldEntryNumber: wholeNumber,
}

func isUUID(_ *Column, _ workbook.Kind, text string) (string, bool) {
	_, err := uuid.Parse(text)
	return text, len(text) == 36 && err == nil
}

func isSlug(_ *Column, _ workbook.Kind, text string) (string, bool) {
	return text, dataset.SlugOf(text) == text
}

// isAddress takes no address without "https://": nobody knows whether it leads anywhere.
func isAddress(_ *Column, _ workbook.Kind, text string) (string, bool) {
	return text, dataset.IsWebAddress(text)
}

// articleNumber takes no number that a spreadsheet has rounded, "4,01E+12": two articles may look the same.
func articleNumber(c *Column, kind workbook.Kind, text string) (string, bool) {
	digits, exponent, ok := strings.Cut(text, "E+")
	if ok && len(digits) > 1 && strings.Trim(digits, "0123456789.,") == "" && strings.ContainsAny(digits, ".,") && strings.Trim(exponent, "0123456789") == "" {
		return "", false
	}
	return inOneLineForm(c, kind, text)
}

// startsJSON takes JSON that begins with a bracket. Its content is the record's to check.
func startsJSON(bracket byte) form {
	return func(_ *Column, _ workbook.Kind, text string) (string, bool) {
		return text, text[0] == bracket && json.Valid([]byte(text))
	}
}

// imagesOf takes the record's JSON, or addresses parted by blanks, lines, bars, semicolons or commas, each of which may be part of an address
// where no other follows.
func imagesOf(_ *Column, _ workbook.Kind, text string) (string, bool) {
	if text[0] == '[' {
		return text, json.Valid([]byte(text))
	}
	type image struct {
		URL string `json:"url"`
	}
	var images []image
	for text != "" {
		end := len(text)
		for i := 1; i < len(text); i++ {
			if strings.IndexByte(" \t\r\n,;|", text[i-1]) >= 0 && strings.HasPrefix(text[i:], "http") {
				end = i
				break
			}
		}
		address := strings.TrimRight(text[:end], " \t\r\n,;|")
		if !dataset.IsWebAddress(address) {
			return "", false
		}
		images, text = append(images, image{address}), text[end:]
	}
	b, err := json.Marshal(images)
	return string(b), err == nil
}

// inOneLineForm makes one blank of each run of blanks and line ends.
func inOneLineForm(_ *Column, _ workbook.Kind, text string) (string, bool) {
	if strings.ContainsAny(text, "\n\r\t\u00A0") || strings.Contains(text, "  ") {
		return strings.Join(strings.Fields(text), " "), true
	}
	return text, true
}

func booleanOf(_ *Column, _ workbook.Kind, text string) (string, bool) {
	switch strings.ToLower(text) {
	case "true", "ja", "j", "yes", "y", "wahr", "x", "1", "✓", "✔", "☑":
		return "true", true
	case "false", "nein", "no", "n", "falsch", "0", "✗", "✘", "☐":
		return "false", true
	}
	return "", false
}

// momentOf returns a date, or a date and a time, as RFC 3339 in UTC.
func momentOf(_ *Column, _ workbook.Kind, text string) (string, bool) {
	t, ok := parseDate(text)
	t = t.UTC()
	return t.Format(time.RFC3339Nano), ok && t.Year() >= 0 && t.Year() <= 9999
}

// dateOf returns the day of a date.
func dateOf(_ *Column, _ workbook.Kind, text string) (string, bool) {
	t, ok := parseDate(text)
	return t.Format(time.DateOnly), ok
}

// parseDate reads a date, perhaps with a time behind it. 03/04/2026 is none: it is another day on the other side of the sea.
func parseDate(text string) (t time.Time, ok bool) {
	if len(text) > 40 {
		return t, false
	}
	for _, layout := range []string{
		time.RFC3339, time.DateOnly, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006/01/02", "20060102",
		"2.1.2006", "2.1.2006 15:04", "2.1.2006 15:04:05",
	} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	english, errEnglish := time.Parse("2/1/2006", text)
	american, errAmerican := time.Parse("1/2/2006", text)
	switch {
	case errEnglish == nil && errAmerican == nil:
		return english, english.Equal(american)
	case errEnglish == nil:
		return english, true
	}
	return american, errAmerican == nil
}

// numberText returns a number of any size.
func numberText(c *Column, kind workbook.Kind, text string) (string, bool) {
	text, percent := strings.CutSuffix(text, "%")
	n, ok := parseNumber(strings.TrimSpace(text))
	v := n.value((percent || c.Percent) && kind != workbook.Percent)
	return formatNumber(v), ok && v < 1e15 && v > -1e15
}

func wholeNumber(c *Column, kind workbook.Kind, text string) (string, bool) {
	number, ok := numberText(c, kind, text)
	return number, ok && !strings.Contains(number, ".")
}

// frequencyText returns a frequency in Hz.
func frequencyText(c *Column, _ workbook.Kind, text string) (string, bool) {
	hz, ok := hertzOf(text, c.Unit)
	return formatNumber(hz), ok
}

// hertzOf reads a frequency in its own unit, or else in that of its column.
func hertzOf(text, unit string) (hz float64, ok bool) {
	text = strings.ToLower(text)
	text, hertz := strings.CutSuffix(text, "hz")
	digits, decimals, kilo := strings.Cut(strings.TrimSpace(text), "k")
	if strings.Trim(decimals, "0123456789") != "" || len(decimals) > 5 {
		return 0, false
	}
	return frequencyOf(strings.TrimSpace(digits), kilo || !hertz && unit == "kHz", decimals)
}

// ratingOf returns a rating of absorption, "0.85".
func ratingOf(c *Column, kind workbook.Kind, text string) (string, bool) {
	text = strings.TrimSpace(strings.TrimLeft(text, "αaswncrNRCSA_ =:"))
	number, ok := numberText(c, kind, text)
	return number, ok && number[0] != '-'
}

// alphaWOf reads a weighted coefficient with the shape letters behind it: "0.55(MH)", "αw = 0,6". The letters are "" where there are none.
func alphaWOf(c *Column, kind workbook.Kind, text string) (rating, letters string, ok bool) {
	end := strings.LastIndexAny(text, "0123456789%") + 1
	if letters = strings.TrimSpace(text[end:]); letters != "" {
		if letters, ok = shapeLetters(c, kind, letters); !ok {
			return "", "", false
		}
	}
	rating, ok = ratingOf(c, kind, text[:end])
	return rating, letters, ok
}

// shapeLetters returns the shape indicators of ISO 11654 in their order.
func shapeLetters(_ *Column, _ workbook.Kind, text string) (string, bool) {
	text = strings.ToUpper(text)
	if text == "" || len(text) > 16 || strings.Trim(text, "LMH ()[],/;+-") != "" {
		return "", false
	}
	letters := ""
	for _, letter := range []string{"L", "M", "H"} {
		if strings.Count(text, letter) > 1 {
			return "", false
		}
		if strings.Contains(text, letter) {
			letters += letter
		}
	}
	return letters, letters != ""
}

// unclassified is the absorption class of what absorbs too little for one.
const unclassified = "nicht klassifiziert"

// classOf returns an absorption class of ISO 11654, "A" to "E" or "nicht klassifiziert".
func classOf(_ *Column, _ workbook.Kind, text string) (string, bool) {
	words := strings.FieldsFunc(fold(text), func(r rune) bool { return strings.ContainsRune(" :.()-\"'", r) })
	for len(words) > 1 && strings.HasSuffix(words[0], "klasse") || len(words) > 1 && slices.Contains([]string{"class", "absorber", "sound", "absorption"}, words[0]) {
		words = words[1:]
	}
	switch joined := strings.Join(words, " "); joined {
	case "a", "b", "c", "d", "e":
		return strings.ToUpper(joined), true
	case "nicht klassifiziert", "unklassifiziert", "unclassified", "not classified", "n k", "nk", "nicht klassifizierbar", "keine", "none", "keine klasse":
		return unclassified, true
	}
	return "", false
}

// fireSupplements writes the supplements of a class behind the signs that part them.
var fireSupplements = strings.NewReplacer("fl", "fl", "l", "L", "s", "-s", "d", ",d")

// fireClassOf returns a class of EN 13501-1, whatever parts its letters: "A2 - s1, d0".
func fireClassOf(_ *Column, _ workbook.Kind, text string) (string, bool) {
	if _, ok := product.ParseFireClass(text); ok {
		return text, true
	}
	rest := fold(text)
	rest, _, _ = strings.Cut(rest, "(")
	for _, word := range []string{"baustoffklasse", "brandverhalten", "euroklasse", "klasse", "euroclass", "class", "euro"} {
		rest = strings.TrimSpace(strings.TrimPrefix(rest, word))
	}
	class := fireSupplements.Replace(strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -,;/._", r) {
			return -1
		}
		return r
	}, rest))
	if class == "" || len(rest) > 20 {
		return "", false
	}
	if class[0] == ',' { // the class itself is d
		class = class[1:]
	}
	class = strings.ToUpper(class[:1]) + class[1:]
	if !strings.Contains(class, "-s") {
		class = strings.Replace(class, ",d", "-d", 1)
	}
	_, ok := product.ParseFireClass(class)
	return class, ok
}

// wordIn takes the words of a list, compared folded, and returns what they mean.
func wordIn(list map[string][]string) form {
	meant := map[string]string{}
	for meaning, words := range list {
		meant[meaning] = meaning
		for _, word := range words {
			meant[word] = meaning
		}
	}
	return func(_ *Column, _ workbook.Kind, text string) (string, bool) {
		if len(text) > 60 {
			return "", false
		}
		meaning, ok := meant[strings.TrimRight(fold(text), ".")]
		return meaning, ok
	}
}

var (
	sourceWords = map[string][]string{
		"measured": {"gemessen", "messung", "messwert", "messwerte", "labor", "labormessung", "measurement", "laboratory", "lab", "test", "pruefung", "geprueft",
			"hallraum", "hallraummessung", "pruefbericht", "test report", "tested"},
		"literature": {"literatur", "literaturwert", "literaturwerte", "tabelle", "tabellenwert", "tabellenwerte", "buch", "book", "table", "handbuch"},
		"simulated": {"simuliert", "simulation", "berechnet", "berechnung", "rechnung", "rechnerisch", "calculated", "calculation", "computed", "prognose",
			"modelled", "modeled"},
	}
	originWords = map[string][]string{"manufacturer": {"hersteller", "herstellerangabe", "herstellerangaben"}, "ptb": {}}
	shapeWords  = map[string][]string{
		"panel": {"platte", "paneel", "wandpaneel", "wandpanel", "deckenplatte", "deckensegel", "segel", "kassette", "tafel", "rechteck", "rechteckig",
			"quadrat", "quadratisch", "absorberplatte", "tile", "board", "raft", "wall panel", "rectangle", "rectangular", "square", "element", "akustikplatte"},
		"baffle":   {"baffel", "baffles", "deckenbaffel", "lamelle", "lamellen", "vertikalbaffel"},
		"box":      {"quader", "kasten", "wuerfel", "block", "cube", "cuboid", "kubus"},
		"cylinder": {"zylinder", "rolle", "saeule", "rohr", "tube", "column", "roll"},
		"sphere":   {"kugel", "ball", "globe"},
		"sheet":    {"bahn", "vorhang", "stoff", "folie", "teppich", "matte", "curtain", "fabric", "carpet", "mat", "film", "membran", "bahnenware", "vlies"},
	}
)

// listOf splits a cell of several values, which may be a JSON array of texts.
func listOf(text string) (values []string) {
	if strings.HasPrefix(text, "[") && json.Unmarshal([]byte(text), &values) == nil {
		return values
	}
	for value := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",;|/\n", r) }) {
		if value = strings.TrimSpace(value); value != "" {
			values = append(values, value)
		}
	}
	return values
}
