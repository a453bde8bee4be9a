package cells

import (
	_ "embed"
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/product"
)

// A form converts the text of a cell to its form in a record. It returns false if the text is invalid for the
// field.
type form func(in cell) (text string, ok bool)

// forms are the forms of fields that are not plain strings. An export needs them too.
var forms = map[columns.Field]form{
	columns.ID: uuidOf, columns.ManufacturerID: uuidOf, columns.Slug: slugOf, columns.ManufacturerSlug: slugOf,
	columns.URL: addressOf, columns.Images: imagesOf, columns.Meta: jsonObject, columns.Geometry: jsonObject,
	columns.Published: booleanOf, columns.Purchasable: booleanOf, columns.Updated: momentOf, columns.TestDate: dayOf,
	columns.ShapeInd: shapeLetters, columns.Class: classOf, columns.FireClass: fireClassOf,
	columns.Size: sizeOf, columns.Shape: wordOf, columns.SourceKind: wordOf, columns.DataSource: wordOf,
	columns.Calculated: numberOf, columns.LimitFrequency: frequencyOf, columns.EntryNumber: wholeNumber,
}

// stringForms are the forms of strings, except in an export, whose strings are used unchanged. Fields without
// a form accept any text.
var stringForms = map[columns.Field]form{
	columns.Label: inOneLine, columns.LabelEN: inOneLine, columns.Material: inOneLine,
	columns.CommercialName: inOneLine, columns.Manufacturer: company, columns.Article: articleNumber,
	columns.Category: inOneLine, columns.Character: inOneLine, columns.EntryID: inOneLine,
	columns.EntryLabel: inOneLine, columns.Mounting: inOneLine,
}

//go:embed words.csv
var wordTable string

// A word is a string in words.csv with the first column of its row: a field, or a list name such as
// "boolean".
type word struct {
	of   columns.Field
	text string
}

// words maps the words in words.csv to their meanings.
var words = func() map[word]string {
	all := map[word]string{}
	for line := range strings.Lines(wordTable) {
		row := strings.Split(strings.TrimSpace(line), ";")
		for text := range strings.SplitSeq(row[2], ", ") {
			all[word{columns.Field(row[0]), text}] = row[1]
		}
	}
	return all
}()

// meaningOf looks up a string in words.csv, folded and without a full stop.
func meaningOf(f columns.Field, text string) (meaning string, ok bool) {
	meaning, ok = words[word{f, strings.TrimRight(columns.Fold(text), ".")}]
	return meaning, ok
}

func wordOf(in cell) (string, bool) { return meaningOf(in.column.Field, in.text) }

func booleanOf(in cell) (string, bool) { return meaningOf("boolean", in.text) }

// isAbsent reports whether a cell marks a missing value. In an unknown column, only dashes do.
func isAbsent(text string, f columns.Field) bool {
	var lower [16]byte // on the stack, because this code runs for most table cells
	first := text[0]
	if len(text) > len(lower) || first >= '0' && first <= '9' {
		return false
	}
	for i := range len(text) {
		if lower[i] = text[i]; text[i] >= 'A' && text[i] <= 'Z' {
			lower[i] += 'a' - 'A'
		}
	}
	switch words[word{"absent", string(lower[:len(text)])}] {
	case "anything":
		return true
	case "value":
		return f != columns.None
	case "number":
		return isMeasure(f) || f == columns.Calculated || f == columns.LimitFrequency || f == columns.EntryNumber ||
			f == columns.Frequency
	}
	return false
}

// withoutApostrophe removes the apostrophe that prevents a cell from running as a formula or becoming a
// number.
func withoutApostrophe(text string) string {
	const kept = "=+-@＝＋－＠\t\r'0123456789"
	rest, ok := strings.CutPrefix(text, "'")
	if first, _ := utf8.DecodeRuneInString(rest); ok && rest != "" && strings.ContainsRune(kept, first) {
		return rest
	}
	return text
}

func uuidOf(in cell) (string, bool) {
	_, err := uuid.Parse(in.text)
	return in.text, len(in.text) == 36 && err == nil
}

func slugOf(in cell) (string, bool) { return in.text, dataset.SlugOf(in.text) == in.text }

// jsonObject accepts a JSON object. Its members are checked when the record is parsed.
func jsonObject(in cell) (string, bool) {
	return in.text, in.text[0] == '{' && json.Valid([]byte(in.text))
}

// inOneLine replaces each run of blanks and line ends with one blank.
func inOneLine(in cell) (string, bool) {
	const noBreak, two = "\u00A0", "  "
	if strings.ContainsAny(in.text, "\n\r\t") || strings.Contains(in.text, noBreak) || strings.Contains(in.text, two) {
		return strings.Join(strings.Fields(in.text), " "), true
	}
	return in.text, true
}

var roundedNumber = regexp.MustCompile(`^(\d*[.,]\d*)+E\+\d*$`)

// articleNumber rejects numbers that a spreadsheet rounded, such as "4,01E+12", because different numbers can
// look the same.
func articleNumber(in cell) (string, bool) {
	if roundedNumber.MatchString(in.text) {
		return "", false
	}
	return inOneLine(in)
}

// bareAddress matches an address without its scheme: "www.acme.de", "acme.de/produkte/x".
var bareAddress = regexp.MustCompile(
	`(?i)^(www\.([a-z0-9-]+\.)+[a-z]{2,24}(:\d+)?([/?#]\S*)?|([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}/\S+)$`)

