// Package reference provides the page of the API reference, on which users can also send requests. The page is
// Scalar's unmodified standalone build with a script and a style of this package. It loads nothing from other
// servers, and sends requests only to the server that sent the page.
//
// The folder dist has the files that web/build.js writes and serve/assets packs. The page links to
// licences.txt, which has the licences of the packages in dist. web/package.json pins the version of Scalar.
// Read reference.go first.
package reference
