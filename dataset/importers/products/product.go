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
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/product"
)

// result makes the product of a group.
func (s *Set) result(id uuid.UUID, g *group) Result {
	r := Result{Key: g.named()}
	var f findings
	if len(g.rows) > maxRows {
		f.fault(g.rows[maxRows].place(1), "", "more than "+strconv.Itoa(maxRows)+" rows of one product")
		g.rows = g.rows[:maxRows]
	}
	v := &s.survey
	v.begin(g.rows)
	r.Place = g.rows[0].place(1)
	f.add(v.contradictions(g.key))
	if g.key.by == columns.ID && id == uuid.Nil {
		f.fault(r.Place, "id", "expected a UUID")
	}
	if g.maker != nil || s.o.Partial {
		found := s.fill(g)
		s.made.ID, r.Product = id, &s.made
		f.add(found)
	} else {
		f.fault(r.Place, "manufacturer", "none in the rows of this product"+makerExpected)
	}
	for _, list := range [][]dataset.Fault{f.faults, f.warnings} {
		for i := range list {
			if list[i].Record = r.Key.ID; r.Key.ID == "" && id != uuid.Nil {
				list[i].Record = id.String()
			}
		}
	}
	s.note(f)
	var all findings
	for i := range g.rows {
		all.add(g.rows[i].findings())
	}
	all.add(f)
	r.Faults, r.Warnings = all.faults, all.warnings
	return r
}

// makerColumn is the column of the cells that name manufacturers, which rows do not keep.
var makerColumn = &column{columnKey: columnKey{header: "manufacturer"}}

// contradictions returns the faults of what rows say differently although a product has one, and the warning
// of series that have one name.
func (v *survey) contradictions(k key) (f findings) {
	var makers []located
	for i := range v.rows {
		if m := v.rows[i].maker; m != nil && k.by == columns.ID {
			makers = append(makers, located{&cell{makerColumn, m.name}, &v.rows[i]})
		}
	}
	if makers = firstOfEach(makers); len(makers) > 1 {
		f.faults = append(f.faults, contradiction(makers))
	}
	for i := range v.facts {
		of := &v.facts[i]
		if of.differs && of.topic.kind == onlyOne {
			f.faults = append(f.faults, contradiction(firstOfEach(v.cells(of))))
		}
		isSeries := of.topic.field == columns.Series || of.topic.field == columns.CommercialName
		if of.differs && isSeries && k.by == columns.Label {
			problem := "perhaps several products with the name " + dataset.Quoted(k.text) + ": " +
				inPlaces(firstOfEach(v.cells(of)))
			f.warn(of.first.place(), of.first.cell.column.header, problem)
		}
	}
	return f
}

// label returns the product's name: of several the most frequent, then the shortest, then the least in bytes.
// A correction has only the names that its rows give in the column of names.
func (v *survey) label(k key, partial bool) (label string, f findings) {
	if k.by == columns.Label && !partial {
		return k.text, f
	}
	for _, field := range nameFields {
		of := v.fact(field)
		if of == nil || partial && field != columns.Label {
			continue
		}
		if !of.differs {
			return of.first.cell.text, f
		}
		counts := map[string]int{}
		for _, l := range v.cells(of) {
			counts[l.cell.text]++
		}
		shortest := func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) }
		label, others := mostFrequent(counts, shortest)
		if field == columns.Label {
			problem := dataset.Quoted(label) + ", in other rows " + dataset.Listed(others, len(others), dataset.Quoted)
			f.warn(v.rows[0].place(1), "label", problem)
		}
		return label, f
	}
	if partial {
		return "", f
	}
	if k.by == columns.Article {
		const problem = "no row with the article number has a name: the article number is the name"
		f.doubt(v.rows[0].place(1), "label", problem, "product")
	}
	return v.value(columns.Article), f
}

