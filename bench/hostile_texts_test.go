package bench

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sabine/bench/queries"
)

// maxText is the maximum number of letters that the API accepts.
const maxText = 200

// A hostile generates texts that a client could send to cause errors or slow searches, equally many of each
// kind. The same labels and descriptions generate the same texts in every run.
type hostile struct {
	r        *rand.Rand
	labels   []string // labels of the products
	prose    []string // words of each description
	words    []string // words in labels and descriptions, sorted, without duplicates
	frequent []string // most frequent words
	letters  []rune   // letters in labels, with duplicates
	made     int
}

// newHostile returns a source of texts made from product labels and descriptions, because texts that resemble
// the catalogue take longer. labels must not be empty, and some descriptions must have several words.
func newHostile(labels, descriptions []string) *hostile {
	h := &hostile{r: rand.New(rand.NewPCG(queries.Seed, 200)), labels: labels}
	counts := map[string]int{}
	for i, text := range slices.Concat(labels, descriptions) {
		words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
			return r != '/' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})
		for _, word := range words {
			counts[word]++
		}
		if i >= len(labels) && len(words) > 1 {
			h.prose = append(h.prose, strings.Join(words, " "))
		}
	}
	for _, label := range labels {
		h.letters = append(h.letters, []rune(strings.ToLower(label))...)
	}
	h.words = slices.Sorted(maps.Keys(counts))
	h.frequent = slices.Clone(h.words)
	slices.SortStableFunc(h.frequent, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	h.frequent = h.frequent[:min(60, len(h.frequent))]
	return h
}

// next returns the next text, with at most 200 letters, and the name of its kind.
func (h *hostile) next() (kind, text string) {
	k := &hostileKinds[h.made%len(hostileKinds)]
	h.made++
	return k.name, cut(k.text(h))
}

