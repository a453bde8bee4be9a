package explorer

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"strings"
	"sync"

	"sabine/serve/assets"
)

// dist is the output of Vite for the folder web: the template index.html, and the packed files that it loads.
//
//go:embed all:dist
var dist embed.FS

// Licences contains the licences of the pages' libraries, in Markdown.
//
//go:embed dist/licences.md
var Licences []byte

const (
	index = "dist/index.html"
	// Addresses of assets begin with builtAssets in index.html, and with servedAssets in the shell.
	builtAssets, servedAssets = `"./assets/`, `"{{.Root}}/assets/`
)

// Assets returns the files that the shell loads, by their names below the address assets/. A name contains a
// hash of the content. The error describes a problem in the folder dist.
var Assets = sync.OnceValues(func() (map[string]*assets.File, error) {
	if _, err := shell(); err != nil {
		return nil, fmt.Errorf("read the shell of the explorer: %w", err)
	}
	packed, _ := fs.Sub(dist, "dist/assets") // fails only for an invalid path
	files, err := assets.Read(packed)
	if err != nil {
		return nil, fmt.Errorf("read the assets of the explorer: %w", err)
	}
	return files, nil
})

// A View contains the values of a page. Addresses are relative to the page, unless stated otherwise.
type View struct {
	Lang         string // language of the page: de or en
	Locale       string // language parameter; "" if the browser decides
	Root         string // address of the home page, without a trailing slash
	API          string // address of the API, without a trailing slash
	ImageOrigins string // allowed origins of pictures, separated by spaces
	PublicDetail bool   // whether the API returns details without a key
	Names        any    // display names of filter values, as JSON: {family: {value: {de, en}}}

	Title, Heading, Description string
	URL                         string // absolute address of the page, "" if unknown
	JSON                        string // address of the same data in the API, or ""
	NoIndex                     bool   // whether search engines must not index the page

	// The fields below are for browsers without JavaScript.
	Home     string // address of the home page in the same language
	Query    string // text of the search
	Fault    string // error in the parameters of the page
	Missing  bool   // whether the product does not exist
	List     *List
	Products []Product // products, including their curves
	Room     *Room
}

var shell = sync.OnceValues(func() (*template.Template, error) {
	text, err := dist.ReadFile(index)
	if err != nil {
		return nil, err
	}
	return template.New(index).Parse(strings.ReplaceAll(string(text), builtAssets, servedAssets))
})

// Append appends the shell with the data of a view. Call it only after Assets has returned without an error.
func Append(dst []byte, v *View) []byte {
	t, _ := shell()
	b := bytes.NewBuffer(dst)
	if err := t.Execute(b, v); err != nil {
		panic(err) // the template is constant, and writes to a buffer do not fail
	}
	return b.Bytes()
}

// Policy returns the Content-Security-Policy for the shell. It allows images from the given origins. It
// forbids all other content from other servers, and all inline code.
func Policy(imageOrigins string) string {
	images := strings.TrimSpace("'self' data: " + imageOrigins)
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src " + images +
		"; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}
