// Package reference is the page that shows the API's description, for reading and for trying: Scalar's
// standalone build as its package has it, and a script and a style of ours around it. It needs nothing from
// outside, and it asks nobody but the server that sent it.
//
// The folder dist holds what web/build.js has written and serve/assets packed, with the licences of what is
// inside in licences.txt, to which the page leads; web/package.json pins Scalar's version. Read reference.go
// first.
package reference
