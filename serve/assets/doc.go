// Package assets keeps the files of pages as they are sent: compressed, when the pages are built, as well as
// can be. Pack does that to a folder, and Read opens what it left. It knows neither HTTP's requests nor what
// the files are for.
//
// The command pack runs Pack; read assets.go first.
package assets
