package serve

import (
	"cmp"
	"net/http"
	"strings"

	"sabine/serve/reference"
)

// addReference adds the API reference, under the base path, and what it loads.
func (s *Server) addReference() error {
	path := s.addresses.base + referencePath
	files, err := reference.Files()
	if err != nil {
		return err
	}
	s.addFiles(path+"/", files)
	root := cmp.Or(strings.Repeat("../", strings.Count(s.addresses.base, "/")), "./")
	html, err := reference.Page(root, s.options.Explorer)
	if err != nil {
		return err
	}
	r := coded(html)
	r.mediaType, r.describe = textHTML, func(h http.Header) {
		h["Content-Security-Policy"] = referencePolicy
		h["Referrer-Policy"] = referrerPolicy
	}
	s.operations[path] = textPage("pageReference", cachePage, r)
	return nil
}

var referencePolicy = []string{reference.Policy}
