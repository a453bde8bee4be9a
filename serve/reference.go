package serve

import (
	"cmp"
	"net/http"
	"strings"

	"sabine/serve/reference"
)

// referencePath is where the API reference is, under the base path.
const referencePath = "/reference"

var pageReference = &operation{name: "pageReference", page: true, cache: cachePage, answer: answerText}

// addReference adds the API reference and what it loads.
func (s *Server) addReference() error {
	files, err := reference.Files()
	if err != nil {
		return err
	}
	addFiles(s.pages, s.base+referencePath+"/", files)
	root := cmp.Or(strings.Repeat("../", strings.Count(s.base, "/")), "./")
	html, err := reference.Page(root, s.explorer)
	if err != nil {
		return err
	}
	r := coded(html, s.compressor)
	r.mediaType, r.describe = textHTML, func(h http.Header) {
		h["Content-Security-Policy"] = referencePolicy
		h["Referrer-Policy"] = referrerPolicy
	}
	s.pages[s.base+referencePath] = page{operation: pageReference, text: &r}
	return nil
}

var referencePolicy = []string{reference.Policy}
