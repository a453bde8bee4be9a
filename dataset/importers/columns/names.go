package columns

import (
	"cmp"
	"embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	unicodenorm "golang.org/x/text/unicode/norm"
)

//go:embed names.csv private.txt bandwords.txt legalforms.txt patterns.txt
var lists embed.FS

// A namedField is a row in names.csv.
type namedField struct {
	field           Field
	values          string // description of valid cells
	german, english []string
}

// namedFields returns the rows of names.csv.
var namedFields = sync.OnceValue(func() (fields []namedField) {
	for _, line := range linesOf("names.csv")[1:] {
		row := strings.Split(line, ";")
		german, english := strings.Split(row[2], ", "), strings.Split(row[3], ", ")
		fields = append(fields, namedField{Field(row[0]), row[1], german, english})
	}
	return fields
})

// linesOf returns the lines of a list without comments.
func linesOf(list string) []string {
	text, _ := lists.ReadFile(list) // no error is possible for an embedded file
	isComment := func(line string) bool { return strings.HasPrefix(line, "#") }
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(string(text)), "\n"), isComment)
}

// wordsIn returns the entries of a list with several entries per line.
func wordsIn(list string) []string { return strings.Split(strings.Join(linesOf(list), ", "), ", ") }

// patternsOf returns an alternation of the patterns listed under a name in patterns.txt.
func patternsOf(list string) string {
	var patterns []string
	for _, line := range linesOf("patterns.txt") {
		if entries, ok := strings.CutPrefix(line, list+": "); ok {
			patterns = append(patterns, strings.Split(entries, ", ")...)
		}
	}
	return strings.Join(patterns, "|")
}

// fieldsByKey maps the keys (see keyOf) of the names in names.csv, and of the fields' own names, to fields.
var fieldsByKey = sync.OnceValue(func() map[string]Field {
	fields := map[string]Field{}
	for _, row := range namedFields() {
		base, _ := ownUnit(row.field)
		for _, name := range slices.Concat([]string{string(row.field), base}, row.german, row.english) {
			fields[keyOf(Fold(name))] = row.field
			fields[keyOf(Fold(withoutUmlauts.Replace(name)))] = row.field
		}
	}
	return fields
})

var withoutUmlauts = strings.NewReplacer("ä", "a", "ö", "o", "ü", "u")

// ValuesOf describes a field's valid cells, for messages.
func ValuesOf(f Field) string {
	for _, row := range namedFields() {
		if row.field == f {
			values, _, _ := strings.Cut(row.values, " (")
			return values
		}
	}
	return ""
}

// privateNames returns the entries of private.txt, in the form in which isPrivate searches for them.
var privateNames = sync.OnceValue(func() (parts []string) {
	for _, entry := range wordsIn("private.txt") {
		parts = append(parts, openEnds.Replace(" "+Fold(entry)+" "))
	}
	return parts
})

// openEnds lets an entry that begins or ends with … match within a word.
var openEnds = strings.NewReplacer(" …", "", "… ", "")

// isPrivate reports whether a folded name means prices, discounts, stock or notes.
func isPrivate(folded string) bool {
	words, _ := wordsOf(folded)
	text := " ^ " + strings.Join(words, " ") + " $ "
	isCurrency := func(r rune) bool { return unicode.Is(unicode.Sc, r) }
	return strings.ContainsFunc(folded, isCurrency) || hasPart(text, privateNames())
}

// ownUnit splits a field's name into base and unit: "thickness", "mm".
func ownUnit(f Field) (base, unit string) {
	base = strings.TrimSuffix(strings.TrimSuffix(string(f), "_mm"), "_hz")
	return base, unitNames[strings.TrimPrefix(string(f)[len(base):], "_")]
}

func isLength(f Field) bool { return f == Size || strings.HasSuffix(string(f), "_mm") }

// unitNames maps spellings to units of length and frequency.
var unitNames = map[string]string{
	"mm": "mm", "cm": "cm", "m": "m", "inch": "in", "inches": "in", "in": "in", "zoll": "in", `"`: "in",
	"″": "in", "”": "in", "''": "in", "hz": "Hz", "khz": "kHz",
}

var (
	unitPattern = re(`(?:^|[ ,/_\[(])(?:in )?(` +
		strings.Join(slices.Sorted(maps.Keys(unitNames)), "|") + `)\.?[\])]?\.?$`)
	bracketPattern = re(`^(.*?) ?[\[(]([^\[\]()]*)[\])]\.?$`)
	// prefixPattern matches prefixes of attributes that programs add: "attr_dicke_mm", "Variant SKU".
	prefixPattern = re(`^(?:attr|attribut|attribute|custom|variant|meta|product|produkt|item|artikel)(?:[ _.-]|` +
		`: ?)([\pL\pN].*)$`)
	// objectPattern matches a name with its object: a length with a reference point, "Luftspalt zur Wand", or
	// a field with its product, "description of item".
	objectPattern = re(`^(.+?) ((?:of|der|des|vom|zur|zum|bis|von|vor|hinter|ab|uk|to|from|behind|` +
		`incl\.?|inkl\.?|including)(?: the)?) ` +
		`(?:(products?|items?|panels?|tiles?|boards?|specimens?|samples?|produkte?s?|artikels?|platten?|elements?)$|.+)`)
	// numberedNorm matches a norm's number, such as 4102.
	numberedNorm = re(`\d{3}|E ?84`)
)

