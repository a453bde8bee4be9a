// Package browser controls a headless chromium and a real server. It is a separate module, so that builds of
// the program do not compile the browser protocol. It also contains the explorer's tests, which `make check`
// runs, and the explorer's benchmark, which `make bench-explorer` runs. The benchmark only measures.
//
// A test process starts one chromium from Debian's package, and runs bin/sabine, which it builds with make.
// Each test has a Tab with its own cache and storage. It uses the Server with the sample catalogue or its own
// Server. Tests use a page as people do: they find controls by role and name, as a screen reader does, and
// the browser generates key presses and clicks. Tests wait for conditions and do not sleep.
//
// A Tab fails its test after an error on the console, a violation of the Content-Security-Policy, a failed
// request, or a request to another origin. A test that causes such an error declares this with Tab.Expect.
//
// After a failure, `go test -artifacts` saves a picture of the page.
//
// Read tab.go first.
package browser