// addressOf returns an address, with the scheme added if it is missing. It does not add a scheme to other
// strings, because the result could be an unrelated address.
func addressOf(in cell) (string, bool) {
	if bareAddress.MatchString(in.text) {
		in.text = "https://" + in.text
	}
	return in.text, dataset.IsWebAddress(in.text)
}

var addressStart = regexp.MustCompile(`[ \t\r\n,;|]+(https?:|www\.)`)

// imagesOf accepts a record's JSON, or addresses separated by blanks, lines, bars, semicolons or commas.
// Each separator can also be part of an address if no other address follows.
func imagesOf(in cell) (string, bool) {
	if in.text[0] == '[' {
		return in.text, json.Valid([]byte(in.text))
	}
	type image struct {
		URL string `json:"url"`
	}
	var images []image
	for in.text = range strings.SplitSeq(addressStart.ReplaceAllString(in.text, "\n$1"), "\n") {
		in.text = strings.TrimRight(in.text, " \t\r\n,;|")
		address, ok := addressOf(in)
		if !ok {
			return "", false
		}
		images = append(images, image{address})
	}
	b, err := json.Marshal(images)
	return string(b), err == nil
}

// momentOf formats a date, or a date and time, as RFC 3339 in UTC.
func momentOf(in cell) (string, bool) {
	t, ok := parseDate(in.text)
	t = t.UTC()
	return t.Format(time.RFC3339Nano), ok && t.Year() >= 0 && t.Year() <= 9999
}

func dayOf(in cell) (string, bool) {
	t, ok := parseDate(in.text)
	return t.Format(time.DateOnly), ok
}

// dateForms are the forms of dates, with or without a time.
var dateForms = []string{time.RFC3339, time.DateOnly, "2006-01-02T15:04:05", "2006-01-02 15:04:05",
	"2006-01-02 15:04", "2006/01/02", "20060102", "2.1.2006", "2.1.2006 15:04", "2.1.2006 15:04:05",
	"2/1/2006", "1/2/2006"}

// parseDate parses a date. It rejects 03/04/2026, which means different days in Europe and America.
func parseDate(text string) (date time.Time, ok bool) {
	for _, form := range dateForms {
		if t, err := time.Parse(form, text); err == nil {
			if ok && !t.Equal(date) {
				return date, false
			}
			date, ok = t, true
		}
	}
	return date, ok
}

func numberOf(in cell) (string, bool) {
	v, _, ok := in.number()
	return columns.FormatNumber(v), ok && math.Abs(v) < 1e15
}

func wholeNumber(in cell) (string, bool) {
	number, ok := numberOf(in)
	return number, ok && !strings.Contains(number, ".")
}

func frequencyOf(in cell) (string, bool) {
	hz, ok := columns.ParseFrequency(in.text, in.column.Unit)
	return columns.FormatNumber(hz), ok
}

// classWords matches words before an absorption class.
var classWords = regexp.MustCompile(`^(([a-z]*klasse|class|absorber|sound|absorption)[ :.()"'-]+)+`)

// classOf returns an absorption class from ISO 11654, "A" to "E" or "nicht klassifiziert".
func classOf(in cell) (string, bool) {
	text := strings.Trim(columns.Fold(in.text), ` :.()"'-`)
	return meaningOf(columns.Class, classWords.ReplaceAllString(text, ""))
}

var (
	// fireNorm matches the folded norm of a fire class, including the words before it.
	fireNorm = regexp.MustCompile(`[(\[,;/]? *(\b(nach|gemae(ss|ß)|gem|laut|lt|acc|according|to|as|per|norm)[. ]+)*` +
		`((din|en|oenorm|bs)[ -]*)+13501([ -]?1)?(:? ?(19|20)\d\d(-\d\d)?)?[)\]]?`)
	// otherFireNorm matches the number of another norm, in which A2 or B is a different class.
	otherFireNorm = regexp.MustCompile(`\d{3}|\be ?84\b|\bul ?94\b`)
	fireWords     = regexp.MustCompile(
		`^((baustoffklasse|brandverhalten|brandklasse|euroklasse|klasse|euroclass|class|euro)[ :]*)+`)
	// fireSigns removes the separators between the letters of a class.
	fireSigns = strings.NewReplacer(" ", "", "-", "", ",", "", ";", "", "/", "", ".", "", "_", "", ":", "")
	fireClass = regexp.MustCompile(`^([a-f][12]?)(l|fl)?(s[123])?(d[012])?$`)
)

// fireClassOf returns a class from EN 13501-1. Letters can have any separators, and the norm is optional. If
// the cell names another norm, a class without supplements belongs to that norm.
func fireClassOf(in cell) (string, bool) {
	folded := fireNorm.ReplaceAllString(columns.Fold(in.text), " ")
	rest, _, _ := strings.Cut(strings.Trim(folded, " :"), "(")
	m := fireClass.FindStringSubmatch(fireSigns.Replace(fireWords.ReplaceAllString(rest, "")))
	if m == nil || m[3] == "" && otherFireNorm.MatchString(folded) {
		return "", false
	}
	class := strings.ToUpper(m[1]) + map[string]string{"l": "L", "fl": "fl"}[m[2]]
	if m[3]+m[4] != "" {
		class += "-" + strings.Trim(m[3]+","+m[4], ",")
	}
	_, ok := product.ParseFireClass(class)
	return class, ok
}

// company returns a manufacturer's name without the address after its legal form.
func company(in cell) (string, bool) {
	text, ok := inOneLine(in)
	if name := columns.Company(text); name != "" && strings.HasPrefix(text, name+",") {
		return name, ok
	}
	return text, ok
}