// hostileKinds lists the kinds of texts. Most have 200 letters, because slow steps depend on the length.
var hostileKinds = []struct {
	name string
	text func(h *hostile) string
}{
	{"one letter", func(h *hostile) string { return strings.Repeat(string(h.letter()), maxText) }},
	{"words of one letter", func(h *hostile) string { return h.fill(" ", func() string { return string(h.letter()) }) }},
	{"one word again and again", func(h *hostile) string { return strings.Repeat(one(h, h.words)+" ", maxText) }},
	{"two letters in turn", func(h *hostile) string {
		return strings.Repeat(string(h.letter())+string(h.letter()), maxText/2)
	}},
	{"a label with errors", func(h *hostile) string { return h.wrong(one(h, h.labels), 1+h.r.IntN(5)) }},
	{"a garbled name", func(h *hostile) string { return h.garbled(one(h, h.labels)) }},
	{"labels of errors", func(h *hostile) string {
		return h.fill(" ", func() string { return h.garbled(one(h, h.labels)) })
	}},
	{"a long label but for one letter", func(h *hostile) string {
		return h.wrong(cut(h.fill(" ", func() string { return one(h, h.labels) })), 1)
	}},
	{"words with an error", func(h *hostile) string {
		return h.fill(" ", func() string {
			return h.wrong(one(h, h.words), 1)
		})
	}},
	{"long words with errors", func(h *hostile) string {
		return h.fill(" ", func() string { return h.wrong(h.long(8), 1+h.r.IntN(2)) })
	}},
	{"words of eight letters with errors", func(h *hostile) string {
		return h.fill(" ", func() string { return h.wrong(string([]rune(h.long(8))[:8]), 1+h.r.IntN(2)) })
	}},
	{"words of four random letters", func(h *hostile) string { return h.fill(" ", func() string { return h.soup(4) }) }},
	{"letter soup", func(h *hostile) string { return h.fill(" ", func() string { return h.soup(1 + h.r.IntN(12)) }) }},
	{"one word of letter soup", func(h *hostile) string { return h.soup(maxText) }},
	{"a short word of letter soup", func(h *hostile) string { return h.soup(3 + h.r.IntN(6)) }},
	{"the inside of a word", func(h *hostile) string {
		word := []rune(h.long(5))
		from := 1 + h.r.IntN(len(word)-4)
		return string(word[from : from+3])
	}},
	{"words", func(h *hostile) string { return h.fill(" ", func() string { return one(h, h.words) }) }},
	{"frequent words", func(h *hostile) string { return h.fill(" ", func() string { return one(h, h.frequent) }) }},
	{"a few frequent words", func(h *hostile) string {
		return h.some(2+h.r.IntN(6), func() string { return one(h, h.frequent) })
	}},
	{"a piece of a description", func(h *hostile) string { return h.piece(2 + h.r.IntN(30)) }},
	{"a piece of a description, shuffled", func(h *hostile) string {
		words := strings.Fields(h.piece(2 + h.r.IntN(30)))
		h.r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		return strings.Join(words, " ")
	}},
	{"a piece of a description, cut short", func(h *hostile) string {
		piece := []rune(h.piece(2 + h.r.IntN(20)))
		return string(piece[:max(1, len(piece)-1-h.r.IntN(6))])
	}},
	{"pieces of two descriptions", func(h *hostile) string {
		return h.piece(2+h.r.IntN(12)) + " " + h.piece(2+h.r.IntN(12))
	}},
	{"a few words", func(h *hostile) string { return h.some(2+h.r.IntN(6), func() string { return one(h, h.words) }) }},
	{"frequent words, one with an error", func(h *hostile) string {
		return h.some(3+h.r.IntN(8), func() string { return one(h, h.frequent) }) + " " + h.wrong(h.long(8), 2)
	}},
	{"a sentence", func(h *hostile) string {
		return h.some(4+h.r.IntN(8), func() string {
			if h.r.IntN(3) == 0 {
				return one(h, filling)
			}
			return one(h, h.frequent)
		})
	}},
	{"beginnings of one or two letters", func(h *hostile) string {
		return h.fill(" ", func() string {
			return h.beginning(2)
		})
	}},
	{"beginnings of words", func(h *hostile) string { return h.fill(" ", func() string { return h.beginning(6) }) }},
	{"frequent words and a beginning", func(h *hostile) string {
		return h.some(1+h.r.IntN(5), func() string { return one(h, h.frequent) }) + " " + h.beginning(4)
	}},
	{"one long compound", func(h *hostile) string { return h.fill("", func() string { return one(h, h.words) }) }},
	{"compounds of two words", func(h *hostile) string {
		return h.fill(" ", func() string { return one(h, h.words) + one(h, h.words) })
	}},
	{"words torn apart", func(h *hostile) string {
		return h.fill(" ", func() string {
			word := []rune(h.long(2))
			at := 1 + h.r.IntN(len(word)-1)
			return string(word[:at]) + " " + string(word[at:])
		})
	}},
	{"digits", func(h *hostile) string { return h.fill(one(h, separators), func() string { return h.digits() }) }},
	{"words with digits", func(h *hostile) string {
		return h.fill(" ", func() string {
			return one(h, h.words) + h.digits()
		})
	}},
	{"punctuation", func(h *hostile) string { return h.of("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~§…–„“", maxText) }},
	{"words in punctuation", func(h *hostile) string {
		return h.fill(h.of("-/.,%*'\"(){}", 1), func() string { return one(h, h.words) })
	}},
	{"no UTF-8", func(h *hostile) string {
		return h.fill(one(h, []string{"\xff", "\xed\xa0\x80", "\xc3", "\xf4\x90\x80\x80", "\x80"}), func() string {
			return h.beginning(8)
		})
	}},
	{"control characters", func(h *hostile) string {
		return h.fill(one(h, []string{"\x00", "\x1b[2J", "\r\n", "\x7f", "\u0085"}), func() string { return one(h, h.words) })
	}},
	{"emoji", func(h *hostile) string {
		return h.of("👍🏽👨‍👩‍👧🤫🏳️‍🌈1️⃣🇩🇪", maxText)
	}},
	{"right to left", func(h *hostile) string {
		return h.fill(" ", func() string {
			return "\u202e" + one(h, h.words) + h.of("שלוםעולםمرحباًبالعالم", 10)
		})
	}},
	{"combining marks", func(h *hostile) string {
		return h.fill(" ", func() string { return strings.Join(strings.Split(one(h, h.words), ""), "\u0301\u0308\u0327") })
	}},
	{"marks alone", func(h *hostile) string {
		return string(h.letter()) + h.of("\u0300\u0301\u0308\u0327\u0489\u20dd", maxText)
	}},
	{"scripts mixed", func(h *hostile) string {
		return h.fill(" ", func() string {
			return h.of("аеорсαβγδ吸音板방음ไม้abceimnopst", 8) + h.beginning(4)
		})
	}},
	{"letters that stand for many", func(h *hostile) string { return h.of("ﷺ㍿㎯㏂㏙⑳⒇ⅷﬃ㋏㎉½ß", maxText) }},
	{"umlauts spelled out", func(h *hostile) string {
		return h.fill(" ", func() string {
			return strings.NewReplacer("a", "ae", "o", "oe", "u", "ue").Replace(one(h, h.words))
		})
	}},
}

