package table

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"sabine/dataset"
	"sabine/dataset/jsonwriter"
	"sabine/dataset/product"
)

// A union is what the rows of one product say together. It is used for one product after the other.
type union struct {
	*products
	*gathered
	id string // of the product

	topics  []*topic // that the rows speak of
	label   string
	maker   *maker
	entries []entry
	meta    []product.MetaEntry

	faults, warnings []dataset.Fault
	j                jsonwriter.Text

	// Room that is used again.
	parts     []part
	ordered   []*part
	differing []product.MetaEntry
	values    []value
	conflicts []conflict
}

// record makes the record of a product.
func (u *union) record(id string, g *gathered) dataset.Raw {
	u.id, u.gathered, u.faults, u.warnings = id, g, nil, nil
	u.topics, u.meta, u.maker = u.topics[:0], u.meta[:0], nil
	u.survey()
	u.chooseLabel()
	members := u.members
	if !u.gather() {
		members = u.identity
	}
	u.j.Reset()
	u.j.Object(members)
	return dataset.Raw{Place: g.rows[0].place(1), JSON: slices.Clone(u.j.Bytes()), Faults: u.faults, Warnings: u.warnings}
}

// survey finds what the rows speak of, and in what they differ.
func (u *union) survey() {
	least, most := &u.rows[0], &u.rows[0] // by manufacturer
	for i := range u.rows {
		r := &u.rows[i]
		u.faults, u.warnings = append(u.faults, r.faults...), append(u.warnings, r.warnings...)
		switch {
		case r.maker == nil:
		case least.maker == nil:
			least, most = r, r
		case r.maker.slug < least.maker.slug:
			least = r
		case r.maker.slug > most.maker.slug:
			most = r
		}
		for j := range r.cells {
			switch c := &r.cells[j]; {
			case c.topic.product != u.gathered:
				*c.topic = topic{field: c.topic.field, key: c.topic.key, kind: c.topic.kind, product: u.gathered, cell: c}
				u.topics = append(u.topics, c.topic)
			case c.topic.cell.text != c.text:
				c.topic.differs = true
			}
		}
	}
	switch u.maker = cmp.Or(least.maker, u.key.maker); {
	case u.maker == nil:
		u.defaultMaker()
	case least.maker != most.maker:
		u.fault(most.place(1), "manufacturer", dataset.Quoted(most.maker.name())+", but "+dataset.Quoted(least.maker.name())+" in "+least.place(1).String()+oneExpected)
	}
	u.settleShape()
	for _, t := range u.topics {
		if t.differs && t.kind == onlyOne {
			u.contradiction(t)
		}
	}
}

// settleShape makes shape indicators those of set-ups where alpha_w is, and some of its rows have none.
func (u *union) settleShape() {
	alphaW, shape := u.said(FieldAlphaW), u.said(FieldShapeInd)
	if alphaW == nil || shape == nil || !alphaW.differs {
		return
	}
	without := 0
	u.each(alphaW, func(*row, *cell) { without++ })
	u.each(shape, func(*row, *cell) { without-- })
	shape.differs = shape.differs || without > 0
}

// defaultMaker takes the manufacturer of rows that name none, of several the least in bytes.
func (u *union) defaultMaker() {
	least := ""
	for i := range u.rows {
		name := cmp.Or(u.rows[i].table.manufacturer, u.o.Manufacturer)
		if least == "" || name != "" && name < least {
			least = name
		}
	}
	place := func() dataset.Place { return u.rows[0].place(1) }
	if u.maker = u.makerOf(least, "", place); u.maker == nil {
		u.fault(place(), "manufacturer", "none in the rows of this product"+makerExpected)
	}
}

const oneExpected = ": expected one for a product"

func (u *union) fault(place dataset.Place, path, problem string) {
	u.faults = append(u.faults, dataset.Fault{Place: place, Record: u.id, Path: path, Problem: problem})
}

