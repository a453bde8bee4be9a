package products

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/product"
)

// measurements returns the entries that a record contains. It reuses the memory of m.
func (s *Set) measurements(m product.Measurements, entries []entry, ids []string) product.Measurements {
	m = product.Measurements{Absorption: m.Absorption[:0], Scatter: m.Scatter[:0], Diffusion: m.Diffusion[:0]}
	for i := range entries {
		e, p := &entries[i], entries[i].parts[0]
		words := &p.texts[option]
		if len(*words) > maxOptionBytes {
			words = &p.given
		}
		shared := product.Measurement{ID: ids[i], Label: p.texts[label], SourceNorm: p.texts[sourceNorm],
			SourceKind:      cmp.Or(p.texts[sourceKind], s.o.SourceKind, DefaultSourceKind),
			MeasuringOption: p.text("measuring_option", words)}
		switch p.array {
		case absorption:
			m.Absorption = append(m.Absorption, product.Absorption{Measurement: shared,
				Mounting: p.text("mounting", &p.texts[mounting]), CalculatedAbsorption: number(p.texts[calculated]),
				ThicknessMM: millimetres(&p.row.thickness), AirGapMM: millimetres(&p.row.airGap)})
			e.fill(&m.Absorption[len(m.Absorption)-1])
		case scattering:
			m.Scatter = append(m.Scatter, product.Scatter{Measurement: shared})
			e.fill(&m.Scatter[len(m.Scatter)-1])
		case diffusion:
			for _, c := range p.row.cells {
				if c.column.field == columns.SourceKind && c.text != product.Measured {
					s.survey.fault(p.row.Place(c.column.number), c.column.header,
						"expected "+product.Measured+", the only source kind for diffusion, got "+dataset.Quoted(c.text))
				}
			}
			shared.SourceKind = product.Measured
			limitHz := number(p.texts[limit])
			m.Diffusion = append(m.Diffusion, product.Diffusion{Measurement: shared, LimitFrequencyHz: limitHz})
			e.fill(&m.Diffusion[len(m.Diffusion)-1])
		}
	}
	return m
}

func millimetres(l *cells.Length) *float64 {
	if !l.Known {
		return nil
	}
	return &l.MM
}

// fill sets the curves of a measurement, including empty ones.
func (e *entry) fill(m interface {
	Curve(name string) *acoustics.Curve
}) {
	for _, c := range e.curves {
		*m.Curve(string(c.Quantity) + "_" + string(c.Resolution)) = c.Points
	}
	for _, name := range e.parts[0].empty {
		if c := m.Curve(name); c != nil && *c == nil {
			*c = acoustics.Curve{}
		}
	}
}

// text returns a string in an entry. It returns "" for an empty string, and nil if there is none.
func (p *part) text(field string, text *string) *string {
	if *text == "" && !slices.Contains(p.empty, field) {
		return nil
	}
	return text
}

// maxOptionBytes is the maximum length of a measuring option in a record. structured_meta contains the full
// text of longer options.
const maxOptionBytes = 1000

// entryTexts returns strings without a field in an entry: long measuring options, and strings of single
// bands.
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

// practical returns the practical coefficients of the most absorptive set-up. If set-ups differ, it also
// returns the coefficients of each set-up as text, and the strings of set-ups that are not entries.
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
	var others []product.MetaEntry // strings of the first set-up that is not an entry
	var texts []string             // strings of all set-ups that are not entries
	for i := range entries {
		switch e := &entries[i]; {
		case e.array() == practical && differ:
			meta = append(meta, practicalText(v.words(e), e.curves[0].Points))
		case e.array() >= practical && !e.isMeasured():
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

// words returns the strings of a set-up that is not an entry.
func (v *survey) words(e *entry) (words []product.MetaEntry) {
	for _, l := range e.cells() {
		if c := l.cell; c.column.topic.kind == setUpAlways || v.factOf(c).role == perSetUp {
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
