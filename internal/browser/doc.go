// Package browser drives a headless chromium over the real server. It is a module of its own, so that a build
// of the program does not compile the browser's protocol. The explorer's tests and its benchmark are here
// too: `make check` runs the tests; `make bench-explorer` the benchmark, which measures and never decides
// whether a figure is good.
//
// A process of tests has one chromium, Debian's, and runs bin/sabine, which it builds by make. A test has a
// Tab, whose cache and storage no other test sees, and mostly the Server of the sample catalogue, else one of
// its own. People's ways alone lead through a page: controls are found by their role and name as a screen
// reader tells them, keys and clicks come from the browser. Nothing sleeps: a test waits for what has to
// happen.
//
// Whatever a page does that no page of ours may, its Tab reports as a failure of the test: an error on the
// console, a violation of the Content-Security-Policy, a request that failed, one to another origin. A test
// that provokes such a thing says so (Tab.Expect).
//
// Of a test that fails, `go test -artifacts` keeps a picture of the page.
//
// Read tab.go first.
package browser
