// Package jsonwriter writes compact JSON: the bodies of a snapshot, the responses of the API and source
// records. It determines the form of strings and numbers in them. Other JSON uses encoding/json: reports, key
// files, /readyz and the description in a snapshot.
//
// It knows nothing about the content and never reads JSON.
//
// append.go appends strings and numbers. text.go writes complete JSON values.
package jsonwriter