// localized appends a text with its English, which is also the German one where that is missing, except in a
// correction.
func (v *survey) localized(to product.Text, name, german string, english columns.Field, partial bool) product.Text {
	en, isEmpty := v.text(english), v.isEmpty(name)
	if german == "" && !isEmpty && en != nil && !partial {
		german, isEmpty = *en, true
	}
	if german != "" || isEmpty {
		to = append(to, product.Localized{Locale: product.German, Text: german})
	}
	if en != nil {
		to = append(to, product.Localized{Locale: product.English, Text: *en})
	}
	return to
}

// fill makes s.made the product of a group whose rows are surveyed. It uses the memory of the product before.
func (s *Set) fill(g *group) findings {
	v, p := &s.survey, &s.made
	label, description, measurements := p.Label[:0], p.Description[:0], p.Measurements
	name, f := v.label(g.key, s.o.Partial)
	entries, faults, over := v.divide()
	f.faults = faults
	*p = product.Product{Slug: v.text(columns.Slug), Published: v.boolean(columns.Published, true), Purchasable: true}
	if name != "" || s.o.Partial {
		p.Label = v.localized(label, "label", name, columns.LabelEN, s.o.Partial)
	}
	if g.maker != nil {
		p.Manufacturer = product.Manufacturer{Slug: v.value(columns.ManufacturerSlug), Name: g.maker.name}
		if id := v.value(columns.ManufacturerID); id != "" {
			p.Manufacturer.ID, _ = uuid.Parse(id) // which the room cells has checked
		}
	}
	if over != nil {
		longest := slices.MaxFunc(over.cells, func(a, b cell) int { return cmp.Compare(len(a.text), len(b.text)) })
		f.fault(over.place(longest.column.number), longest.column.header, "the texts of "+dataset.Quoted(g.key.text)+
			" are more than 2 MiB together up to here, the limit for a record: expected shorter ones, "+
			"or fewer set-ups that differ in them")
		return f
	}
	p.Description = v.localized(description, "description", v.value(columns.Description),
		columns.DescriptionEN, s.o.Partial)
	v.describe(p)
	p.AlphaW, p.AlphaWMin = v.alphaW()
	ids := idsOf(entries)
	var found findings
	p.Measurements, found = s.measurements(measurements, entries, ids)
	f.add(found)
	octave, meta := v.practical(entries)
	if p.AbsorptionOctave = octave; octave == nil && v.isEmpty("absorption_octave") {
		p.AbsorptionOctave = acoustics.Curve{}
	}
	f.add(v.documents(p, append(meta, v.entryTexts(entries, ids)...)))
	for i := range entries {
		f.add(entries[i].doubts())
		if e := &entries[i]; s.o.Partial && e.array() == unmeasured && len(v.words(e)) > 0 {
			f.fault(e.parts[0].row.place(1), "measurements", "a set-up without coefficients: a correction replaces "+
				"all set-ups of a product, expected each with its coefficients")
		}
	}
	f.add(v.differences())
	f.warnings = append(f.warnings, v.ratingDoubts(entries)...)
	return f
}

// describe fills in the fields that are texts, addresses and the like.
func (v *survey) describe(p *product.Product) {
	p.CommercialName, p.DataSource = v.text(columns.CommercialName), v.text(columns.DataSource)
	p.Purchasable = v.boolean(columns.Purchasable, p.SoldByDefault())
	p.MaterialCategory, p.AbsorptionCharacter = v.text(columns.Category), v.text(columns.Character)
	p.InstallationTypes = v.installationTypes()
	if text := v.text(columns.FireClass); text != nil {
		class, _ := product.ParseFireClass(*text)
		p.FireClass = &product.FireClass{Text: *text, Class: class.Class}
	}
	p.UpdatedAt = v.latest()
	p.URL, p.EPDURL = v.text(columns.URL), v.text(columns.EPDURL)
	p.HasEPD = v.boolean(columns.HasEPD, p.EPDURL != nil)
}

