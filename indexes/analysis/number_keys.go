package analysis

import (
	"cmp"
	"slices"
	"strings"
)

// sizeOf returns the numbers of a word, with their units, if it is a number or a size, otherwise nil. The
// result may use buf.
func sizeOf(buf *[maxSize]quantity, word string) []quantity {
	if word == "" || !isDigit(word[0]) {
		return nil
	}
	size, end, _ := scanSize(buf[:0], word)
	if end == 0 || end < len(word) || len(size) > maxSize {
		return nil
	}
	shareUnits(size)
	return size
}

// MeasureSign precedes each measure in a detail, which is a number with a unit or a size: 12,5 mm is =12.5mm.
// Words of queries never begin with this sign, so a number without a unit does not match a measure.
const MeasureSign = "="

// MarkMeasures returns a copy of key in which MeasureSign precedes each measure.
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

// IsMeasure reports whether a word is a number with a unit or a size.
func IsMeasure(word string) bool {
	var buf [maxSize]quantity
	size := sizeOf(&buf, word)
	return len(size) > 1 || len(size) == 1 && size[0].unit != nil
}

// NumberKeys appends the keys, in addition to the word, under which a build indexes a number or a size with
// the compounds. Other words have no keys. Each run of consecutive numbers is a key as written and in its
// base unit, which is mm for lengths and for sizes without a unit. 1.200 is also read with a thousands
// separator. The digits on both sides of the point in a decimal without a unit are keys, since article
// numbers look like decimals. Units and the sign x are keys. A measure in a detail has only the keys of
// measures:
//
//	40            no keys
//	12.5          12 5
//	5cm           5 50mm cm
//	0.60m         0.60 0.6 600mm m
//	1.200kg       1.200 1.2 1.2kg 1200 1200kg kg
//	60x120cm      60 600mm 60x120 600x1200mm 120 1200mm cm x
//	=60x120cm     =600mm =60x120 =600x1200mm =1200mm
func NumberKeys(dst []string, word string) []string {
	var buf [maxSize]quantity
	start := len(dst)
	if measure, ok := strings.CutPrefix(word, MeasureSign); ok {
		return appendMeasures(dst, sizeOf(&buf, measure))
	}
	size := sizeOf(&buf, word)
	dst = append(dst, word) // so that appendKey does not append it as a key; removed below
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
		dst = appendKey(dst, start, sizeSign)
	}
	return slices.Delete(dst, start, start+1)
}

// appendMeasures appends the keys of a measure in a detail: each run of its numbers in the base unit, and a run
// of several numbers also as written, without the unit.
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

// QueryNumberKeys appends the distinct keys for which a query word is searched: the word itself and its value
// in the base unit. It appends none unless the word is a number, size, unit or sign.
func QueryNumberKeys(dst []string, word string) []string {
	if word == sizeSign || isUnit(word) {
		return append(dst, word)
	}
	if word != "" && countDigits(word) == len(word) { // true for most numbers in queries
		return append(dst, word)
	}
	var buf [maxSize]quantity
	size := sizeOf(&buf, word)
	if size == nil {
		return dst
	}
	start := len(dst)
	return appendReadings(append(dst, word), start, size, len(size) > 1, size[0].unit == nil)
}

// AppendSplitSize appends the ways in which texts write a size in a query as separate words, as in 600/600 mm:
// each number with its unit, a shared unit only after the last number, and without units if all are in mm. A
// size without a unit is in mm. Other words have no keys. 60x120cm becomes "60cm 120cm" and "60 120cm".
func AppendSplitSize(dst []string, word string) []string {
	if !strings.Contains(word, sizeSign) { // every size contains the sign
		return dst
	}
	var buf [maxSize]quantity
	size := sizeOf(&buf, word)
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

// CountNumbers returns how many numbers a word in a catalogue contains, with or without units. It returns 0
// unless the word is a number or a size.
func CountNumbers(word string) int {
	var buf [maxSize]quantity
	return len(sizeOf(&buf, word))
}

// CutDecimal returns the digits before and after the point in a decimal without a unit.
func CutDecimal(word string) (whole, fraction string, ok bool) {
	whole, fraction, ok = strings.Cut(word, ".")
	return whole, fraction, ok && countDigits(whole) == len(whole) && countDigits(fraction) == len(fraction)
}

// appendReadings appends the readings of a run with units and, if plain is true, also without units. ofSize
// is true if the run is from a size of several numbers.
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

// appendKey appends a key unless dst[start:] contains it.
func appendKey(dst []string, start int, key string) []string {
	if slices.Contains(dst[start:], key) {
		return dst
	}
	return append(dst, key)
}

// A reading is a way to interpret the point in a number.
type reading uint8

const (
	written   reading = iota // the number does not change
	decimal                  // the point is a decimal point; zeros after the first decimal are removed
	thousands                // like decimal, but a point between 1 to 3 digits and 3 digits separates thousands
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

// spell returns the numbers of a run without their units.
func spell(run []quantity, read reading) string {
	if len(run) == 1 {
		return read.of(run[0].number)
	}
	numbers := make([]string, len(run))
	for i, q := range run {
		numbers[i] = read.of(q.number)
	}
	return strings.Join(numbers, sizeSign)
}

// measure returns numbers in their common base unit. ok is false if they have no common unit. A size without
// units is in mm.
func measure(run []quantity, read reading, ofSize bool) (key string, ok bool) {
	numbers := make([]string, len(run))
	base := "mm"
	for i, q := range run {
		shift := 0
		switch {
		case q.unit != nil && (i == 0 || q.unit.base == base):
			base, shift = q.unit.base, q.unit.shift
		case q.unit != nil || !ofSize:
			return "", false
		}
		numbers[i] = shifted(read.of(q.number), shift)
	}
	return strings.Join(numbers, sizeSign) + base, true
}

// shifted returns a number times a power of ten, without redundant zeros. It moves the decimal point, so the
// result is not rounded.
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
	whole, fraction = cmp.Or(strings.TrimLeft(whole, "0"), "0"), strings.TrimRight(fraction, "0")
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}
