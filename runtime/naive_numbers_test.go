package runtime_test

import (
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"sabine/indexes/analysis"
)

// Numbers by the words of the contract, in regular expressions. Before those read a text, each separator between digits is
// made what it is: the point of a decimal, one between thousands, or none of a number.
const (
	pointOfDecimal  = "\ue000"
	pointOfThousand = "\ue001"
	noPoint         = "\ue002"
)

const (
	ofWord      = `[\p{L}\p{N}\p{M}\x{e000}-\x{e002}]`
	naiveBlank  = `[\t\n\v\f\r \x{85}\x{1680}\x{2028}\x{2029}]`
	naiveGap    = `(?:` + naiveBlank + `|[-‐])*`
	naiveNumber = `[0-9]+(?:[\x{e000}\x{e001}][0-9]+)*`
	naiveUnit   = `(?i:mm|cm|dm|m|km|um|μm|m2|cm2|mm2|m3|qm|kg|g|t|l|ml|hz|khz|mhz|db|pa|kpa|mpa|n|kn|w|kw|v|lx|lm|k|zoll|inch)`
	naiveSign   = naiveGap + `[xX×*]` + naiveGap
	naiveAnd    = `(?i:und|and|oder|or|bis|to|&)`
	naiveOne    = naiveNumber + `(?:(?:` + naiveBlank + `*|[-‐])` + naiveUnit + `)?`
)

var (
	separated  = regexp.MustCompile(`[0-9]+(?:[.,][0-9]+)+`)
	aDecimal   = regexp.MustCompile(`^[0-9]+[.,][0-9]+$`)
	aThousand  = regexp.MustCompile(`^[1-9][0-9]{0,2}(?:(?:\.[0-9]{3}){2,}|(?:,[0-9]{3}){2,})$`)
	aBoth      = regexp.MustCompile(`^[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+,|(?:,[0-9]{3})+\.)[0-9]+$`)
	separators = regexp.MustCompile(`[.,]`)
	lastOne    = regexp.MustCompile(`[.,]([0-9]+)$`)

	wordBefore   = regexp.MustCompile(ofWord + `$`)
	digitsBefore = regexp.MustCompile(`[0-9][.,]$`)
	aSize        = regexp.MustCompile(`^(` + naiveOne + `(?:` + naiveSign + naiveOne + `)*)(?:\z|[^\p{L}\p{N}\p{M}\x{e000}-\x{e002}])`)
	aSign        = regexp.MustCompile(naiveSign + `([0-9])`) // and not the x of lx
	aNumber      = regexp.MustCompile(`^` + naiveNumber)
	aConnector   = regexp.MustCompile(`^(?:` + naiveBlank + `*(?:/|–|—|\.\.\.)` + naiveBlank + `*` +
		`|` + naiveBlank + `*[,;]` + naiveBlank + `+(?:` + naiveAnd + naiveBlank + `+)?` +
		`|` + naiveBlank + `+[-‐]` + naiveBlank + `*|[-‐]` + naiveBlank + `+` +
		`|` + naiveBlank + `+` + naiveAnd + naiveBlank + `+)$`)
	aHyphen     = regexp.MustCompile(`^[-‐]$`)
	ofCode      = regexp.MustCompile(`^[-‐]|[-‐]$`)
	aDiameter   = regexp.MustCompile(`(^|[^\p{L}\p{N}\p{M}])[øØ](` + naiveBlank + `*[0-9])`)
	aUnit       = regexp.MustCompile(naiveUnit + `$`)
	isNaiveUnit = regexp.MustCompile(`^` + naiveUnit + `$`)
)

// A naiveSize is the numbers of a size, or one number, each with its unit or "".
type naiveSize struct{ numbers, units []string }

