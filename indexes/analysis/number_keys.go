package analysis

import (
	"slices"
	"strings"
)

// sizeOf returns the numbers of a word, none when it is not a number or a size. They lie in room.
func sizeOf(room *[maxSize]quantity, word string) []quantity {
	if word == "" || !isDigit(word[0]) {
		return nil
	}
	size, end, _ := scanSize(room[:0], word)
	if end == 0 || end < len(word) || len(size) > maxSize {
		return nil
	}
	shareUnits(size)
	return size
}

// MeasureSign is what a measure begins with in a detail, a number with its unit or a size: 12,5 mm is =12.5mm.
// No word of a query begins with it, so a bare number finds none.
const MeasureSign = "="

// DetailKey returns the key of a detail, in which measures begin with MeasureSign.
func DetailKey(text string) string { return MarkMeasures(Key(text)) }

// MarkMeasures returns a key with MeasureSign before each measure.
func MarkMeasures(key string) string {
	if !HasDigit(key) {
		return key
	}
	words := Words(key)
	for i, word := range words {
		if IsMeasure(word) {
			words[i] = MeasureSign + word
		}
	}
	return strings.Join(words, " ")
}

// IsMeasure reports whether a word is a number with its unit or a size.
func IsMeasure(word string) bool {
	var room [maxSize]quantity
	size := sizeOf(&room, word)
	return len(size) > 1 || len(size) == 1 && size[0].unit != nil
}

// NumberKeys appends the keys under which a number or a size is filed among the compounds, each once and not
// the word itself; none for other words. They are, of every run of its numbers: the run without units; the
// run in mm if they are lengths, where those of a size that has no units are mm; else the run with its unit.
// Numbers are as they are written, without zeros at the end of a decimal, and 1.200 as thousands too. A
// decimal without a unit is filed under the digits on both sides, since article numbers look like it, and
// every number under its unit, a size under the sign x. A measure of a detail is filed under measures alone.
func NumberKeys(dst []string, word string) []string {
	var room [maxSize]quantity
	start := len(dst)
	if measure, ok := strings.CutPrefix(word, MeasureSign); ok {
		return appendMeasures(dst, sizeOf(&room, measure))
	}
	size := sizeOf(&room, word)
	dst = append(dst, word)
	for from := range size {
		for to := from + 1; to <= len(size); to++ {
			run := size[from:to]
			dst = appendKey(dst, start, spell(run, written))
			dst = appendReadings(dst, start, run, len(size) > 1, true)
		}
	}
	if whole, fraction, ok := CutDecimal(word); ok {
		dst = appendKey(appendKey(dst, start, whole), start, fraction)
	}
	for _, q := range size {
		if q.unit != nil {
			dst = appendKey(dst, start, q.unit.word())
		}
	}
	if len(size) > 1 {
		dst = appendKey(dst, start, by)
	}
	return slices.Delete(dst, start, start+1)
}

// appendMeasures appends the keys under which a measure of a detail is filed: its runs in one unit, and those of
// several numbers also as they are written.
func appendMeasures(dst []string, size []quantity) []string {
	start := len(dst)
	for from := range size {
		for to := from + 1; to <= len(size); to++ {
			if to-from > 1 {
				dst = appendKey(dst, start, spell(size[from:to], written))
			}
			dst = appendReadings(dst, start, size[from:to], len(size) > 1, false)
		}
	}
	for i := range dst[start:] {
		dst[start+i] = MeasureSign + dst[start+i]
	}
	return dst
}

// AskedNumberKeys appends the keys under which a word of a query finds numbers and sizes, each once: itself,
// and the same in mm. None for words that are no number, size, unit or sign.
func AskedNumberKeys(dst []string, word string) []string {
	if word == by || isUnit(word) {
		return append(dst, word)
	}
	if word != "" && countDigits(word) == len(word) { // as most numbers of queries
		return append(dst, word)
	}
	var room [maxSize]quantity
	size := sizeOf(&room, word)
	if size == nil {
		return dst
	}
	start := len(dst)
	return appendReadings(append(dst, word), start, size, len(size) > 1, size[0].unit == nil)
}