func (u *union) warning(place dataset.Place, path, problem string) {
	u.warnings = append(u.warnings, dataset.Fault{Place: place, Record: u.id, Path: path, Problem: problem})
}

// each calls a function with each cell that speaks of a topic.
func (u *union) each(t *topic, do func(*row, *cell)) {
	for i := range u.rows {
		for j := range u.rows[i].cells {
			if c := &u.rows[i].cells[j]; c.topic == t {
				do(&u.rows[i], c)
			}
		}
	}
}

// contradiction notes a fault that names two cells with different values, the least and the greatest.
func (u *union) contradiction(t *topic) {
	least, most := t.cell, t.cell
	var leastAt, mostAt *row
	u.each(t, func(r *row, c *cell) {
		if leastAt == nil || c.text < least.text {
			least, leastAt = c, r
		}
		if mostAt == nil || c.text > most.text {
			most, mostAt = c, r
		}
	})
	u.fault(mostAt.place(most.number), most.header, dataset.Quoted(most.text)+", but "+dataset.Quoted(least.text)+" in "+
		leastAt.place(least.number).String()+oneExpected)
}

// said returns what the rows say of a field, nil when they say nothing.
func (u *union) said(f Field) *topic {
	for _, t := range u.topics {
		if t.field == f {
			return t
		}
	}
	return nil
}

// value returns what all rows that speak of a field say, "" where they differ.
func (u *union) value(f Field) string {
	if t := u.said(f); t != nil && !t.differs {
		return t.cell.text
	}
	return ""
}

// counts returns how many rows say each text of a field.
func (u *union) counts(f Field) map[string]int {
	counts := map[string]int{}
	if t := u.said(f); t != nil {
		u.each(t, func(_ *row, c *cell) { counts[c.text]++ })
	}
	return counts
}

