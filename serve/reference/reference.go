package reference

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"
	"sync"

	"sabine/serve/assets"
)

// Policy is the Content-Security-Policy of the page. It allows inline styles, because Scalar sets style
// attributes, for which nonces do not exist, and Scalar's editor adds rules. It forbids inline scripts and
// content from other servers.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; " +
	"font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

//go:embed dist
var dist embed.FS

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// A build is the content of dist.
type build struct {
	files     map[string]*assets.File // files by address below the page; addresses contain a hash of the content
	addresses map[string]string       // addresses by file name
}

// load reads dist only once, because the files are large.
var load = sync.OnceValues(func() (build, error) {
	tree, _ := fs.Sub(dist, "dist") // fails only for an invalid path
	files, err := assets.Read(tree)
	if err != nil {
		return build{}, fmt.Errorf("read the files of the API reference: %w", err)
	}
	b := build{files: map[string]*assets.File{}, addresses: map[string]string{}}
	for name, file := range files {
		const hashDigits = 16
		extension := path.Ext(name)
		address := "assets/" + strings.TrimSuffix(name, extension) + "-" + file.Hash[:hashDigits] + extension
		b.files[address], b.addresses[name] = file, address
	}
	return b, nil
})

// Files returns the files that the page loads, by their addresses below the page. An address contains a hash
// of the file's content. The error describes a problem in the folder dist.
func Files() (map[string]*assets.File, error) {
	b, err := load()
	return b.files, err
}

// Page returns the page. root is the address of the server's root relative to the page, such as "../", and
// explorer reports whether the explorer is served at this root. It returns the same errors as Files.
func Page(root string, explorer bool) ([]byte, error) {
	b, err := load()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = page.Execute(&text, struct {
		Root     string
		Explorer bool
		Files    map[string]string
	}{root, explorer, b.addresses})
	return text.Bytes(), err
}
