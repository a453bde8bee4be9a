// Package jsonwriter writes compact JSON: the bodies of a snapshot, the answers of the API, source records.
// How a string is escaped and a number written there is here and nowhere else. What stands beside them, such
// as reports, key files, /readyz and a snapshot's description of itself, encoding/json writes.
//
// It knows nothing of what it writes, and never reads JSON.
//
// append.go has strings and numbers by themselves, text.go a whole text with its commas.
package jsonwriter