// AppendSizeApart appends the keys of a size whose numbers are words of their own, as 600/600 mm has them:
// each number with its unit, the unit as it stands in the size and, of mm, none. A size without unit is of
// mm. Other words have none.
func AppendSizeApart(dst []string, word string) []string {
	if !strings.Contains(word, by) { // as every key of a size has it
		return dst
	}
	var room [maxSize]quantity
	size := sizeOf(&room, word)
	if len(size) < 2 {
		return dst
	}
	var rows [3][maxSize]string
	each, last, bare, ofMM := rows[0][:len(size)], rows[1][:len(size)], rows[2][:len(size)], true
	for i, q := range size {
		unit := "mm"
		if q.unit != nil {
			unit = q.unit.word()
		}
		each[i], last[i], bare[i] = q.number+unit, q.number, q.number
		if i == len(size)-1 || q.unit != size[i+1].unit {
			last[i] = each[i]
		}
		ofMM = ofMM && unit == "mm"
	}
	dst = append(dst, strings.Join(each, " "), strings.Join(last, " "))
	if ofMM {
		dst = append(dst, strings.Join(bare, " "))
	}
	return dst
}

// CountNumbers returns how many numbers a word is: several when it is a size, none when it is no number, with
// a unit or without.
func CountNumbers(word string) int {
	var room [maxSize]quantity
	return len(sizeOf(&room, word))
}

// CutDecimal returns the digits on both sides of the point of a word that is a decimal without a unit.
func CutDecimal(word string) (whole, fraction string, ok bool) {
	whole, fraction, ok = strings.Cut(word, ".")
	return whole, fraction, ok && countDigits(whole) == len(whole) && countDigits(fraction) == len(fraction)
}

// appendReadings appends what a run of numbers may mean: without units, if they are wanted, and measured.
func appendReadings(dst []string, start int, run []quantity, ofSize, plain bool) []string {
	for _, read := range [...]reading{decimal, thousands} {
		if plain {
			dst = appendKey(dst, start, spell(run, read))
		}
		if key, ok := measure(run, read, ofSize); ok {
			dst = appendKey(dst, start, key)
		}
	}
	return dst
}

func appendKey(dst []string, start int, key string) []string {
	if slices.Contains(dst[start:], key) {
		return dst
	}
	return append(dst, key)
}

// A reading is what a number is taken for.
type reading uint8

const (
	written   reading = iota
	decimal           // a point is that of a decimal, of which zeros at the end say nothing
	thousands         // but behind 1 to 3 digits and before 3, it parts the thousands
)

func (r reading) of(number string) string {
	whole, fraction, isDecimal := strings.Cut(number, ".")
	if r == written || !isDecimal {
		return number
	}
	if r == thousands && len(fraction) == 3 && len(whole) <= 3 && whole[0] != '0' {
		return whole + fraction
	}
	return whole + "." + fraction[:1] + strings.TrimRight(fraction[1:], "0")
}

func spell(run []quantity, read reading) string {
	if len(run) == 1 {
		return read.of(run[0].number)
	}
	numbers := make([]string, len(run))
	for i, q := range run {
		numbers[i] = read.of(q.number)
	}
	return strings.Join(numbers, by)
}

// measure returns numbers with what their unit means; ok is false when they have none in common. A number of
// a size without units is of mm.
func measure(run []quantity, read reading, ofSize bool) (key string, ok bool) {
	numbers := make([]string, len(run))
	means := "mm"
	for i, q := range run {
		shift := 0
		switch {
		case q.unit != nil && (i == 0 || q.unit.means == means):
			means, shift = q.unit.means, q.unit.shift
		case q.unit != nil || !ofSize:
			return "", false
		}
		numbers[i] = shifted(read.of(q.number), shift)
	}
	return strings.Join(numbers, by) + means, true
}

// shifted returns a number times a power of ten, without zeros that say nothing. It moves the point and knows
// no rounding.
func shifted(number string, power int) string {
	whole, fraction, _ := strings.Cut(number, ".")
	if power > 0 {
		fraction += strings.Repeat("0", max(power-len(fraction), 0))
		whole, fraction = whole+fraction[:power], fraction[power:]
	} else if power < 0 {
		whole = strings.Repeat("0", max(-power-len(whole), 0)) + whole
		at := len(whole) + power
		whole, fraction = whole[:at], whole[at:]+fraction
	}
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}
