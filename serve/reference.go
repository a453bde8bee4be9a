package serve

import (
	"cmp"
	"net/http"
	"strings"

	"sabine/serve/reference"
)

// referencePath is where the API reference is, under the base path.
const referencePath = "/reference"

var pageReference = &operation{name: "pageReference", page: true, cache: cachePage, answer: answerReference}

// addReference adds the API reference to the pages and renders it, for a base path as the server has it.
func addReference(pages map[string]page, base string, explorer bool) (text []byte, err error) {
	files, err := reference.Files()
	if err != nil {
		return nil, err
	}
	pages[base+referencePath] = page{operation: pageReference}
	addFiles(pages, base+referencePath+"/", files)
	root := cmp.Or(strings.Repeat("../", strings.Count(base, "/")), "./")
	return reference.Page(root, explorer)
}

// answerReference answers with the page of the API reference.
func answerReference(x *exchange) representation {
	text := x.server.reference
	return representation{body: text, hash: hashOf(text), mediaType: textHTML, describe: func(h http.Header) {
		h["Content-Security-Policy"] = referencePolicy
		h["Referrer-Policy"] = referrerPolicy
	}}
}

var referencePolicy = []string{reference.Policy}
