package products

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/identity"
	"sabine/dataset/product"
)

// result makes the product of a group.
func (s *Set) result(id uuid.UUID, g *identity.Group[*row]) Result {
	r, v, rows := Result{Key: g.Named()}, &s.survey, g.Rows[:min(len(g.Rows), identity.MaxRows)]
	v.begin(rows)
	r.Place = rows[0].Place(1)
	if len(g.Rows) > identity.MaxRows {
		problem := "more than " + strconv.Itoa(identity.MaxRows) + " rows for one product"
		v.fault(g.Rows[identity.MaxRows].Place(1), "", problem)
	}
	v.contradictions(g.Key)
	if g.Key.By == columns.ID && id == uuid.Nil {
		v.fault(r.Place, "id", "expected a UUID")
	}
	if g.Maker != nil || s.o.Partial {
		s.fill(g)
		s.made.ID, r.Product = id, &s.made
	} else {
		v.fault(r.Place, "manufacturer", "missing in all rows of this product"+identity.MakerExpected)
	}
	for _, list := range [][]dataset.Fault{v.found.faults, v.found.warnings} {
		for i := range list {
			if list[i].Record = r.Key.ID; r.Key.ID == "" && id != uuid.Nil {
				list[i].Record = id.String()
			}
		}
	}
	for _, row := range rows {
		r.Faults, r.Warnings = append(r.Faults, row.found.faults...), append(r.Warnings, row.found.warnings...)
	}
	r.Faults, r.Warnings = append(r.Faults, v.found.faults...), append(r.Warnings, v.found.warnings...)
	return r
}

// makerColumn is the column of cells that name manufacturers. Rows do not retain these cells.
var makerColumn = &column{columnKey: columnKey{header: "manufacturer"}}

// contradictions adds a fault if rows have different strings for a field that a product has once. It warns if
// rows with equal names have different series.
func (v *survey) contradictions(k identity.Key) {
	var makers []located
	for _, r := range v.rows {
		if r.maker != nil && k.By == columns.ID {
			makers = append(makers, located{&cell{makerColumn, r.maker.Name}, r})
		}
	}
	if makers = firstOfEach(makers); len(makers) > 1 {
		v.contradict(makers)
	}
	for i := range v.facts {
		of := &v.facts[i]
		isSeries := of.topic.field == columns.Series || of.topic.field == columns.CommercialName
		switch {
		case !of.differs:
		case of.topic.kind == onlyOne:
			v.contradict(firstOfEach(of.cells))
		case isSeries && k.By == columns.Label:
			first := of.cells[0]
			v.warn(first.place(), first.cell.column.header, "check whether these are several products with the name "+
				dataset.Quoted(k.Text)+": "+inPlaces(firstOfEach(of.cells)))
		}
	}
}

