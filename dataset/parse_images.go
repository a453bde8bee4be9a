package dataset

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"
)

// imageFields are the fields of a picture.
var imageFields = fields[Image]{
	{name: "id", read: func(p *parser, name string, v gjson.Result, m *Image) { m.ID = p.filledText(name, v) }},
	{name: "url", read: func(p *parser, name string, v gjson.Result, m *Image) {
		if p.required(name, v, "an address that begins with http:// or https://") {
			setText(&m.URL, p.webAddress(name, v))
		}
	}},
	{name: "filename", read: func(p *parser, name string, v gjson.Result, m *Image) { m.Filename = p.text(name, v) }},
	{name: "display_order", read: func(p *parser, name string, v gjson.Result, m *Image) { m.DisplayOrder = p.integer(name, v) }},
}

// images reads the pictures, in display order; none at all are null.
func (p *parser) images(name string, v gjson.Result) []Image {
	if !p.array(name, v, "an array of images, or null") {
		return nil
	}
	var images []Image
	p.elements(name, v, func(_ int, image gjson.Result) {
		images = append(images, Image{})
		imageFields.read(p, image, &images[len(images)-1])
	})
	slices.SortStableFunc(images, func(a, b Image) int {
		switch {
		case a.DisplayOrder == nil || b.DisplayOrder == nil:
			return cmp.Compare(nullLast(a.DisplayOrder), nullLast(b.DisplayOrder))
		default:
			return cmp.Compare(*a.DisplayOrder, *b.DisplayOrder)
		}
	})
	return images
}

func nullLast(order *int64) int {
	if order == nil {
		return 1
	}
	return 0
}

// integer reads a whole number or null; 2.0 is one.
func (p *parser) integer(name string, v gjson.Result) *int64 {
	if isNull(v) {
		return nil
	}
	if v.Type == gjson.Number {
		if n, err := strconv.ParseInt(v.Raw, 10, 64); err == nil {
			return &n
		}
		if n := int64(v.Num); v.Num > -1<<53 && v.Num < 1<<53 && float64(n) == v.Num {
			return &n
		}
	}
	p.wrongType(name, v, "a whole number or null")
	return nil
}
