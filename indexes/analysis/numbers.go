package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Numbers are written as words in a standard form, so that all spellings of a size are the same word:
//
//	text                        word              meaning
//	12,5  12.5                  12.5              a decimal; 1.200 may be thousands
//	1.200.000  1.200,50         1200000  1200.50  thousands; a single separator is ambiguous
//	50 mm  50mm  50-mm          50mm              a number with its unit
//	600 x 600 mm  600×600mm     600x600mm         a size: numbers that have the unit of the next number with one
//	60 cm * 1,2 m               60cmx1.2m         a size with several units
//	Ø 50 mm  Ø50mm              50mm              a diameter
//
// A number must not follow a letter or a digit. With its unit, it must not precede one: B-s1,d0 and AB12,5
// have no numbers. Digits with too many separators for a number, as in 12.05.2024, are words.

// A quantity is a number, possibly with a unit.
type quantity struct {
	number string // digits as written, with a decimal point
	unit   *unit  // nil if there is none
}

// A unit is a unit of measurement. There is a fixed list of units.
type unit struct {
	name  string
	base  string // common name of equivalent units; mm for all lengths
	shift int    // for lengths, the power of ten that converts to mm
}

// units lists each unit before those whose names are prefixes of its name.
var units = [...]unit{
	{"mm2", "mm2", 0}, {"cm2", "cm2", 0}, {"m2", "m2", 0}, {"m3", "m3", 0}, {"qm", "m2", 0},
	{"mm", "mm", 0}, {"cm", "mm", 1}, {"dm", "mm", 2}, {"km", "mm", 6}, {"um", "mm", -3}, {"μm", "mm", -3},
	{"mhz", "mhz", 0}, {"khz", "khz", 0}, {"hz", "hz", 0}, {"db", "db", 0},
	{"mpa", "mpa", 0}, {"kpa", "kpa", 0}, {"pa", "pa", 0}, {"kn", "kn", 0}, {"n", "n", 0}, {"kw", "kw", 0}, {"w", "w", 0},
	{"kg", "kg", 0}, {"g", "g", 0}, {"ml", "ml", 0}, {"lx", "lx", 0}, {"lm", "lm", 0}, {"l", "l", 0},
	{"zoll", "inch", 0}, {"inch", "inch", 0}, {"m", "mm", 3}, {"t", "t", 0}, {"v", "v", 0}, {"k", "k", 0},
}

// unitsBy contains the units, grouped by the first byte of their names.
var unitsBy = func() (by [256][]*unit) {
	for i := range units {
		first := units[i].name[0]
		by[first] = append(by[first], &units[i])
	}
	return by
}()

const (
	maxSize  = 4   // maximum number of numbers in a size; in a longer sequence, each number is a word
	sizeSign = "x" // separator between the numbers of a size
)

// keyWithNumbers returns the key of a text that contains numbers other than plain digits. ok is false if the
// text has none.
func keyWithNumbers(text string) (key string, ok bool) {
	if !isComposed(text) {
		text = norm.NFKC.String(strings.Map(withoutWidthAndMarks, text)) // Map replaces invalid UTF-8 with U+FFFD
	}
	from := 0
	for from < len(text) && !isDigit(text[from]) {
		from++
	}
	if from == len(text) {
		return "", false
	}
	text, hasDiameter := withoutDiameters(text)
	if hasDiameter {
		from = 0 // offsets have changed, since the text is now shorter
	}
	var b strings.Builder
	var buf [maxSize]quantity
	var list numberList // most recent list
	done := 0           // offset up to which b contains the key of the text
	for at := from; at < len(text); {
		if !isDigit(text[at]) || !mayPrecedeNumber(text[:at]) {
			at++
			continue
		}
		size, end, read := scanSize(buf[:0], text[at:])
		if end > 0 && unitOf(size) == nil {
			if at >= list.end { // otherwise the number belongs to the most recent list
				list = scanList(text, at, at+end)
			}
			for i := range size {
				size[i].unit = list.unit
			}
		}
		isPlain := len(size) == 1 && size[0].unit == nil && countDigits(text[at:]) == end
		if end == 0 || isPlain { // the same as other letters and digits
			at += max(end, read, 1)
			continue
		}
		if done == 0 {
			b.Grow(len(text))
		}
		addWords(&b, FoldKey(Normalize(text[done:at])))
		addSize(&b, size)
		at += end
		done = at
	}
	if done == 0 && !hasDiameter {
		return "", false
	}
	addWords(&b, FoldKey(Normalize(text[done:])))
	return b.String(), true
}

