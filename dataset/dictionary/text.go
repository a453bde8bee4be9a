package dictionary

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A language lists words to ignore: first only at the beginning, such as articles; anywhere at any position.
type language struct{ first, anywhere []string }

var (
	german = language{
		first: strings.Fields("der die das dem den des ein eine einen einem einer eines"),
		anywhere: strings.Fields(`etw. etw jd. jd jdm. jdm jdn. jdn jds. jds jdm./etw. jdn./etw. jds./etw. etw./jdm. etw./jdn.
			jd./etw. sich`),
	}
	english = language{
		first: strings.Fields("to the a an"),
		anywhere: strings.Fields(`sth. sth sb. sb so. sb./sth. sth./sb. sb.'s sb.’s sth.'s sth.’s one's one’s oneself
			oneself/sth. sb.'s/sth.'s`),
	}
)

// texts returns the distinct expressions of a part that consist of words.
func (l *language) texts(part string, maxWords int) []string {
	var texts []string
	for _, text := range splitTexts(part) {
		if text, ok := l.words(text, maxWords); ok && len(texts) < maxTexts && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// words returns the words of an expression, separated by spaces. ok is false if there are no words, too many
// words, or something that is not a word.
func (l *language) words(text string, maxWords int) (words string, ok bool) {
	fields := slices.DeleteFunc(strings.Fields(text), func(word string) bool {
		return slices.Contains(l.anywhere, word) || len(word) > 1 && word[0] == '/' && word[len(word)-1] == '/'
	})
	if len(fields) > 1 && slices.Contains(l.first, fields[0]) {
		fields = fields[1:]
	}
	isNoWord := func(text string) bool { return !isWord(text) }
	if len(fields) == 0 || len(fields) > maxWords || slices.ContainsFunc(fields, isNoWord) {
		return "", false
	}
	return strings.Join(fields, " "), true
}

// isWord reports whether a string without spaces consists of letters, diacritics, hyphens and apostrophes.
func isWord(word string) bool {
	return strings.ContainsFunc(word, unicode.IsLetter) && !strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M) && !strings.ContainsRune("-‐‑'’", r)
	})
}

// splitTexts returns the expressions of a part and replaces bracketed text with a space. It does not remove
// an unclosed bracket or a bracket inside a word, as in behavio(u)r, so that words rejects the expression.
func splitTexts(part string) []string {
	var texts []string
	var text strings.Builder
	ends := closings(part)
	before := ' '
	for at := 0; at < len(part); {
		r, size := utf8.DecodeRuneInString(part[at:])
		end := ends[at]
		switch {
		case r == ';':
			texts = append(texts, text.String())
			text.Reset()
		case end == 0:
			text.WriteRune(r)
		default:
			after, _ := utf8.DecodeRuneInString(part[end:])
			if unicode.IsLetter(before) || unicode.IsLetter(after) {
				text.WriteRune(r)
			}
			text.WriteByte(' ')
			r, size = ' ', end-at
		}
		before = r
		at += size
	}
	return append(texts, text.String())
}

// closings returns, for the offset of each opening bracket, the offset after its closing bracket. It returns
// 0 for unclosed brackets and for all other offsets. Brackets of the same kind nest, independent of other
// kinds.
func closings(text string) []int {
	ends := make([]int, len(text))
	var open [len(opening)][]int // offsets of the unclosed brackets, by kind
	for i := range len(text) {
		if kind := strings.IndexByte(opening, text[i]); kind >= 0 {
			open[kind] = append(open[kind], i)
		} else if kind := strings.IndexByte(closing, text[i]); kind >= 0 && len(open[kind]) > 0 {
			last := len(open[kind]) - 1
			ends[open[kind][last]] = i + 1
			open[kind] = open[kind][:last]
		}
	}
	return ends
}

// The brackets. Both constants have the same order of kinds.
const (
	opening = "({[<"
	closing = ")}]>"
)
