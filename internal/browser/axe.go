package browser

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// axePacked is axe.min.js from axe-core 4.14.1 on npm, compressed with `gzip -9n`. The licences are in the
// same folder.
//
//go:embed axe/axe.min.js.gz
var axePacked []byte

var axe = sync.OnceValues(func() (string, error) {
	r, err := gzip.NewReader(bytes.NewReader(axePacked))
	if err != nil {
		return "", err
	}
	script, err := io.ReadAll(r)
	return string(script), err
})

// CheckAccess checks the current page with the axe-core rules and reports serious and critical violations.
func (b *Tab) CheckAccess() {
	b.t.Helper()
	b.checkAccess("")
}

// CheckContrast is like CheckAccess, but checks only contrast, because a colour scheme changes nothing else.
func (b *Tab) CheckContrast() {
	b.t.Helper()
	b.checkAccess("runOnly: ['color-contrast'], ")
}

func (b *Tab) checkAccess(options string) {
	b.t.Helper()
	for _, v := range b.barriers(options) {
		var where strings.Builder
		for _, n := range v.Nodes {
			fmt.Fprintf(&where, "\n  %s: %s", n.HTML, strings.ReplaceAll(n.FailureSummary, "\n", " "))
		}
		b.t.Errorf("on %.200s: axe-core: %s: %s: %s%s", b.path(), v.Impact, v.ID, v.Help, where.String())
	}
}

// A violation is a result from axe-core.
type violation struct {
	ID, Impact, Help string
	Nodes            []struct{ HTML, FailureSummary string }
}

// barriers returns the serious and critical violations. options contains options for axe.run, each followed
// by a comma.
func (b *Tab) barriers(options string) (violations []violation) {
	b.t.Helper()
	script, err := axe()
	if err != nil {
		b.t.Fatal(err)
	}
	b.eval(nil, script+"\n;0")
	b.eval(&violations, "axe.run({"+options+"resultTypes: ['violations']}).then(r => r.violations)")
	return slices.DeleteFunc(violations, func(v violation) bool { return v.Impact != "serious" && v.Impact != "critical" })
}