// eachNaiveSize calls found with every number of a text that is more than its digits, and plain with the texts between, in
// order.
func eachNaiveSize(text string, found func(naiveSize), plain func(string)) {
	var seen strings.Builder
	for _, r := range text { // bytes that are no UTF-8 are U+FFFD, a symbol
		switch {
		case strings.ContainsRune("™℠®©", r):
			seen.WriteByte(' ')
		case '\ue000' <= r && r <= '\ue002':
			seen.WriteByte(';')
		case !unicode.Is(unicode.Cf, r):
			seen.WriteRune(r)
		}
	}
	text = withPoints(aDiameter.ReplaceAllString(norm.NFKC.String(seen.String()), "$1 $2"))
	var places [][2]int
	var sizes []naiveSize
	for at := 0; at < len(text); at++ {
		if text[at] < '0' || text[at] > '9' || wordBefore.MatchString(lastRune(text[:at])) || digitsBefore.MatchString(text[max(at-2, 0):at]) {
			continue
		}
		if match := aSize.FindStringSubmatch(text[at:]); match != nil {
			end := at + len(match[1])
			places, sizes = append(places, [2]int{at, end}), append(sizes, naiveSizeOf(match[1]))
			at = end - 1
		}
	}
	for i := len(sizes) - 2; i >= 0; i-- {
		before, end, next := text[:places[i][0]], places[i][1], places[i+1]
		between := text[end:next[0]]
		if aConnector.MatchString(between) ||
			aHyphen.MatchString(between) && !ofCode.MatchString(lastRune(before)) && !ofCode.MatchString(firstRune(text[next[1]:])) {
			sizes[i] = sizes[i].listed(sizes[i+1])
		}
	}
	done := 0
	for i, size := range sizes {
		from, end := places[i][0], places[i][1]
		if len(size.numbers) > 1 || size.units[0] != "" || size.numbers[0] != text[from:end] {
			plain(text[done:from])
			found(size)
			done = end
		}
	}
	plain(text[done:])
}

// listed gives a size without units the first unit of the next one in a list.
func (s naiveSize) listed(next naiveSize) naiveSize {
	units := strings.Fields(strings.Join(next.units, " "))
	if strings.Join(s.units, "") != "" || len(units) == 0 {
		return s
	}
	return naiveSize{s.numbers, slices.Repeat(units[:1], len(s.numbers))}
}

// withPoints makes the separators in a text what they are. Behind a letter there is no number, unless the letter is a sign.
func withPoints(text string) string {
	var b strings.Builder
	done := 0
	for _, at := range separated.FindAllStringIndex(text, -1) {
		before, digits := lastRune(text[:at[0]]), text[at[0]:at[1]]
		b.WriteString(text[done:at[0]])
		done = at[1]
		switch {
		case before != "x" && before != "X" && wordBefore.MatchString(before):
			b.WriteString(digits)
		case aDecimal.MatchString(digits):
			b.WriteString(separators.ReplaceAllString(digits, pointOfDecimal))
		case aThousand.MatchString(digits):
			b.WriteString(separators.ReplaceAllString(digits, pointOfThousand))
		case aBoth.MatchString(digits):
			digits = lastOne.ReplaceAllString(digits, pointOfDecimal+"$1")
			b.WriteString(separators.ReplaceAllString(digits, pointOfThousand))
		default:
			b.WriteString(separators.ReplaceAllString(digits, noPoint))
		}
	}
	return b.String() + text[done:]
}

// lastRune returns the last character of a text, where the expressions would look at all of it.
func lastRune(text string) string {
	_, size := utf8.DecodeLastRuneInString(text)
	return text[len(text)-size:]
}

// firstRune returns the first one.
func firstRune(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	return text[:size]
}

func naiveSizeOf(text string) naiveSize {
	var s naiveSize
	for _, one := range strings.Split(aSign.ReplaceAllString(text, "\x00$1"), "\x00") {
		number := strings.ReplaceAll(strings.ReplaceAll(aNumber.FindString(one), pointOfThousand, ""), pointOfDecimal, ".")
		unit := strings.ToLower(aUnit.FindString(one))
		if unit == "μm" {
			unit = "um"
		}
		s.numbers, s.units = append(s.numbers, number), append(s.units, unit)
	}
	return s
}

// words returns the word of a size, and of one that is too long the words of its numbers.
func (s naiveSize) words() []string {
	var words []string
	if len(s.numbers) > 4 {
		for i, number := range s.numbers {
			words = append(words, number+s.units[i])
		}
		return words
	}
	s = s.shared()
	for i, number := range s.numbers {
		if i+1 == len(s.numbers) || s.units[i] != s.units[i+1] {
			number += s.units[i]
		}
		words = append(words, number)
	}
	return []string{strings.Join(words, "x")}
}