// differences finds the columns in which set-ups differ.
func (v *survey) differences() (f findings) {
	const problem = "differs between rows of a product: kept in the measuring_option of its set-ups"
	headers := map[string]bool{} // a column of alpha_w gives two cells, and columns of two tables have one name
	for _, r := range v.rows {
		for _, c := range r.cells {
			if header := c.column.header; v.of(&c).role == apart && !headers[header] {
				headers[header] = true
				f.doubt(r.place(c.column.number), header, problem, "product")
			}
		}
	}
	return f
}

// installationTypes returns those of all rows, sorted unless all rows have the same.
func (v *survey) installationTypes() (types []string) {
	of := v.fact(columns.Installation)
	if of != nil && !of.differs {
		return strings.Split(of.first.cell.text, dataset.ListMark)
	}
	for _, l := range v.cells(of) {
		types = append(types, strings.Split(l.cell.text, dataset.ListMark)...)
	}
	slices.Sort(types)
	return slices.Compact(types)
}

// alphaW returns the declared alpha_w and alpha_w_min: where rows differ the largest, and the least of all.
func (v *survey) alphaW() (alphaW, alphaWMin *float64) {
	least, most := v.extremes(columns.AlphaW)
	leastOfAll, _ := v.extremes(columns.AlphaWMin)
	if least <= most {
		alphaW = new(most)
	}
	if least < most {
		leastOfAll = min(leastOfAll, least)
	}
	if !math.IsInf(leastOfAll, 0) {
		alphaWMin = new(leastOfAll)
	}
	return alphaW, alphaWMin
}

// latest returns the latest of the moments at which rows were updated.
func (v *survey) latest() (latest *time.Time) {
	for _, l := range v.cells(v.fact(columns.Updated)) {
		at, err := time.Parse(time.RFC3339, l.cell.text)
		if err == nil && (latest == nil || at.After(*latest)) {
			latest = &at
		}
	}
	return latest
}

// measurements returns the entries that are in an array of the record, in the memory of other ones.
func (s *Set) measurements(m product.Measurements, entries []entry, ids []string) (product.Measurements, findings) {
	m = product.Measurements{Absorption: m.Absorption[:0], Scatter: m.Scatter[:0], Diffusion: m.Diffusion[:0]}
	var f findings
	for i := range entries {
		e, p := &entries[i], entries[i].parts[0]
		shared := product.Measurement{ID: ids[i], Label: p.texts[label], SourceNorm: p.texts[sourceNorm],
			SourceKind:      cmp.Or(p.texts[sourceKind], s.o.SourceKind, DefaultSourceKind),
			MeasuringOption: e.text("measuring_option", p.shortOption())}
		switch p.array {
		case absorption:
			m.Absorption = append(m.Absorption, product.Absorption{Measurement: shared,
				Mounting: e.text("mounting", &p.texts[mounting]), CalculatedAbsorption: number(p.texts[calculated]),
				ThicknessMM: millimetres(&p.thickness), AirGapMM: millimetres(&p.airGap)})
			e.fill(&m.Absorption[len(m.Absorption)-1])
		case scattering:
			m.Scatter = append(m.Scatter, product.Scatter{Measurement: shared})
			e.fill(&m.Scatter[len(m.Scatter)-1])
		case diffusion:
			for _, c := range p.row.cells {
				if c.column.field == columns.SourceKind && c.text != product.Measured {
					f.fault(p.row.place(c.column.number), c.column.header,
						"expected "+product.Measured+", as all diffusion is, got "+dataset.Quoted(c.text))
				}
			}
			shared.SourceKind = product.Measured
			limitHz := number(p.texts[limit])
			m.Diffusion = append(m.Diffusion, product.Diffusion{Measurement: shared, LimitFrequencyHz: limitHz})
			e.fill(&m.Diffusion[len(m.Diffusion)-1])
		}
	}
	return m, f
}

func millimetres(l *cells.Length) *float64 {
	if !l.Known {
		return nil
	}
	return &l.MM
}

