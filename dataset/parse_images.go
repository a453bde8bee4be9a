package dataset

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"
)

var imageFields = []string{"id", "url", "filename", "display_order"}

// images reads the pictures, in display order; none at all are null.
func (p *parser) images(v gjson.Result) []Image {
	if !p.array("images", v, "an array of images, or null") {
		return nil
	}
	var images []Image
	p.elements("images", v, func(_ int, image gjson.Result) {
		var values [4]gjson.Result
		p.fields(image, imageFields, values[:])
		img := Image{ID: p.filledText("id", values[0])}
		if p.required("url", values[1], "an address that begins with http:// or https://") {
			if address := p.webAddress("url", values[1]); address != nil {
				img.URL = *address
			}
		}
		img.Filename = p.text("filename", values[2])
		img.DisplayOrder = p.integer("display_order", values[3])
		images = append(images, img)
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
