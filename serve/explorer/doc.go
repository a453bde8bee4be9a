// Package explorer renders the HTML of the website: the same shell for all addresses, with content for
// browsers without JavaScript. The pages are built from the sources in web into dist, which is checked in and
// embedded. The package does not use the catalogue or the API: a View contains a page's data.
//
// Read shell.go first.
package explorer
