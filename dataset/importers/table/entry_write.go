package table

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/jsonwriter"
)

// writeMeasurements writes the entries, norm by norm.
func (u *union) writeMeasurements() {
	for i := 0; i < len(u.entries) && u.entries[i].id != ""; {
		n := u.entries[i].parts[0].array
		u.j.Key(arrays[n].field).Array(func() {
			for ; i < len(u.entries) && u.entries[i].parts[0].array == n; i++ {
				u.j.Object(func() { u.writeEntry(&u.entries[i]) })
			}
		})
	}
}

func (u *union) writeEntry(e *entry) {
	p := e.parts[0]
	text := func(key, value string) {
		if value != "" || e.isEmpty(key) {
			u.j.Key(key).String(value)
		}
	}
	u.j.Key("id").String(e.id)
	if p.label != "" {
		u.j.Key("label").String(p.label)
	}
	u.j.Key("source_kind").String(u.sourceKind(e))
	if p.sourceNorm != "" {
		u.j.Key("source_norm").String(p.sourceNorm)
	}
	text("measuring_option", p.option)
	if p.array == absorption {
		text("mounting", p.mounting)
		u.writeLength("thickness_mm", p.thickness)
		u.writeLength("air_gap_mm", p.airGap)
		u.writeNumber("calculated_absorption", p.calculated)
	}
	if p.array == diffusion {
		u.writeNumber("limit_frequency_hz", p.limit)
	}
	for i := range e.curves {
		c := &e.curves[i]
		u.writeCurve(curveField(c.quantity, c.resolution), c.points)
	}
	if u.said(FieldEmpty) != nil {
		e.writeEmptyCurves(&u.j)
	}
}

// writeCurve writes a curve as a frequency map.
func (u *union) writeCurve(field string, c acoustics.Curve) {
	u.j.Key(field).Object(func() {
		for _, p := range c {
			u.j.KeyInt(p.BandHz).Number(p.Value)
		}
	})
}

// sourceKind returns where the data of an entry come from. Diffusion is always measured.
func (u *union) sourceKind(e *entry) string {
	p := e.parts[0]
	if p.array != diffusion {
		return cmp.Or(p.sourceKind, u.o.SourceKind, DefaultSourceKind)
	}
	const measured = "measured"
	if p.sourceKind != "" && p.sourceKind != measured {
		i := slices.IndexFunc(p.row.cells, func(c cell) bool { return c.topic.field == FieldSourceKind })
		u.fault(p.row.place(p.row.cells[i].number), p.row.cells[i].header, "expected "+measured+", as all diffusion is, got "+dataset.Quoted(p.sourceKind))
	}
	return measured
}

func (u *union) writeLength(key string, l lengthMM) {
	if l.known {
		u.j.Key(key).Number(l.mm)
	}
}

func (u *union) writeNumber(key, text string) {
	if v := parsed(text); v != nil {
		u.j.Key(key).Number(*v)
	}
}

// parsed returns the number that a text is, nil for none.
func parsed(text string) *float64 {
	if text == "" {
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}

// isEmpty reports whether a field of the entry is there and empty.
func (e *entry) isEmpty(field string) bool {
	return slices.ContainsFunc(e.parts, func(p *part) bool {
		return p.empty != "" && slices.Contains(strings.Fields(p.empty), field)
	})
}

// curveField returns the field of the record that a curve fills.
func curveField(q Quantity, r Resolution) string {
	if q == AlphaS && r == ThirdOctave { // most are: no new text for each
		return "alpha_s_third_octave"
	}
	return string(q) + "_" + string(r)
}

// writeEmptyCurves writes the curves that have no band.
func (e *entry) writeEmptyCurves(j *jsonwriter.Text) {
	for _, q := range quantities {
		for _, r := range []Resolution{Octave, ThirdOctave} {
			field := curveField(q, r)
			if arrayOf(q) == e.parts[0].array && e.isEmpty(field) && e.curve(q, r) == nil {
				j.Key(field).Object(func() {})
			}
		}
	}
}

// curve returns the bands of a quantity, nil for none.
func (e *entry) curve(q Quantity, r Resolution) acoustics.Curve {
	for i := range e.curves {
		if c := &e.curves[i]; c.quantity == q && c.resolution == r {
			return c.points
		}
	}
	return nil
}