// filling lists words that no product contains.
var filling = []string{"which", "I", "need", "something", "please", "wie", "viel", "kostet", "empfehlen", "Sie", "the",
	"best", "?", "gym", "cheapest", "2024"}

var separators = []string{" ", "/", "-", ".", ","}

func one[T any](h *hostile, from []T) T { return from[h.r.IntN(len(from))] }

// cut returns the first 200 letters of a text. It does not replace invalid UTF-8.
func cut(text string) string {
	n := 0
	for at := range text {
		if n++; n > maxText {
			return text[:at]
		}
	}
	return text
}

// some joins n pieces with blanks.
func (h *hostile) some(n int, piece func() string) string {
	pieces := make([]string, n)
	for i := range pieces {
		pieces[i] = piece()
	}
	return strings.Join(pieces, " ")
}

// fill joins pieces until the text has at least 200 letters.
func (h *hostile) fill(separator string, piece func() string) string {
	var b strings.Builder
	for n := 0; n < maxText; {
		p := piece() + separator
		b.WriteString(p)
		n += max(1, utf8.RuneCountInString(p))
	}
	return b.String()
}

// of returns n random letters from an alphabet.
func (h *hostile) of(alphabet string, n int) string {
	letters := []rune(alphabet)
	text := make([]rune, n)
	for i := range text {
		text[i] = one(h, letters)
	}
	return string(text)
}

// letter returns a random letter or digit from the labels.
func (h *hostile) letter() rune {
	for {
		if l := one(h, h.letters); l != ' ' {
			return l
		}
	}
}

// soup returns n random letters with the frequencies of letters in the labels.
func (h *hostile) soup(n int) string {
	word := make([]rune, n)
	for i := range word {
		word[i] = h.letter()
	}
	return string(word)
}

func (h *hostile) digits() string {
	digits := make([]byte, 1+h.r.IntN(5))
	for i := range digits {
		digits[i] = byte('0' + h.r.IntN(10))
	}
	return string(digits)
}

// long returns a word with at least n letters, or a random word if the catalogue has no such word.
func (h *hostile) long(n int) string {
	for range 100 {
		if word := one(h, h.words); utf8.RuneCountInString(word) >= n {
			return word
		}
	}
	return h.soup(n)
}

// beginning returns at most the given number of first letters of a word.
func (h *hostile) beginning(most int) string {
	word := []rune(one(h, h.words))
	return string(word[:min(len(word), 1+h.r.IntN(most))])
}

// piece returns n consecutive words from a description, or fewer at the end of the description.
func (h *hostile) piece(n int) string {
	words := strings.Fields(one(h, h.prose))
	from := h.r.IntN(len(words))
	return strings.Join(words[from:min(from+n, len(words))], " ")
}

// garbled returns the text with an error in every word.
func (h *hostile) garbled(text string) string {
	words := strings.Fields(text)
	for i := range words {
		words[i] = h.wrong(words[i], 1)
	}
	return strings.Join(words, " ")
}

// wrong returns the text with n errors: a letter deleted, inserted, replaced or swapped with the next letter.
func (h *hostile) wrong(text string, n int) string {
	letters := []rune(text)
	for ; n > 0 && len(letters) > 1; n-- {
		switch at := h.r.IntN(len(letters) - 1); h.r.IntN(4) {
		case 0:
			letters = slices.Delete(letters, at, at+1)
		case 1:
			letters = slices.Insert(letters, at, h.letter())
		case 2:
			letters[at] = h.letter()
		default:
			letters[at], letters[at+1] = letters[at+1], letters[at]
		}
	}
	return string(letters)
}