// withoutDiameters replaces diameter signs with blanks. A diameter sign is Ø before a digit, but not at the
// end of a word. found is false if there are none.
func withoutDiameters(text string) (without string, found bool) {
	if !strings.Contains(text, "Ø") && !strings.Contains(text, "ø") {
		return text, false
	}
	var b strings.Builder
	for i, r := range text {
		if r == 'Ø' || r == 'ø' {
			number := strings.TrimLeftFunc(text[i+utf8.RuneLen(r):], unicode.IsSpace)
			if before, _ := utf8.DecodeLastRuneInString(text[:i]); !isOfWord(before) && number != "" && isDigit(number[0]) {
				r, found = ' ', true
			}
		}
		b.WriteRune(r)
	}
	return b.String(), found
}

func addWords(b *strings.Builder, words string) {
	if b.Len() > 0 && words != "" {
		b.WriteByte(' ')
	}
	b.WriteString(words)
}

// addSize appends the word for a size or a single number. Consecutive numbers with the same unit have it only
// once, after the last one.
func addSize(b *strings.Builder, size []quantity) {
	tooLong := len(size) > maxSize
	if !tooLong {
		shareUnits(size)
	}
	for i, q := range size {
		if i == 0 || tooLong {
			addWords(b, q.number)
		} else {
			b.WriteString(sizeSign + q.number)
		}
		if q.unit != nil && (tooLong || i == len(size)-1 || q.unit != size[i+1].unit) {
			b.WriteString(q.unit.word())
		}
	}
}

func isUnit(word string) bool {
	return word != "" && slices.ContainsFunc(unitsBy[word[0]], func(u *unit) bool { return u.name == word })
}

// shareUnits sets missing units in a size to the next unit or, after the last unit, to the last one.
func shareUnits(size []quantity) {
	for i := len(size) - 2; i >= 0; i-- {
		if size[i].unit == nil {
			size[i].unit = size[i+1].unit
		}
	}
	for i := 1; i < len(size); i++ {
		if size[i].unit == nil {
			size[i].unit = size[i-1].unit
		}
	}
}

// word returns the unit in its written form.
func (u *unit) word() string {
	if u.name == "μm" {
		return "um"
	}
	return u.name
}

// mayPrecedeNumber reports whether a number may begin after the text before. It may not begin after a
// separator of digits, since scanNumber has already read those digits.
func mayPrecedeNumber(before string) bool {
	r, size := utf8.DecodeLastRuneInString(before)
	if r == '.' || r == ',' {
		return len(before) == size || !isDigit(before[len(before)-size-1])
	}
	return size == 0 || !isOfWord(r)
}

// endsWord reports whether a word ends before the text rest.
func endsWord(rest string) bool {
	r, size := utf8.DecodeRuneInString(rest)
	return size == 0 || !isOfWord(r)
}