// shared gives each number without a unit the first one behind it, or else the last one before it.
func (s naiveSize) shared() naiveSize {
	units := slices.Clone(s.units)
	for i, unit := range s.units {
		before, behind := strings.Fields(strings.Join(s.units[:i], " ")), strings.Fields(strings.Join(s.units[i:], " "))
		switch {
		case unit != "":
		case len(behind) > 0:
			units[i] = behind[0]
		case len(before) > 0:
			units[i] = before[len(before)-1]
		}
	}
	return naiveSize{s.numbers, units}
}

// naiveWord returns the numbers of a word of a key, none if it is no number.
func naiveWord(word string) (size naiveSize) {
	if firstDigit.MatchString(word) {
		text := separators.ReplaceAllString(word, pointOfDecimal)
		if match := aSize.FindStringSubmatch(text); match != nil && match[1] == text {
			size = naiveSizeOf(text).shared()
		}
	}
	return size
}

// naivelyApart returns the rows of numbers that are a size, none for other words: with the unit behind each number or behind the
// last that has it, without one if it is mm, which it is when the size has none.
func naivelyApart(word string) (rows [][]string) {
	size := naiveWord(word)
	n := len(size.numbers)
	if n < 2 {
		return nil
	}
	if strings.Join(size.units, "") == "" {
		size.units = slices.Repeat([]string{"mm"}, n)
	}
	var each, last []string
	for i, number := range size.numbers {
		each, last = append(each, number+size.units[i]), append(last, number)
		if i+1 == n || size.units[i] != size.units[i+1] {
			last[i] += size.units[i]
		}
	}
	rows = [][]string{each, last}
	if strings.Join(size.units, "") == strings.Repeat("mm", n) {
		rows = append(rows, size.numbers)
	}
	return rows
}

var (
	zerosBehind   = regexp.MustCompile(`(\.[0-9]+?)0+$`)
	maybeThousand = regexp.MustCompile(`^([1-9][0-9]{0,2})\.([0-9]{3})$`)
	firstDigit    = regexp.MustCompile(`^[0-9]`)
	bareDecimal   = regexp.MustCompile(`^([0-9]+)\.([0-9]+)$`)
	millimetres   = map[string]*big.Rat{
		"": big.NewRat(1, 1), "um": big.NewRat(1, 1000), "mm": big.NewRat(1, 1), "cm": big.NewRat(10, 1), "dm": big.NewRat(100, 1),
		"m": big.NewRat(1000, 1), "km": big.NewRat(1000_000, 1),
	}
	sameUnit = map[string]string{"qm": "m2", "zoll": "inch"}
)

// readings returns the numbers as decimals and, if they may be, as thousands.
func (s naiveSize) readings() [][]string {
	var decimals, thousands []string
	for _, number := range s.numbers {
		decimals = append(decimals, zerosBehind.ReplaceAllString(number, "$1"))
		thousands = append(thousands, zerosBehind.ReplaceAllString(maybeThousand.ReplaceAllString(number, "$1$2"), "$1"))
	}
	return [][]string{decimals, thousands}
}

// measures returns the values of numbers with a common unit, by each reading.
func (s naiveSize) measures(ofSize bool) []string {
	unit := func(i int) string {
		if same, ok := sameUnit[s.units[i]]; ok {
			return same
		}
		if millimetres[s.units[i]] != nil {
			return "mm"
		}
		return s.units[i]
	}
	if s.units[0] == "" && !ofSize {
		return nil
	}
	var measures []string
	for _, numbers := range s.readings() {
		measure := ""
		for i, number := range numbers {
			if unit(i) != unit(0) {
				return nil
			}
			value, _ := new(big.Rat).SetString(number)
			if factor := millimetres[s.units[i]]; factor != nil {
				value.Mul(value, factor)
			}
			measure += value.RatString() + " " + unit(i) + " "
		}
		measures = append(measures, measure)
	}
	return measures
}

// plainly returns the numbers without their units, as they are written and by each reading.
func (s naiveSize) plainly() []string {
	all := []string{strings.Join(s.numbers, "x")}
	for _, numbers := range s.readings() {
		all = append(all, strings.Join(numbers, "x"))
	}
	return all
}

