// Package dictionary reads a bilingual dictionary in the Ding format, as Debian's package trans-de-en has
// one, and finds the words in it that translate each other.
//
// It knows no catalogue and makes no keys: what a pair is good for in a search is the compiler's to say. No
// dictionary is part of the project; whoever builds a catalogue names one of his own.
//
// dictionary.go tells the format and reads it line by line; text.go takes an entry apart.
package dictionary
