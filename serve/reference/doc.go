// Package reference provides the page of the API reference, on which users can also send requests. The page
// consists of Scalar's unmodified standalone build, and a script and a style sheet of this package. It loads
// no files from other servers, and sends requests only to the server that sent the page.
//
// The folder dist contains the files that web/build.js writes and serve/assets packs. The page links to
// licences.txt, which contains the licences of the packages in dist. web/package.json pins the version of
// Scalar. Read reference.go first.
package reference