// naivelyHeld returns what numbers a word holds: every run of them.
func naivelyHeld(word string) (held []string) {
	size := naiveWord(word)
	for from := range size.numbers {
		for to := from + 1; to <= len(size.numbers); to++ {
			run := naiveSize{size.numbers[from:to], size.units[from:to]}
			held = append(held, slices.Concat(run.plainly(), run.measures(len(size.numbers) > 1))...)
		}
	}
	if len(size.numbers) > 1 {
		held = append(held, "x")
	}
	held = append(held, size.units...)
	if digits := bareDecimal.FindStringSubmatch(word); digits != nil {
		held = append(held, digits[1:]...)
	}
	return held
}

// naivelyAsked returns what of that a word of a query finds.
func naivelyAsked(word string) []string {
	if word == "x" || isNaiveUnit.MatchString(word) {
		return []string{word}
	}
	size := naiveWord(word)
	if len(size.numbers) == 0 {
		return nil
	}
	asked := size.measures(len(size.numbers) > 1)
	if size.units[0] == "" {
		asked = append(asked, size.plainly()...)
	}
	return asked
}

// TestNumbersMeetAsTheNaiveOnes: a word of a query is looked up under a key of the word that has the same numbers.
func TestNumbersMeetAsTheNaiveOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 18))
	var words []string
	for len(words) < 600 {
		for _, word := range analysis.Words(analysis.Key(strangeNumbers(r))) {
			if !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	meet := func(a, b []string) bool {
		return slices.ContainsFunc(a, func(key string) bool { return slices.Contains(b, key) })
	}
	held, naivelyHas, met := map[string][]string{}, map[string][]string{}, 0
	for _, word := range words {
		held[word], naivelyHas[word] = analysis.NumberKeys([]string{word}, word), naivelyHeld(word)
	}
	for _, asked := range words {
		keys, naive := analysis.AskedNumberKeys(nil, asked), naivelyAsked(asked)
		for _, word := range words {
			got := asked != word && meet(keys, held[word])
			if want := asked != word && meet(naive, naivelyHas[word]); got != want {
				t.Errorf("%q finds %q: %v, want %v", asked, word, got, want)
			} else if got {
				met++
			}
		}
	}
	if met < 100 {
		t.Errorf("%d pairs of words meet, want more", met)
	}
}

var numberTexts = []string{
	"12,5 0.85 1.200 mm", "1.200.000 1,200,000.50 1.200,5 mm", "12.05.2024 1,2,3 mm", "600 x 600 mm 600×600mm 60 * 60 cm", "50-mm 25 mm 19 Zoll",
	"B-s1,d0 AB12,5 v1.2.3", "1x2x3x4x5 mm", "60 cm x 1,2 m x 3", "m² 5 m² 5 ㎜ ５０ ｍｍ ½ x 3", "600\u00a0x\u2011600mmx50 5 mx3b", "600\u00ad0 x\u200b3", "0123-05db-5-d", "0\xdcm", "0\n\nV",
	"20 / 30/50 mm 20-50 mm, 20 – 50 mm", "20, 30 und 50 mm; 20 oder\u00a040 Hz", "600x600, 600x1200 mm - 20…50 kg", "1-2-3 mm 1-2mm-3", "Ø50 mm ø 5 Malmø 5",
}

// strangeNumbers returns a text of up to ten pieces that the rules about numbers speak of.
func strangeNumbers(r *rand.Rand) string {
	pieces := strings.Split("1|2|3|12|600|000|050|1.200|12,50|0,6|1,2,3|1.200.000|1.200,50|12.05.2024|.|,|,|;| | | | |-|‐|\u00a0|\u00ad|\u0308|x|X|×|*|x| x | × |"+
		"mm|cm|m|km|µm|um|m²|m3|qm|㎜|kg|dB|Hz|Zoll|inch|K|a|ä|AB12|½|²|１|™|®|٣|mm| mm|cm| m|/| / | – |—|…| - |, |; | und | bis|to | & |ø|Ø | Ø", "|")
	var b strings.Builder
	for range r.IntN(11) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}