// isOfWord reports whether r is a letter, a mark or a digit.
func isOfWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.M)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func toLower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// scanSize appends the numbers of the longest size, or of the single number, at the beginning of a text. end
// is its length in text, or 0 if there is none. In that case, no number begins before read.
func scanSize(dst []quantity, text string) (size []quantity, end, read int) {
	start := len(dst)
	kept, bare := start, false // bare is true if the unit of the last number is not part of the size
	for at := 0; ; {
		number, n := scanNumber(text[at:])
		if number == "" {
			break
		}
		at += n
		read = at
		dst = append(dst, quantity{number: number})
		if endsWord(text[at:]) {
			kept, bare, end = len(dst), true, at
		}
		if u, n := scanUnit(text[at:]); u != nil {
			at += n
			dst[len(dst)-1].unit = u
			if endsWord(text[at:]) {
				kept, bare, end = len(dst), false, at
			}
		}
		sign := scanSign(text[at:])
		if sign == 0 {
			break
		}
		at += sign
	}
	if bare {
		dst[kept-1].unit = nil
	}
	return dst[:kept], end, read
}

// scanNumber returns the number at the beginning of a text, and its length in text. number is "" if there are
// no digits or if they are not a number.
func scanNumber(text string) (number string, n int) {
	digits := countDigits(text)
	n = digits
	for n > 0 && n+1 < len(text) && isSeparator(text[n]) && isDigit(text[n+1]) {
		n += 1 + countDigits(text[n+1:])
	}
	run := text[:n]
	if n == digits {
		return run, n
	}
	last := strings.LastIndexAny(run, ".,")
	whole, fraction := run[:last], run[last+1:]
	first := strings.IndexAny(whole, ".,")
	switch {
	case first < 0 && run[last] == '.':
		return run, n
	case first < 0:
		return whole + "." + fraction, n
	case whole[first] == run[last]:
		if digits, ok := withoutThousands(run, run[last]); ok {
			return digits, n
		}
	default:
		if digits, ok := withoutThousands(whole, whole[first]); ok {
			return digits + "." + fraction, n
		}
	}
	return "", n
}

// withoutThousands returns the digits of a number without its thousands separators. ok is false if a group of
// digits has the wrong length.
func withoutThousands(text string, separator byte) (digits string, ok bool) {
	groups := strings.Split(text, string(separator))
	for i, group := range groups {
		if countDigits(group) != len(group) || len(group) != 3 && (i > 0 || len(group) > 3) || group[0] == '0' && i == 0 {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}

func countDigits(text string) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

func isSeparator(c byte) bool { return c == '.' || c == ',' }

// scanUnit returns the unit at the beginning of a text, which can follow blanks or a hyphen, and the length
// of both. It returns nil if there is no unit.
func scanUnit(text string) (u *unit, n int) {
	gap := 0
	if text == "" || text[0] < 'a' || text[0] > 'z' { // a capital letter after a number is often part of a code
		if gap = len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace)); gap == 0 {
			if r, size := utf8.DecodeRuneInString(text); isHyphen(r) {
				gap = size
			}
		}
		if r, _ := utf8.DecodeRuneInString(text[gap:]); !unicode.IsLetter(r) {
			return nil, 0
		}
	}
	for _, u := range unitsBy[toLower(text[gap])] {
		if end := gap + len(u.name); end <= len(text) && strings.EqualFold(text[gap:end], u.name) &&
			(endsWord(text[end:]) || scanSign(text[end:]) > 0) {
			return u, end
		}
	}
	return nil, 0
}

// scanSign returns the length of the sign between two numbers of a size, including blanks and hyphens around
// it. It returns 0 if there is no sign or no number after it.
func scanSign(text string) int {
	if text == "" || text[0] != sizeSign[0] && 'a' <= text[0] && text[0] <= 'z' {
		return 0
	}
	isGap := func(r rune) bool { return unicode.IsSpace(r) || isHyphen(r) }
	sign := strings.TrimLeftFunc(text, isGap)
	r, size := utf8.DecodeRuneInString(sign)
	if r != 'x' && r != 'X' && r != '×' && r != '*' {
		return 0
	}
	number := strings.TrimLeftFunc(sign[size:], isGap)
	if number == "" || !isDigit(number[0]) {
		return 0
	}
	return len(text) - len(number)
}
