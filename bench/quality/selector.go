package quality

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sabine/dataset/product"
)

// nameOf is what a judgement calls a product: its slug, or its id when it has none.
func nameOf(p *product.Product) string {
	if p.Slug != nil {
		return *p.Slug
	}
	return p.ID.String()
}

// A condition holds for products of which a value matches.
type condition struct {
	values  func(*product.Product) []string
	matches func(value string) bool
}

// selector returns a test of products from what a judgement says of them: a name, or conditions on their
// fields joined by &, each field=value or field~regexp. A regexp may match anywhere, without regard to case.
func selector(text string) (func(*product.Product) bool, error) {
	if !strings.ContainsAny(text, "=~") {
		return func(p *product.Product) bool { return nameOf(p) == text }, nil
	}
	var conditions []condition
	for part := range strings.SplitSeq(text, "&") {
		end := max(0, strings.IndexAny(part, "=~"))
		values, ok := fields[part[:end]]
		if !ok {
			return nil, fmt.Errorf("%q: expected field=value or field~regexp, field being one of label, manufacturer, text, "+
				"category, character, installation", part)
		}
		pattern := part[end+1:]
		if part[end] == '=' {
			pattern = "^" + regexp.QuoteMeta(pattern) + "$"
		}
		re, err := regexp.Compile("(?i)" + pattern)
		if err != nil {
			return nil, err
		}
		conditions = append(conditions, condition{values, re.MatchString})
	}
	return func(p *product.Product) bool {
		fails := func(c condition) bool { return !slices.ContainsFunc(c.values(p), c.matches) }
		return !slices.ContainsFunc(conditions, fails)
	}, nil
}

// fields are the fields that conditions may be put on.
var fields = map[string]func(*product.Product) []string{
	"label":        labels,
	"manufacturer": func(p *product.Product) []string { return []string{p.Manufacturer.Name} },
	"text":         texts,
	"category":     func(p *product.Product) []string { return optional(p.MaterialCategory) },
	"character":    func(p *product.Product) []string { return optional(p.AbsorptionCharacter) },
	"installation": func(p *product.Product) []string { return p.InstallationTypes },
}

// labels returns the labels of a product in every language and its commercial name.
func labels(p *product.Product) []string { return append(optional(p.CommercialName), in(p.Label)...) }

// texts returns all that is written about a product and searched.
func texts(p *product.Product) []string {
	return slices.Concat(labels(p), []string{p.Manufacturer.Name}, in(p.Description))
}

// in returns a text in every language.
func in(t product.Text) (values []string) {
	for _, l := range t {
		values = append(values, l.Text)
	}
	return values
}

func optional(s *string) []string {
	if s == nil {
		return nil
	}
	return []string{*s}
}
