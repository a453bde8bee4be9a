package analysis

import (
	"strings"
	"sync"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/german"
)

// stemmers holds the working memory of stemmers, so that a query does not allocate it.
var stemmers = sync.Pool{New: func() any { return snowballstem.NewEnv("") }}

// Stems returns the German and the English stem of a word of a key. A word with a digit in it is a code or a size, and is
// its own stem.
func Stems(word string) (de, en string) {
	if strings.ContainsFunc(word, unicode.IsDigit) {
		return word, word
	}
	env := stemmers.Get().(*snowballstem.Env)
	defer stemmers.Put(env)
	env.SetCurrent(word)
	german.Stem(env)
	de = env.Current()
	env.SetCurrent(word)
	english.Stem(env)
	return de, env.Current()
}
