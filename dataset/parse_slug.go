package dataset

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/uuid"
	"github.com/tidwall/gjson"
	"golang.org/x/text/unicode/norm"

	"sabine/dataset/product"
)

// productSlug reads the slug of a product or null.
func (p *parser) productSlug(name string, v gjson.Result) *string {
	s := p.slug(name, v)
	if s != nil && *s == product.ReservedSlug {
		p.fault(name, `"search" is reserved for the address of the search page`)
	}
	return s
}

// slug reads a slug or null.
func (p *parser) slug(name string, v gjson.Result) *string {
	if isNull(v) {
		return nil
	}
	if v.Type != gjson.String {
		p.wrongType(name, v, "a slug or null")
		return nil
	}
	if problem := slugProblem(v.Str); problem != "" {
		p.fault(name, problem+", got "+Quoted(v.Str))
		return nil
	}
	s := v.Str
	return &s
}

var slugForm = regexp.MustCompile(product.SlugPattern)

// slugProblem returns the problem with an invalid slug, or "" for a valid slug.
func slugProblem(s string) string {
	if len(s) > product.MaxSlugBytes {
		return "expected a slug of at most " + strconv.Itoa(product.MaxSlugBytes) + " bytes"
	}
	if !slugForm.MatchString(s) {
		return "expected a slug: groups of a-z and 0-9 joined by single hyphens"
	}
	if _, isUUID := parseUUID(s); isUUID {
		return "expected a slug that is not a UUID"
	}
	return ""
}

// manufacturerNamespace is the namespace of the UUIDv5 that is computed from a manufacturer slug. It must
// never change, because the ids of all manufacturers without a declared id would change too.
var manufacturerNamespace = uuid.MustParse("6d0b1f9c-47a5-5c0e-9a3b-2f8e71c4d65a")

// manufacturerFields are the fields of a manufacturer object.
var manufacturerFields = fields[product.Manufacturer]{
	{name: "id", read: func(p *parser, name string, v gjson.Result, m *product.Manufacturer) {
		if !isNull(v) {
			m.ID = p.uuid(name, v)
		}
	}},
	intoDefault("slug", (*parser).slug, func(m *product.Manufacturer) *string { return &m.Slug }),
	into("name", (*parser).manufacturerName, func(m *product.Manufacturer) *string { return &m.Name }),
}

// manufacturer reads a manufacturer: a name or an object.
func (p *parser) manufacturer(name string, v gjson.Result) product.Manufacturer {
	const expected = visibleText + ", or an object with a name"
	var m product.Manufacturer
	if !p.required(name, v, expected) {
		return m
	}
	before := len(p.faults)
	switch {
	case v.Type == gjson.String && !isBlank(v.Str):
		p.checkText(name, v.Str, product.MaxNameBytes)
		m.Name = v.Str
	case v.IsObject():
		p.enter(member(name))
		manufacturerFields.read(p, v, &m)
		p.leave()
	default:
		p.wrongType(name, v, expected)
	}
	if len(p.faults) > before {
		return product.Manufacturer{}
	}
	if m.Slug == "" {
		m.Slug = SlugOf(m.Name)
	}
	if m.ID == (uuid.UUID{}) {
		m.ID = uuid.NewSHA1(manufacturerNamespace, []byte(m.Slug))
	}
	return m
}

func (p *parser) manufacturerName(name string, v gjson.Result) string {
	if !p.required(name, v, "the manufacturer's name") {
		return ""
	}
	if v.Type != gjson.String || isBlank(v.Str) {
		p.wrongType(name, v, visibleText)
		return ""
	}
	p.checkText(name, v.Str, product.MaxNameBytes)
	return v.Str
}

// letters maps letters to their spelling in a slug. Other letters lose their diacritics.
var letters = map[rune]string{
	'ä': "ae", 'ö': "oe", 'ü': "ue", 'ß': "ss", 'ẞ': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d",
	'þ': "th", 'ı': "i",
}

// SlugOf returns a slug for a name, for example mueller-soehne for Müller & Söhne. For a name without Latin
// letters or digits, the slug contains a UUIDv5 of the name.
func SlugOf(name string) string {
	var b strings.Builder
	gap := false // whether characters were skipped after the last written one
	for _, r := range strings.ToLower(norm.NFKC.String(name)) {
		text := letters[r]
		switch {
		case unicode.Is(unicode.Mn, r):
			continue
		case text == "":
			text = norm.NFD.String(string(r))[:1] // a Latin letter without its diacritics
		}
		for i := range len(text) {
			c := text[i]
			if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
				gap = true
				continue
			}
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteByte(c)
		}
	}
	slug := b.String()
	if len(slug) > product.MaxSlugBytes {
		slug = strings.Trim(slug[:product.MaxSlugBytes], "-")
	}
	if slugProblem(slug) != "" {
		slug = "manufacturer-" + uuid.NewSHA1(manufacturerNamespace, []byte(name)).String()
	}
	return slug
}
