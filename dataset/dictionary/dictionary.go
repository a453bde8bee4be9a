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
// Bars separate the same number of parts on both sides, of which each translates the one in its place, and
// semicolons texts that mean the same. What stands in brackets, {grammar}, (remarks), [fields], <other
// spellings>, and between /slashes/ is no word of a text. Lines that begin with # are comments, blank lines
// nothing. The file is UTF-8, or Latin-1 if a comment at its head says so, and plain or compressed like any
// other input.
//
// Of an entry whose English begins with to, a verb's, the participles in -ed count alone, such as perforated.
// Products are named by nouns and adjectives, and most English nouns are verbs too: to carpet is to give
// somebody a piece of one's mind, in twenty words.

// A Pair is two texts that translate each other, without articles and without words that stand
// for others, as sth. does.
type Pair struct{ German, English string }

const (
	maxLineBytes = 1 << 20
	maxTexts     = 40     // of one part that mean the same; those behind are left out
	maxPairs     = 10_000 // of an entry; one that has more is a fault, so that no line has millions

	// The limits of a dictionary bound the memory of a build: a file of 3 MB may have millions of pairs, a
	// compressed one of 6 MB gigabytes of text. Debian's trans-de-en has 673,000 pairs in 25 MB.
	maxAllPairs  = 1_000_000
	maxTextBytes = 64 << 20 // decompressed
)

// latin1 finds the word of a comment that says that the file is Latin-1.
var latin1 = regexp.MustCompile(`(?i)\b(iso[-_ ]?8859-?1|latin-?1)\b`)

// Pairs yields the pairs of a dictionary whose texts have maxWords words at most, in its order; longer ones
// are sentences and explanations. An error that is a *dataset.Fault says which line is no entry, and reading
// goes on; any other ends it.
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

// A reading is one run through a dictionary.
type reading struct {
	name     string
	maxWords int // of a text
	lines    *bufio.Scanner
	line     int
	decoded  bool // from Latin-1
	entries  int  // lines that should be one
	bytes    int  // of the lines up to here
	pairs    int  // of the entry
	allPairs int  // of the entries before it
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
		r.fault("no entry in it: expected lines of the form German :: English")
	}
}

// fault yields a fault of the line; false says that the reader has enough.
func (r *reading) fault(problem string) bool {
	place := dataset.Place{Input: r.name, Line: r.line, Index: -1, Offset: -1}
	return r.yield(Pair{}, &dataset.Fault{Place: place, Problem: problem, Whole: true})
}

// readLine yields the pairs of a line, or its fault; false says that the reader has enough.
func (r *reading) readLine(line []byte) bool {
	if r.line == 1 {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	text := strings.TrimSpace(string(line))
	if text == "" {
		return true
	}
	if text[0] == '#' {
		r.decoded = r.decoded || r.entries == 0 && latin1.MatchString(text)
		return true
	}
	r.entries++
	if r.decoded {
		text, _ = charmap.ISO8859_1.NewDecoder().String(text) // every byte is a letter
	} else if !utf8.ValidString(text) {
		return r.fault(`expected UTF-8; a comment at the head of a file in Latin-1 says "ISO-8859-1"`)
	}
	left, right, ok := strings.Cut(text, "::")
	if !ok || strings.Contains(right, "::") {
		return r.fault(`expected two sides with one "::" between them`)
	}
	isVerb := strings.HasPrefix(strings.TrimSpace(right), "to ")
	de, en := strings.Split(left, "|"), strings.Split(right, "|")
	if len(de) != len(en) {
		return r.fault(fmt.Sprintf("expected as many parts on both sides, not %d and %d", len(de), len(en)))
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

// readPart yields the pairs of two parts that translate each other.
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
