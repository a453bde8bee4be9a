// Package jsonwriter writes compact JSON: the bodies of a snapshot, the answers of the server, source records. How a
// string is escaped and a number written is here and nowhere else.
//
// It knows nothing of what it writes, and never reads JSON.
//
// append.go has strings and numbers by themselves, text.go a whole text with its commas.
package jsonwriter
