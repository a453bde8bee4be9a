package table

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"sabine/dataset/jsonwriter"
	"sabine/dataset/product"
)

// writeMeta writes structured_meta: the JSON that was given, what no rule knows, and what has no field in the record.
func (u *union) writeMeta() {
	for _, t := range u.topics {
		isLabel := t.field == FieldMaterial && t.cell.text == u.label
		if t.kind == ofMeta && !t.differs && !t.used && !isLabel {
			u.addMeta(t.key, t.cell.text)
		}
	}
	given := u.value(FieldMeta)
	if len(u.meta) == 0 {
		if given != "" {
			u.j.Key("structured_meta").Raw([]byte(given))
		}
		return
	}
	for key, value := range gjson.Parse(given).ForEach {
		if value.Type != gjson.Null {
			u.addMeta(key.Str, value.String())
		}
	}
	slices.SortFunc(u.meta, compareMeta)
	u.j.Key("structured_meta").Object(func() {
		for i := 0; i < len(u.meta); {
			key, text := u.meta[i].Key, u.meta[i].Value
			last := text
			for i++; i < len(u.meta) && u.meta[i].Key == key; i++ {
				if u.meta[i].Value != last {
					last = u.meta[i].Value
					text += "; " + last
				}
			}
			u.j.Key(key).String(text)
		}
	})
}

func (u *union) addMeta(key, value string) {
	u.meta = append(u.meta, product.MetaEntry{Key: key, Value: value})
}

// geometry returns the JSON of the solid: that which was given, or that of a shape and its three lengths; "" where any of them is missing.
func (u *union) geometry() string {
	if given := u.value(FieldGeometry); given != "" {
		return given
	}
	shape := u.said(FieldShape)
	if shape == nil || shape.differs {
		return ""
	}
	var sidesMM [3]float64
	sides := []*topic{u.said(FieldWidth), u.said(FieldHeight), u.said(FieldDepth)}
	for i, t := range sides {
		if t != nil && !t.differs {
			sidesMM[i], _ = strconv.ParseFloat(t.cell.text, 64)
		}
	}
	if size := u.said(FieldSize); size != nil && !size.differs && slices.Equal(sides, []*topic{nil, nil, nil}) {
		sidesMM, sides = sizeMM(size.cell.text), []*topic{size}
	}
	if !(sidesMM[0] > 0 && sidesMM[1] > 0 && sidesMM[2] > 0) {
		return ""
	}
	for _, t := range append(sides, shape) {
		t.used = true
	}
	var j jsonwriter.Text
	j.Object(func() {
		j.Key("shape").String(shape.cell.text)
		j.Key("bounding_box_mm").Object(func() {
			for i, name := range []string{"width", "height", "depth"} {
				j.Key(name).Number(sidesMM[i])
			}
		})
	})
	return string(j.Bytes())
}

// sizeMM reads three lengths in millimetres, "600 x 600 x 40"; zeros for fewer.
func sizeMM(text string) (mm [3]float64) {
	sides := strings.Split(text, " x ")
	if len(sides) == len(mm) {
		for i, side := range sides {
			mm[i], _ = strconv.ParseFloat(side, 64)
		}
	}
	return mm
}
