package quality

import (
	"fmt"
	"regexp"
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

// selector returns a test of products from what a judgement says of them: a name, or conditions on their
// fields joined by &, each field=value or field~regexp. A regexp may match anywhere, without regard to case.
func selector(text string) (func(*product.Product) bool, error) {
	if !strings.ContainsAny(text, "=~") {
		return func(p *product.Product) bool { return nameOf(p) == text }, nil
	}
	var conditions []func(*product.Product) bool
	for condition := range strings.SplitSeq(text, "&") {
		c, err := parseCondition(condition)
		if err != nil {
			return nil, err
		}
		conditions = append(conditions, c)
	}
	return func(p *product.Product) bool {
		for _, holds := range conditions {
			if !holds(p) {
				return false
			}
		}
		return true
	}, nil
}

func parseCondition(text string) (func(*product.Product) bool, error) {
	end := strings.IndexAny(text, "=~")
	if end < 0 {
		return nil, fmt.Errorf("%q: expected field=value or field~regexp", text)
	}
	values, ok := fields[text[:end]]
	if !ok {
		return nil, fmt.Errorf("%q: expected one of the fields label, manufacturer, text, category, character, installation",
			text)
	}
	pattern := text[end+1:]
	if text[end] == '=' {
		pattern = "^" + regexp.QuoteMeta(pattern) + "$"
	}
	re, err := regexp.Compile("(?i)" + pattern)
	if err != nil {
		return nil, err
	}
	return func(p *product.Product) bool {
		for _, v := range values(p) {
			if re.MatchString(v) {
				return true
			}
		}
		return false
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
func labels(p *product.Product) []string {
	values := optional(p.CommercialName)
	for _, l := range p.Label {
		values = append(values, l.Text)
	}
	return values
}

// texts returns all that is written about a product and searched.
func texts(p *product.Product) []string {
	values := append(labels(p), p.Manufacturer.Name)
	for _, d := range p.Description {
		values = append(values, d.Text)
	}
	return values
}

func optional(s *string) []string {
	if s == nil {
		return nil
	}
	return []string{*s}
}
