// Package browser controls a headless chromium and the real server. It is a separate module, so that a build
// of the program does not compile the browser protocol. It also contains the explorer's tests and benchmark:
// `make check` runs the tests, `make bench-explorer` the benchmark, which only measures.
//
// A test process starts one chromium from a Debian package, and runs bin/sabine, which it builds with make.
// Each test has a Tab with its own cache and storage, and uses the Server with the sample catalogue or its
// own Server. Tests use a page as people do: they find controls by role and name, as a screen reader does,
// and the browser creates the key presses and clicks. Tests do not sleep but wait for conditions.
//
// A Tab fails its test after an error on the console, a violation of the Content-Security-Policy, a failed
// request, or a request to another origin. A test that causes such a fault declares it with Tab.Expect.
//
// After a failure, `go test -artifacts` saves a picture of the page.
//
// Read tab.go first.
package browser