// chooseLabel finds the product's name: of several the most frequent, then the shortest, then the least in bytes.
func (u *union) chooseLabel() {
	if u.label = u.key.text; u.key.by == FieldLabel {
		return
	}
	if u.key.by == FieldID {
		u.label = u.value(FieldArticle)
	}
	for _, f := range nameFields {
		t := u.said(f)
		switch {
		case t == nil:
			continue
		case !t.differs:
			u.label = t.cell.text
			return
		}
		counts := u.counts(f)
		u.label = mostFrequent(counts, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
		delete(counts, u.label)
		if f == FieldLabel {
			u.warning(u.rows[0].place(1), "label", dataset.Quoted(u.label)+", in other rows "+quotedList(slices.Sorted(maps.Keys(counts))))
		}
		return
	}
}

// members writes the members of the record.
func (u *union) members() {
	u.j.Key("id").String(u.id)
	u.texts(FieldSlug)
	u.booleans(FieldPublished)
	if u.label != "" {
		u.localized("label", u.label, FieldLabelEN)
	}
	u.texts(FieldCommercialName)
	u.localized("description", u.value(FieldDescription), FieldDescriptionEN)
	u.writeMaker()
	u.texts(FieldDataSource)
	u.booleans(FieldPurchasable)
	u.texts(FieldCategory, FieldCharacter)
	u.writeInstallation()
	u.texts(FieldFireClass)
	u.writeAlphaW()
	octave := u.practical()
	if len(octave) > 0 || u.isEmpty("absorption_octave") {
		u.writeCurve("absorption_octave", octave)
	}
	if latest := u.latest(); latest != "" {
		u.j.Key("updated_at").String(latest)
	}
	u.booleans(FieldHasEPD)
	u.texts(FieldURL, FieldEPDURL)
	geometry := u.geometry()
	u.writeMeta()
	if images := u.value(FieldImages); images != "" {
		u.j.Key("images").Raw([]byte(images))
	}
	if geometry != "" {
		u.j.Key("geometry").Raw([]byte(geometry))
	}
	if len(u.entries) > 0 && u.entries[0].id != "" {
		u.j.Key("measurements").Object(u.writeMeasurements)
	}
}

// identity writes what a record that is too large is known by.
func (u *union) identity() {
	u.j.Key("id").String(u.id)
	u.texts(FieldSlug)
	u.localized("label", u.label, FieldLabelEN)
	u.writeMaker()
}

// texts writes fields that are texts.
func (u *union) texts(fields ...Field) {
	for _, f := range fields {
		if text := u.value(f); text != "" || u.isEmpty(string(f)) {
			u.j.Key(string(f)).String(text)
		}
	}
}

// booleans writes fields that are true or false.
func (u *union) booleans(f Field) {
	if text := u.value(f); text != "" {
		u.j.Key(string(f)).Bool(text == "true")
	}
}

// localized writes a text with its English, which stands for the German one where that is missing.
func (u *union) localized(name, german string, english Field) {
	en := u.value(english)
	inEnglish := en != "" || u.isEmpty(string(english))
	switch {
	case german != "" || u.isEmpty(name):
	case inEnglish:
		german = en
	default:
		return
	}
	u.j.Key(name).Object(func() {
		u.j.Key(product.German).String(german)
		if inEnglish {
			u.j.Key(product.English).String(en)
		}
	})
}

func (u *union) writeMaker() {
	if u.maker == nil {
		return
	}
	slug, id := u.value(FieldManufacturerSlug), u.value(FieldManufacturerID)
	if slug == "" && id == "" {
		u.j.Key("manufacturer").String(u.maker.name())
		return
	}
	u.j.Key("manufacturer").Object(func() {
		if id != "" {
			u.j.Key("id").String(id)
		}
		if slug != "" {
			u.j.Key("slug").String(slug)
		}
		u.j.Key("name").String(u.maker.name())
	})
}

// writeInstallation writes the installation types: those of all rows, sorted unless all rows have the same.
func (u *union) writeInstallation() {
	t := u.said(FieldInstallation)
	if t == nil {
		return
	}
	list := t.cell.text
	if t.differs {
		var all []string
		for types := range u.counts(FieldInstallation) {
			all = append(all, listOf(types)...)
		}
		slices.Sort(all)
		list = jsonList(slices.Compact(all))
	}
	u.j.Key(string(FieldInstallation)).Raw([]byte(list))
}

// writeAlphaW writes the declared alpha_w and alpha_w_min: where rows differ the largest, and the least of all.
func (u *union) writeAlphaW() {
	least, most := u.extremes(FieldAlphaW)
	leastOfAll, _ := u.extremes(FieldAlphaWMin)
	if least <= most {
		u.j.Key(string(FieldAlphaW)).Number(most)
	}
	if least < most {
		leastOfAll = min(leastOfAll, least)
	}
	if !math.IsInf(leastOfAll, 0) {
		u.j.Key(string(FieldAlphaWMin)).Number(leastOfAll)
	}
}

// extremes returns the least and the largest number that rows have for a field, infinities when there is none.
func (u *union) extremes(f Field) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	if t := u.said(f); t != nil {
		u.each(t, func(_ *row, c *cell) {
			if v := parsed(c.text); v != nil {
				least, most = min(least, *v), max(most, *v)
			}
		})
	}
	return least, most
}

// latest returns the latest of the moments at which rows were updated.
func (u *union) latest() string {
	t := u.said(FieldUpdated)
	if t == nil {
		return ""
	}
	latest := t.cell.text
	u.each(t, func(_ *row, c *cell) {
		a, errA := time.Parse(time.RFC3339, c.text)
		b, errB := time.Parse(time.RFC3339, latest)
		if errA == nil && errB == nil && a.After(b) || (errA != nil || errB != nil || a.Equal(b)) && c.text > latest {
			latest = c.text
		}
	})
	return latest
}

// isEmpty reports whether a field of the product is there and empty, as only our own tables say.
func (u *union) isEmpty(field string) bool {
	t := u.said(FieldEmpty)
	found := false
	if t != nil {
		u.each(t, func(_ *row, c *cell) { found = found || slices.Contains(strings.Fields(c.text), field) })
	}
	return found
}
