// Package dictionary reads bilingual dictionaries in the Ding format, such as that in Debian's package
// trans-de-en, and returns pairs of words that are translations of each other.
//
// It never decides how a search uses a pair. Package compiler does. The project contains no dictionary: the
// user of a build provides one.
//
// Read dictionary.go first. It describes the format and reads the lines. text.go parses the expressions of an
// entry.
package dictionary