// fill sets the curves of a measurement, and those that are there and empty.
func (e *entry) fill(m interface {
	Curve(name string) *acoustics.Curve
}) {
	for _, c := range e.curves {
		*m.Curve(string(c.Quantity) + "_" + string(c.Resolution)) = c.Points
	}
	for _, p := range e.parts {
		for name := range strings.FieldsSeq(p.empty) {
			if c := m.Curve(name); c != nil && *c == nil {
				*c = acoustics.Curve{}
			}
		}
	}
}

// text returns a text of the entry; "" for one that is there and empty, as only our own export says, nil for
// none.
func (e *entry) text(field string, text *string) *string {
	isEmpty := func(p *part) bool { return slices.Contains(strings.Fields(p.empty), field) }
	if *text == "" && !slices.ContainsFunc(e.parts, isEmpty) {
		return nil
	}
	return text
}

// maxOptionBytes is how long a measuring option may be in a record. The whole of a longer one is kept in
// structured_meta.
const maxOptionBytes = 1000

func (p *part) shortOption() *string {
	if len(p.texts[option]) > maxOptionBytes {
		return &p.given
	}
	return &p.texts[option]
}

// entryTexts returns what the record has no place for in entries: long measuring options, and what rows say
// of single bands.
func (v *survey) entryTexts(entries []entry, ids []string) (meta []product.MetaEntry) {
	for i := range entries {
		e, of := &entries[i], ""
		if text := e.parts[0].texts[option]; ids[i] != "" && len(text) > maxOptionBytes {
			meta = append(meta, product.MetaEntry{Key: "Messoption " + ids[i], Value: text})
		}
		if ids[i] != "" && len(entries) > 1 {
			of = " (" + ids[i] + ")"
		}
		for j := range v.facts {
			if t := v.facts[j].topic; v.facts[j].role == ofBand {
				meta = appendWord(meta, t.key+of, e.bands(t))
			}
		}
	}
	return meta
}

// practical returns the practical coefficients of the product: those of its most absorptive set-up. Where
// set-ups differ, those of each are kept as text, and so are the words of set-ups that are no entry.
func (v *survey) practical(entries []entry) (best acoustics.Curve, meta []product.MetaEntry) {
	differ := false
	for i := range entries {
		if e := &entries[i]; e.array() == practical {
			c := e.curves[0].Points
			differ = differ || best != nil && !slices.Equal(c, best)
			if best == nil || acoustics.ComparePractical(c, best) > 0 {
				best = c
			}
		}
	}
	var others []product.MetaEntry // what the first of the set-ups that are no entry says
	var texts []string             // of each of these set-ups
	for i := range entries {
		switch e := &entries[i]; {
		case e.array() == practical && differ:
			meta = append(meta, practicalText(v.words(e), e.curves[0].Points))
		case e.array() == unmeasured, e.array() == practical && !e.isMeasured():
			if words := v.words(e); len(words) > 0 {
				others, texts = words, append(texts, product.JoinMeta(words))
			}
		}
	}
	slices.Sort(texts)
	if texts = slices.Compact(texts); len(texts) > 1 {
		others = []product.MetaEntry{{Key: "Aufbau", Value: strings.Join(texts, " | ")}}
	}
	return best, append(meta, others...)
}

// isMeasured reports whether all rows of a set-up are parts of entries, which have what the rows say of it.
func (e *entry) isMeasured() bool {
	return !slices.ContainsFunc(e.parts, func(p *part) bool { return !p.measured })
}

// words returns what rows say of a set-up that is no entry.
func (v *survey) words(e *entry) (words []product.MetaEntry) {
	for _, l := range e.cells() {
		if c := l.cell; c.column.topic.kind == setUpAlways || v.of(c).role == apart {
			words = append(words, product.MetaEntry{Key: c.column.header, Value: c.text})
		}
	}
	return append(words, e.parts[0].lengths()...)
}

