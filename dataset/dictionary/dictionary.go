package dictionary

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"sabine/dataset"
)

// A line of the Ding format is an entry, German on the left and English on the right:
//
//	Lochplatte {f} [techn.] | Lochplatten {pl} :: perforated panel; pegboard | perforated panels
//	etw. dämpfen {vt} (Schall)                 :: to attenuate sth. (sound)
//
// Bars separate parts. Both sides have the same number of parts, and the n-th part on the left is the
// translation of the n-th part on the right. Semicolons separate synonyms. Bracketed parts are ignored:
// {grammar}, (remarks), [fields], <other spellings>. Words between /slashes/ are also ignored, and so are
// blank lines and comments, which begin with #. The encoding is UTF-8, or Latin-1 if a comment before the
// first entry states it. The file can be compressed.
//
// If the English side is a verb with "to", only participles in -ed are used, such as perforated. Names of
// products are nouns and adjectives, but most English nouns are verbs too, often with an unrelated meaning.
// An example is "to carpet", which can mean to reprimand.

// A Pair is a German and an English translation of each other, without articles or placeholders such as sth.
type Pair struct{ German, English string }

const (
	maxLineBytes = 1 << 20
	maxTexts     = 40     // synonyms in a part; further synonyms are ignored
	maxPairs     = 10_000 // pairs of an entry; more pairs are a fault, because a line can have millions

	// These limits bound the memory of a build: a file of 3 MB can have millions of pairs, and a compressed
	// file of 6 MB can have gigabytes of text. Debian's trans-de-en has 673,000 pairs in 25 MB.
	maxAllPairs  = 1_000_000
	maxTextBytes = 64 << 20 // maximum size after decompression
)

// latin1 matches a comment that states the encoding Latin-1.
var latin1 = regexp.MustCompile(`(?i)\b(iso[-_ ]?8859-?1|latin-?1)\b`)

// Pairs yields the pairs of a dictionary in order. It skips expressions of more than maxWords words, which
// are sentences or explanations. It yields a *dataset.Fault for an invalid line and continues. Any other
// error ends the sequence.
func Pairs(ctx context.Context, in dataset.Input, maxWords int) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		text, err := dataset.OpenText(ctx, in)
		if err != nil {
			yield(Pair{}, err)
			return
		}
		defer text.Close()
		r := reading{name: in.Name, maxWords: maxWords, lines: bufio.NewScanner(text), yield: yield}
		r.lines.Buffer(nil, maxLineBytes)
		r.read()
	}
}

// A reading is the state of reading a dictionary.
type reading struct {
	name     string
	maxWords int // maximum number of words in an expression
	lines    *bufio.Scanner
	line     int
	isLatin1 bool
	entries  int // number of lines that are not comments or blank
	bytes    int // length of the lines so far
	pairs    int // number of pairs in the current entry
	allPairs int // number of pairs in earlier entries
	yield    func(Pair, error) bool
}

func (r *reading) read() {
	for r.lines.Scan() {
		r.line++
		if r.bytes += len(r.lines.Bytes()) + 1; r.bytes > maxTextBytes {
			r.fault("expected a dictionary of at most " + strconv.Itoa(maxTextBytes>>20) + " MiB")
			return
		}
		if !r.readLine(r.lines.Bytes()) {
			return
		}
		if r.allPairs += r.pairs; r.allPairs > maxAllPairs {
			r.fault("expected a dictionary of at most " + strconv.Itoa(maxAllPairs) + " pairs")
			return
		}
		r.pairs = 0
	}
	switch err := r.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		r.line++
		r.fault("expected a line of at most " + strconv.Itoa(maxLineBytes) + " bytes")
	case err != nil:
		r.yield(Pair{}, err)
	case r.entries == 0:
		r.line = 0
		r.fault("no entries: expected lines of the form German :: English")
	}
}

// fault yields a fault in the current line. It returns false if the consumer has stopped.
func (r *reading) fault(problem string) bool {
	place := dataset.Place{Input: r.name, Line: r.line, Index: -1, Offset: -1}
	return r.yield(Pair{}, &dataset.Fault{Place: place, Problem: problem, Whole: true})
}

// readLine yields the pairs of a line or its fault. It returns false if the consumer has stopped.
func (r *reading) readLine(line []byte) bool {
	if r.line == 1 {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	text := strings.TrimSpace(string(line))
	if text == "" {
		return true
	}
	if text[0] == '#' {
		r.isLatin1 = r.isLatin1 || r.entries == 0 && latin1.MatchString(text)
		return true
	}
	r.entries++
	if r.isLatin1 {
		text, _ = charmap.ISO8859_1.NewDecoder().String(text) // all bytes are valid
	} else if !utf8.ValidString(text) {
		return r.fault(`expected UTF-8; for Latin-1, add the comment "# ISO-8859-1" at the beginning of the file`)
	}
	left, right, ok := strings.Cut(text, "::")
	if !ok || strings.Contains(right, "::") {
		return r.fault(`expected two sides separated by one "::"`)
	}
	isVerb := strings.HasPrefix(strings.TrimSpace(right), "to ")
	de, en := strings.Split(left, "|"), strings.Split(right, "|")
	if len(de) != len(en) {
		return r.fault(fmt.Sprintf("expected the same number of parts (separated by |) on both sides, got %d and %d", len(de), len(en)))
	}
	for i := range de {
		if !r.readPart(de[i], en[i], isVerb) {
			return false
		}
		if r.pairs > maxPairs {
			return r.fault("expected an entry of at most " + strconv.Itoa(maxPairs) + " pairs")
		}
	}
	return true
}

// readPart yields the pairs of two parts that are translations of each other. It stops after maxPairs of the
// entry, which readLine then reports. It returns false if the consumer has stopped.
func (r *reading) readPart(left, right string, isVerb bool) bool {
	translations := english.texts(right, r.maxWords)
	if isVerb {
		translations = slices.DeleteFunc(translations, func(text string) bool { return !strings.HasSuffix(text, "ed") })
	}
	for _, de := range german.texts(left, r.maxWords) {
		for _, en := range translations {
			if r.pairs++; r.pairs > maxPairs {
				return true
			}
			if !r.yield(Pair{de, en}, nil) {
				return false
			}
		}
	}
	return true
}
