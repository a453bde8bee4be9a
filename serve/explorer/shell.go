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

// dist is what Vite has made of web: index.html, a template, and what it loads, packed.
//
//go:embed all:dist
var dist embed.FS

// Licences are those of what others wrote that the page holds, in Markdown.
//
//go:embed dist/licences.md
var Licences []byte

const (
	index = "dist/index.html"
	// writtenAssets is how index.html begins the addresses of its assets, and servedAssets how the shell does.
	writtenAssets, servedAssets = `"./assets/`, `"{{.Root}}/assets/`
)

// Assets are the files that the shell loads, by their names below the address assets/. A name holds a hash of
// the content. The error says what is wrong with the folder dist.
var Assets = sync.OnceValues(func() (map[string]*assets.File, error) {
	if _, err := shell(); err != nil {
		return nil, fmt.Errorf("the explorer's shell: %w", err)
	}
	packed, err := fs.Sub(dist, "dist/assets")
	if err != nil {
		return nil, err
	}
	files, err := assets.Read(packed)
	if err != nil {
		return nil, fmt.Errorf("the explorer's assets: %w", err)
	}
	return files, nil
})

// A View is what the server writes into the shell. All addresses in it are as the browser sees them from the
// page, relative, but for those that say otherwise.
type View struct {
	Lang         string // of what stands in the page: de or en
	Locale       string // the parameter that asks for the language, "" where the browser decides
	Root         string // address of the first page, without a slash behind
	API          string // of the API, likewise
	ImageOrigins string // of pictures that may be shown, with blanks between them
	PublicDetail bool   // the API gives details without a key
	Names        any    // display names of filter values: JSON of {family: {value: {de, en}}}

	Title, Heading, Description string
	URL                         string // of the page, absolute; "" where nobody knows it
	JSON                        string // of what the API says of the same, "" for nothing
	NoIndex                     bool   // search engines shall forget the page

	// What stands in the page without JavaScript.
	Home     string // address of the first page in the same language
	Query    string // text that was searched
	Fault    string // what is wrong with the address of the page
	Missing  bool   // there is no such product
	List     *List
	Products []Product // each with its curves
	Room     *Room
}

var shell = sync.OnceValues(func() (*template.Template, error) {
	text, err := dist.ReadFile(index)
	if err != nil {
		return nil, err
	}
	return template.New(index).Parse(strings.ReplaceAll(string(text), writtenAssets, servedAssets))
})

// Append appends the shell with what a view holds. It may be called once Assets has returned no error.
func Append(dst []byte, v *View) []byte {
	t, _ := shell()
	b := bytes.NewBuffer(dst)
	if err := t.Execute(b, v); err != nil {
		panic(err) // the template is a constant, and memory takes everything
	}
	return b.Bytes()
}

// Policy returns the Content-Security-Policy of the shell: nothing from elsewhere but pictures of the origins
// that are allowed, and nothing inline.
func Policy(imageOrigins string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src " + strings.TrimSpace("'self' data: "+
		imageOrigins) +
		"; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}