// practicalText returns the practical coefficients of a set-up as text: "125 Hz 0.2, 250 Hz 0.45".
func practicalText(words []product.MetaEntry, c acoustics.Curve) product.MetaEntry {
	var bands []string
	for _, p := range c {
		bands = append(bands, strconv.Itoa(p.BandHz)+" Hz "+columns.FormatNumber(p.Value))
	}
	key, text, setUp := "αp", strings.Join(bands, ", "), product.JoinMeta(words)
	switch {
	case len(setUp) > maxOptionBytes/2:
		key, text = key+" "+shortHash(setUp), setUp+": "+text
	case setUp != "":
		key += " (" + setUp + ")"
	}
	return product.MetaEntry{Key: key, Value: text}
}

// documents fills in geometry, images and structured_meta: from the JSON of our own export, and from lengths,
// what no rule knows, what has no field in the record, and more.
func (v *survey) documents(p *product.Product, more []product.MetaEntry) (f findings) {
	var used []columns.Field
	for _, of := range []columns.Field{columns.Geometry, columns.Images, columns.Meta} {
		if v.value(of) != "" {
			read, found := parse(v.fact(of).first)
			p.Geometry, p.Images = cmp.Or(p.Geometry, read.Geometry), append(p.Images, read.Images...)
			p.StructuredMeta = read.StructuredMeta
			f.add(found)
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
			more = append(more, product.MetaEntry{Key: of.topic.key, Value: of.first.cell.text})
		}
	}
	more = append(more, v.bestRatings()...)
	if more = append(more, p.StructuredMeta...); len(more) == 0 {
		return f // which may be an empty object
	}
	p.StructuredMeta = product.MergeMeta(more, "; ")
	return f
}

// bestRow returns the row whose alpha_w is that of the product, nil where none has one.
func (v *survey) bestRow() *row {
	_, most := v.extremes(columns.AlphaW)
	for _, l := range v.cells(v.fact(columns.AlphaW)) {
		if value := number(l.cell.text); value != nil && *value == most {
			return l.row
		}
	}
	return nil
}

// bestRatings returns the class and the shape indicators of the best row, where rows differ in them: ISO 11654
// gives them together with alpha_w.
func (v *survey) bestRatings() (meta []product.MetaEntry) {
	best := v.bestRow()
	if best == nil {
		return nil
	}
	for i := range best.cells {
		c := &best.cells[i]
		if f := c.column.topic.field; (f == columns.Class || f == columns.ShapeInd) && v.of(c).role == apart {
			meta = append(meta, product.MetaEntry{Key: c.column.topic.key, Value: c.text})
		}
	}
	return meta
}

// parse reads the JSON of a cell of our own export. What is found has the place of the cell.
func parse(l located) (read product.Product, f findings) {
	json := `{"` + string(l.cell.column.topic.field) + `":` + l.cell.text + `}`
	parsed := dataset.ParseMembers(dataset.Raw{Place: l.place(), JSON: []byte(json)})
	if p := cmp.Or(parsed.Product, parsed.Faulty); p != nil {
		read = *p
	}
	f.faults, f.warnings = parsed.Faults, parsed.Warnings
	for _, name := range parsed.Unknown {
		f.warn(l.place(), name, "not in the record format: left out")
	}
	return read, f
}

// geometry returns the solid of a shape and its three lengths, and the fields that it is made of; nil where
// any is missing.
func (v *survey) geometry() (*product.Geometry, []columns.Field) {
	shape := v.value(columns.Shape)
	if shape == "" {
		return nil, nil
	}
	used := []columns.Field{columns.Shape, columns.Width, columns.Height, columns.Depth}
	sides := []string{v.value(columns.Width), v.value(columns.Height), v.value(columns.Depth)}
	if v.fact(columns.Width) == nil && v.fact(columns.Height) == nil && v.fact(columns.Depth) == nil {
		sides = strings.Split(v.value(columns.Size), " x ")
		used = append(used, columns.Size)
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
