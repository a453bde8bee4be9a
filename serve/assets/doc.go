// Package assets stores the files of web pages in compressed form. When the pages are built, Pack compresses
// a folder at the best level. Read reads the packed folder. The package does not handle HTTP requests, and
// does not depend on the content of the files.
//
// The command pack runs Pack; read assets.go first.
package assets
