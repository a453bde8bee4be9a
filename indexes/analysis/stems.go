package analysis

import (
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/german"
)

// Stems returns the German and the English stem of a word of a key.
func Stems(word string) (de, en string) {
	env := snowballstem.NewEnv(word)
	german.Stem(env)
	de = env.Current()
	env.SetCurrent(word)
	english.Stem(env)
	return de, env.Current()
}
