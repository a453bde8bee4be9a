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

// Policy is the page's Content-Security-Policy. Its styles are allowed inline, since Scalar sets style
// attributes, for which there is no nonce, and its editor adds rules of its own; scripts are not, and nothing
// comes from or goes to other servers.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; " +
	"font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

//go:embed dist
var dist embed.FS

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// A build is what dist holds.
type build struct {
	files     map[string]*assets.File // by address below the page, which holds a hash of the content
	addresses map[string]string       // of them, by name
}

// load reads dist, once: the files are large.
var load = sync.OnceValues(func() (build, error) {
	tree, err := fs.Sub(dist, "dist")
	if err != nil {
		return build{}, err
	}
	files, err := assets.Read(tree)
	if err != nil {
		return build{}, fmt.Errorf("the API reference: %w", err)
	}
	b := build{files: map[string]*assets.File{}, addresses: map[string]string{}}
	for name, file := range files {
		const hashDigits = 16
		ending := path.Ext(name)
		address := "assets/" + strings.TrimSuffix(name, ending) + "-" + file.Hash[:hashDigits] + ending
		b.files[address], b.addresses[name] = file, address
	}
	return b, nil
})

// Files returns what the page loads, by addresses below its own, each with a hash of the content in it. The
// error says what is wrong with the folder dist.
func Files() (map[string]*assets.File, error) {
	b, err := load()
	return b.files, err
}

// Page returns the page, for a server whose root lies at an address relative to it, such as "../", and that
// has the explorer there or not. The errors are those of Files.
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