// setField sets the field and the unit of a folded name. It reports whether the name has a field.
func (c *Column) setField(name string) bool {
	if m := unitPattern.FindStringSubmatchIndex(name); m != nil && c.setFieldIn(name[:m[0]], unitNames[name[m[2]:m[3]]]) {
		return true
	}
	if c.setFieldIn(name, "") {
		return true
	}
	m := prefixPattern.FindStringSubmatch(name)
	return m != nil && c.setField(m[1])
}

// setFieldIn sets the field for a name with a unit ("" for none). The name, or each half of it, must be in
// names.csv. A remark in brackets can follow.
func (c *Column) setFieldIn(name, unit string) bool {
	f, inside := fieldsByKey()[keyOf(name)], "" // inside is the text in brackets
	if f == None {
		name = strings.Trim(name, " :,/-_")
		if m := bracketPattern.FindStringSubmatch(name); m != nil {
			name, inside = m[1], m[2]
		}
		f, unit = fieldOfParts(name), cmp.Or(unit, unitNames[inside])
	}
	if m := objectPattern.FindStringSubmatch(name); f == None && m != nil {
		if g := fieldOfParts(m[1]); isLength(g) || m[3] != "" {
			f, name = g, m[1]
		}
	}
	key := keyOf(name)
	if key == keyOf(string(f)) && unit == "" {
		_, unit = ownUnit(f)
	}
	isMeasure := isLength(f) || f == Frequency || f == LimitFrequency
	isKnown := unitNames[inside] != "" || fieldsByKey()[keyOf(inside)] == f
	switch {
	case f == None, isPrivate(inside),
		isMeasure && !isKnown && len(inside) > 1 && len(inside) < 5, // can be another unit, such as µm
		unit != "" && !isMeasure,
		unit != "" && isLength(f) == strings.HasSuffix(unit, "Hz"), // a length in Hz, or a frequency in mm
		unit == "" && isMeasure && len(key) < 2,                    // a name of one letter is ambiguous
		// A class from another norm can look like one from EN 13501-1: A2 from DIN 4102.
		f == FireClass && numberedNorm.MatchString(c.Header) && !strings.Contains(c.Header, "13501"):
		return false
	}
	c.Field, c.Unit = f, unit
	if f == Frequency {
		c.Resolution = resolutionOf(foldedWords(c.Header))
	}
	return true
}

// fieldOfParts returns the field for a name or for both of its halves: "Dicke / Thickness", "Bild 1".
func fieldOfParts(name string) Field {
	fields := fieldsByKey()
	if f := fields[keyOf(name)]; f != None {
		return f
	}
	for i, r := range name {
		if strings.ContainsRune(" /|;,", r) {
			f, g := fields[keyOf(name[:i])], fields[keyOf(name[i:])]
			switch {
			case f == None || g == None:
			case f == g, g == Frequency: // names of two axes: "Art.-Nr. / Frequenz"
				return f
			case f == Frequency:
				return g
			}
		}
	}
	if fields[keyOf(strings.TrimRight(name, "0123456789"))] == Images {
		return Images
	}
	return None
}

// MaxNameBytes is the maximum length of a column name or a title. Longer strings are prose.
const MaxNameBytes = 250

// foldings replaces letters with their spelling for comparisons, and drops footnote marks.
var foldings = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "α", "alpha", "ɑ", "alpha", "∝", "alpha",
	"𝛼", "alpha", "𝜶", "alpha", "𝝰", "alpha", "𝞪", "alpha", "δ", "delta", "θ", "theta", "ϑ", "theta", "ψ", "psi",
	"ₛ", "s", "ₚ", "p", "ₙ", "n", "⅓", "1/3", "×", "x", "–", "-", "—", "-", "−", "-", "‐", "-", "‑", "-",
	"″", `"`, "”", `"`, "’", "'", "#", " no", "\u00AD", "", "\u200B", "", "\uFEFF", "",
	"*", "", "†", "", "‡", "", "¹", "", "²", "", "³", "", "⁴", "", "⁵", "", "⁶", "", "⁾", "")

// Fold returns a string in the spelling for comparisons: lower case, ä as ae, Greek letters as words, single
// blanks, no footnote marks.
func Fold(text string) string {
	return foldings.Replace(strings.ToLower(strings.Join(strings.Fields(unicodenorm.NFC.String(text)), " ")))
}

// foldedWords returns a folded string with blanks for underscores, for word patterns.
func foldedWords(text string) string { return strings.ReplaceAll(Fold(text), "_", " ") }

// keyOf returns the key for a name in names.csv: its letters and digits.
func keyOf(folded string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, folded)
}

// hasPart reports whether a string contains one of the given parts.
func hasPart(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// wordsOf returns the runs of letters in a string. It returns false if the string contains characters other
// than letters and separators.
func wordsOf(text string) (words []string, ok bool) {
	isNoLetter := func(r rune) bool { return !unicode.IsLetter(r) }
	isOther := func(r rune) bool { return isNoLetter(r) && !strings.ContainsRune(" _-.,:;=@/()[]{}|", r) }
	return strings.FieldsFunc(text, isNoLetter), !strings.ContainsFunc(text, isOther)
}