// label returns the name of the product: the most frequent one, then the shortest, then the first in byte
// order. A correction has a name only if its rows have one in the name column.
func (v *survey) label(k identity.Key, partial bool) string {
	if k.By == columns.Label && !partial {
		return k.Text
	}
	for _, field := range identity.NameFields {
		of := v.fact(field)
		if of.topic == nil || partial && field != columns.Label {
			continue
		}
		if !of.differs {
			return of.cells[0].cell.text
		}
		counts := map[string]int{}
		for _, l := range of.cells {
			counts[l.cell.text]++
		}
		label, others := identity.MostFrequent(counts, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
		if field == columns.Label {
			v.warn(v.rows[0].Place(1), "label",
				dataset.Quoted(label)+" is used as the name; other rows have "+
					dataset.Listed(others, len(others), dataset.Quoted))
		}
		return label
	}
	if partial {
		return ""
	}
	if k.By == columns.Article {
		const problem = "no row with this article number has a name: the article number is used as the name"
		v.note(v.rows[0].Place(1), "label", problem, "product")
	}
	return v.value(columns.Article)
}

// localized appends a string with its English translation. The English text is also used as the German one if
// that is missing, except in a correction.
func (v *survey) localized(to product.Text, name, german string, english columns.Field, partial bool) product.Text {
	en, isGiven := v.text(english), slices.Contains(v.empty, name) // an empty cell of a correction is given
	if german == "" && !isGiven && en != nil && !partial {
		german, isGiven = *en, true
	}
	if german != "" || isGiven {
		to = append(to, product.Localized{Locale: product.German, Text: german})
	}
	if en != nil {
		to = append(to, product.Localized{Locale: product.English, Text: *en})
	}
	return to
}

// fill stores the product of a group in s.made, reusing its memory. s.survey must have read the rows.
func (s *Set) fill(g *identity.Group[*row]) {
	v, p := &s.survey, &s.made
	text, description, measurements := p.Label[:0], p.Description[:0], p.Measurements
	name := v.label(g.Key, s.o.Partial)
	entries, tooLong := v.divide()
	*p = product.Product{Slug: v.text(columns.Slug), Published: v.boolean(columns.Published, true), Purchasable: true}
	if name != "" || s.o.Partial {
		p.Label = v.localized(text, "label", name, columns.LabelEN, s.o.Partial)
	}
	if g.Maker != nil {
		p.Manufacturer = product.Manufacturer{Slug: v.value(columns.ManufacturerSlug), Name: g.Maker.Name}
		p.Manufacturer.ID, _ = uuid.Parse(v.value(columns.ManufacturerID)) // package cells has verified it
	}
	if tooLong != nil {
		longest := slices.MaxFunc(tooLong.cells, func(a, b cell) int { return cmp.Compare(len(a.text), len(b.text)) })
		v.fault(tooLong.Place(longest.column.number), longest.column.header, "the values of product "+dataset.Quoted(g.Key.Text)+
			" exceed the limit of 2 MiB for a record here: shorten them, or use fewer set-ups with different values")
		return
	}
	p.Description = v.localized(description, "description", v.value(columns.Description),
		columns.DescriptionEN, s.o.Partial)
	v.describe(p)
	ids := idsOf(entries)
	p.Measurements = s.measurements(measurements, entries, ids)
	octave, meta := v.practical(entries)
	if p.AbsorptionOctave = octave; octave == nil && slices.Contains(v.empty, "absorption_octave") {
		p.AbsorptionOctave = acoustics.Curve{}
	}
	v.documents(p, append(meta, v.entryTexts(entries, ids)...))
	for i := range entries {
		e := &entries[i]
		v.doubt(e)
		if s.o.Partial && e.array() == unmeasured && len(v.words(e)) > 0 {
			v.fault(e.parts[0].row.Place(1), "measurements", "set-up without coefficients: a correction replaces "+
				"all set-ups of a product, and each set-up needs coefficients")
		}
	}
	v.noteDifferences()
	v.doubtRatings(entries)
}

// describe sets text fields, addresses and similar fields. If rows differ, alpha_w is the largest value,
// alpha_w_min the smallest of all values, and updated_at the latest.
func (v *survey) describe(p *product.Product) {
	p.CommercialName, p.DataSource = v.text(columns.CommercialName), v.text(columns.DataSource)
	p.Purchasable = v.boolean(columns.Purchasable, p.SoldByDefault())
	p.MaterialCategory, p.AbsorptionCharacter = v.text(columns.Category), v.text(columns.Character)
	types := v.fact(columns.Installation)
	for _, l := range firstOfEach(types.cells) {
		p.InstallationTypes = append(p.InstallationTypes, strings.Split(l.cell.text, dataset.ListMark)...)
	}
	if types.differs { // otherwise their order does not change
		slices.Sort(p.InstallationTypes)
		p.InstallationTypes = slices.Compact(p.InstallationTypes)
	}
	if text := v.text(columns.FireClass); text != nil {
		class, _ := product.ParseFireClass(*text)
		p.FireClass = &product.FireClass{Text: *text, Class: class.Class}
	}
	for _, l := range v.fact(columns.Updated).cells {
		at, err := time.Parse(time.RFC3339, l.cell.text)
		if err == nil && (p.UpdatedAt == nil || at.After(*p.UpdatedAt)) {
			p.UpdatedAt = &at
		}
	}
	p.URL, p.EPDURL = v.text(columns.URL), v.text(columns.EPDURL)
	p.HasEPD = v.boolean(columns.HasEPD, p.EPDURL != nil)
	least, most, best := v.extremes(columns.AlphaW)
	leastOfAll, _, _ := v.extremes(columns.AlphaWMin)
	if best != nil {
		p.AlphaW = new(most)
	}
	if least < most {
		leastOfAll = min(leastOfAll, least)
	}
	if !math.IsInf(leastOfAll, 0) {
		p.AlphaWMin = new(leastOfAll)
	}
}

// noteDifferences reports the columns in which set-ups differ.
func (v *survey) noteDifferences() {
	headers := map[string]bool{} // an alpha_w column has two cells; two tables can have equal columns
	for _, r := range v.rows {
		for _, c := range r.cells {
			if header := c.column.header; v.factOf(&c).role == perSetUp && !headers[header] {
				headers[header] = true
				v.note(r.Place(c.column.number), header,
					"differs between rows of a product: stored in the measuring_option of its set-ups", "product")
			}
		}
	}
}

// documents sets geometry, images and structured_meta: from the JSON of an export, from lengths, from
// columns that are unknown or have no field in a record, and from the entries in more.
func (v *survey) documents(p *product.Product, more []product.MetaEntry) {
	var used []columns.Field
	for _, of := range []columns.Field{columns.Geometry, columns.Images, columns.Meta} {
		if v.value(of) != "" {
			read := v.parse(v.fact(of).cells[0])
			p.Geometry, p.Images = cmp.Or(p.Geometry, read.Geometry), append(p.Images, read.Images...)
			p.StructuredMeta = read.StructuredMeta // nil before Meta, which comes last
		}
	}
	if p.Geometry == nil && v.value(columns.Geometry) == "" {
		p.Geometry, used = v.geometry()
	}
	if len(p.Label) > 0 && v.value(columns.Material) == p.Label.In(product.German) {
		used = append(used, columns.Material)
	}
	for i := range v.facts {
		of := &v.facts[i]
		if of.topic.kind == ofMeta && of.role == agreed && !slices.Contains(used, of.topic.field) {
			more = append(more, product.MetaEntry{Key: of.topic.key, Value: of.cells[0].cell.text})
		}
	}
	more = append(more, v.bestRatings()...)
	if more = append(more, p.StructuredMeta...); len(more) > 0 { // otherwise the record can have an empty object
		p.StructuredMeta = product.MergeMeta(more, "; ")
	}
}

// bestRatings returns the class and the shape indicators of the row with the largest alpha_w, if rows differ
// in them.
func (v *survey) bestRatings() (meta []product.MetaEntry) {
	_, _, best := v.extremes(columns.AlphaW)
	if best == nil {
		return nil
	}
	for i := range best.cells {
		if c := &best.cells[i]; c.isOfAlphaW() && v.factOf(c).role == perSetUp {
			meta = append(meta, product.MetaEntry{Key: c.column.topic.key, Value: c.text})
		}
	}
	return meta
}

// parse reads the JSON in a cell of an export. Faults and warnings have the place of the cell.
func (v *survey) parse(l located) (read product.Product) {
	json := `{"` + string(l.cell.column.topic.field) + `":` + l.cell.text + `}`
	parsed := dataset.ParseMembers(dataset.Raw{Place: l.place(), JSON: []byte(json)})
	if p := cmp.Or(parsed.Product, parsed.Faulty); p != nil {
		read = *p
	}
	v.found.faults = append(v.found.faults, parsed.Faults...)
	v.found.warnings = append(v.found.warnings, parsed.Warnings...)
	for _, name := range parsed.Unknown {
		v.warn(l.place(), name, "not in the record format: ignored")
	}
	return read
}

// geometry returns the solid of a shape and its three lengths, and the fields that it consists of. It returns
// nil if any of them is missing.
func (v *survey) geometry() (*product.Geometry, []columns.Field) {
	shape := v.value(columns.Shape)
	if shape == "" {
		return nil, nil
	}
	used := []columns.Field{columns.Width, columns.Height, columns.Depth, columns.Shape}
	sides := []string{v.value(used[0]), v.value(used[1]), v.value(used[2])}
	if !slices.ContainsFunc(v.facts, func(of fact) bool { return slices.Contains(used[:3], of.topic.field) }) {
		sides, used = strings.Split(v.value(columns.Size), " x "), append(used, columns.Size)
	}
	var sidesMM []float64
	for _, side := range sides {
		if mm := number(side); mm != nil && *mm > 0 {
			sidesMM = append(sidesMM, *mm)
		}
	}
	if len(sides) != 3 || len(sidesMM) != 3 {
		return nil, nil
	}
	box := product.BoxMM{Width: sidesMM[0], Height: sidesMM[1], Depth: sidesMM[2]}
	return &product.Geometry{Shape: shape, BoundingBox: box}, used
}
