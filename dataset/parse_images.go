package dataset

import (
	"cmp"
	"slices"

	"github.com/tidwall/gjson"

	"sabine/dataset/product"
)

// imageFields are the fields of a picture.
var imageFields = fields[product.Image]{
	into("id", (*parser).filledText, func(m *product.Image) **string { return &m.ID }),
	into("url", mandatory("an address that begins with http:// or https://", (*parser).webAddress),
		func(m *product.Image) *string { return &m.URL }),
	into("filename", (*parser).text, func(m *product.Image) **string { return &m.Filename }),
	into("display_order", (*parser).integer, func(m *product.Image) **int64 { return &m.DisplayOrder }),
}

// images reads the pictures in display order. It returns nil if there are none.
func (p *parser) images(name string, v gjson.Result) []product.Image {
	images := objects(p, name, v, "an array of images, or null", imageFields)
	slices.SortStableFunc(images, func(a, b product.Image) int {
		if a.DisplayOrder == nil || b.DisplayOrder == nil {
			return cmp.Compare(nullLast(a.DisplayOrder), nullLast(b.DisplayOrder))
		}
		return cmp.Compare(*a.DisplayOrder, *b.DisplayOrder)
	})
	return images
}

func nullLast(order *int64) int {
	if order == nil {
		return 1
	}
	return 0
}
