package synthetic

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"sabine/dataset"
	"sabine/dataset/acoustics"
)

// An invention contains the properties of a synthetic product on which several fields of its record depend.
type invention struct {
	id                uuid.UUID
	slug, article     string
	brand             *brand
	kind              *productKind
	series            string
	material          material
	surface           phrase
	installations     []string
	thicknessMM       int
	widthMM, heightMM int
	measured          bool               // whether the product has coefficients: variants or a diffuser
	variants          []variant          // absorption entries
	diffuser          acoustics.Diffuser // nil for other products
	character         string
	label             phrase
	words             map[string]phrase // replacements for the names in phrases
}

// A variant is an absorption entry.
type variant struct {
	design        design          // its gapMM includes a cavity in the product; gapMM below does not
	octave, third acoustics.Curve // one of them can be nil
	thicknessMM   int
	gapMM         int
}

// alphaW returns the rating that the build computes from the curves of the entry.
func (v *variant) alphaW() *acoustics.Hundredths { return acoustics.Rate(v.octave, v.third).AlphaW }

// invent returns a random product.
func (g *generator) invent(i int, d *dice) *invention {
	p := &invention{id: inventUUID(d)}
	t := tables()
	n := len(t.brands)
	p.brand = &t.brands[d.below(d.below(n)+1+n/8)%n] // the first brands are more frequent
	p.kind = pick(d, p.brand.kinds)
	if d.percent(35) {
		p.kind = pick(d, t.kindsByUse)
	}
	name := pick(d, p.kind.Names)
	p.series = p.brand.series[(p.kind.index+d.below(3))%seriesPerBrand] // a brand has few series of the same kind
	p.material = pick(d, t.Materials[pick(d, p.kind.Materials)])
	p.surface = pick(d, slices.Concat(p.material.Surfaces...))
	qualifier := pick(d, t.Qualifiers)
	p.installations = pick(d, p.kind.Installations)
	size := pick(d, p.kind.SizesMM)
	p.thicknessMM, p.widthMM, p.heightMM = pick(d, p.kind.ThicknessMM), size[0], size[1]
	mark := strings.ToUpper(strings.ReplaceAll(p.brand.slug, "-", "")[:2])
	p.article = fmt.Sprintf("%s-%08d", mark, articleNumber(i))
	p.measured = !d.percent(2)
	switch p.character = "streuend"; p.kind.Family { // the profile of a diffuser determines its size
	case "residue-diffuser":
		q := acoustics.QRD{
			Prime:       pick(d, []int{7, 11, 13}),
			WellWidthMM: pick(d, []float64{40, 50, 60, 75}),
			DesignHz:    pick(d, []float64{400, 500, 630, 800}),
		}
		p.widthMM, p.thicknessMM = int(float64(q.Prime)*q.WellWidthMM), int(math.Round(q.DepthMM()))+12
		p.diffuser = q
	case "curved-diffuser":
		c := acoustics.Polycylinder{ChordMM: pick(d, []float64{400, 500, 600, 800})}
		c.RiseMM = c.ChordMM / pick(d, []float64{2, 3, 4, 6})
		p.widthMM, p.thicknessMM = int(c.ChordMM), int(math.Round(c.RiseMM))
		p.diffuser = c
	default:
		g.inventAbsorber(p, d)
	}
	if !p.measured {
		p.variants, p.diffuser = nil, nil
	}
	p.widthMM, p.heightMM = cmp.Or(p.widthMM, p.thicknessMM), cmp.Or(p.heightMM, p.thicknessMM) // cylinders and spheres
	p.words = p.labelWords(name, qualifier)
	p.label = pick(d, t.Labels).fill(p.words)
	p.slug = p.brand.slug + "-" + dataset.SlugOf(name.de+" "+p.series) + "-" + p.article[3:]
	return p
}

// articleNumber returns a unique article number of up to eight digits for a record. It spreads the numbers
// below 2^24 with an odd factor, and does not change larger numbers.
func articleNumber(i int) int {
	const block = 1 << 24
	if i >= block {
		return i
	}
	return i * 0x9e3779 % block
}

// inventUUID returns a random UUID (version 4).
func inventUUID(d *dice) uuid.UUID {
	random := binary.LittleEndian.AppendUint64(nil, d.roll())
	random = binary.LittleEndian.AppendUint64(random, d.roll())
	return uuid.Must(uuid.NewRandomFromReader(bytes.NewReader(random)))
}

// inventAbsorber adds absorption entries to a product: a construction with different air gaps or different
// thicknesses.
func (g *generator) inventAbsorber(p *invention, d *dice) {
	base := p.inventDesign(d)
	count := 1 + d.below(3)*d.below(2) + d.below(2)
	byThickness := p.kind.Family == "porous" && p.kind.Shape == "panel" && d.percent(25)
	form := d.below(10) // 0: only third octaves; 1: only octaves
	wide := d.percent(8)
	gapMM := pick(d, p.kind.GapsMM)
	for i := range count {
		v := variant{design: base, thicknessMM: p.thicknessMM, gapMM: gapMM}
		switch {
		case i == 0: // the thickness in the label
		case byThickness:
			v.thicknessMM = pick(d, p.kind.ThicknessMM)
			v.design.porous.ThicknessMM = float64(v.thicknessMM)
		default:
			v.gapMM = pick(d, p.kind.GapsMM)
		}
		v.design.gapMM += float64(v.gapMM)
		if slices.ContainsFunc(p.variants, func(other variant) bool { return other.design == v.design }) {
			continue
		}
		v.third = g.absorber(v.design)
		if !wide { // only the bands that ISO 354 requires
			first := slices.Index(acoustics.ThirdBands, acoustics.StandardThirds[0])
			v.third = v.third[first:][:len(acoustics.StandardThirds)]
		}
		v.octave = acoustics.OctaveAverages(v.third)
		if i == 0 {
			p.character = characterOf(v.octave)
		}
		switch form {
		case 0:
			v.octave = nil
		case 1:
			v.third = nil
		}
		p.variants = append(p.variants, v)
	}
}

// inventDesign returns a random construction of a product, without the air gap of an entry.
func (p *invention) inventDesign(d *dice) design {
	thickness := float64(p.thicknessMM)
	c := design{porous: acoustics.Porous{ThicknessMM: thickness,
		FlowResistivity: float64(pick(d, p.material.Resistivities))}}
	edges := p.kind.Edges[0]
	if steps := (p.kind.Edges[1] - edges) / 50; steps > 0 {
		edges += 50 * d.below(steps+1)
	}
	c.edgePerArea = float64(edges) / 100
	switch p.kind.Family {
	case "porous":
		if p.kind.Shape != "panel" && p.kind.Shape != "sheet" && p.kind.Shape != "baffle" {
			c.porous.ThicknessMM = float64(p.thicknessMM / 4) // a layer of foam or wool around a core
		}
	case "perforated":
		holes := tables().Perforations.Boards
		if p.thicknessMM <= 2 {
			thickness, holes = 0.7, tables().Perforations.Sheets
		}
		hole := pick(d, holes)
		open := hole[1] / 100
		// flow resistance of the fleece for an open ratio of 1, in Pa s/m: similar to the impedance of air
		const fleece = 350
		c.facing = acoustics.Perforated{ThicknessMM: thickness, HoleMM: hole[0], OpenRatio: open,
			FleeceResistance: fleece * open}
		c.porous.ThicknessMM = pick(d, []float64{0, 20, 30, 40})
	case "microperforated":
		c.facing = acoustics.Perforated{
			ThicknessMM: pick(d, []float64{0.1, 0.2, 0.5, 1}),
			HoleMM:      pick(d, []float64{0.15, 0.2, 0.3, 0.4}),
			OpenRatio:   pick(d, []float64{0.007, 0.010, 0.014, 0.020}),
		}
		c.porous.ThicknessMM = 0
	case "membrane":
		c.facing = acoustics.Membrane{MassKgM2: pick(d, []float64{1, 2, 3.5, 5, 8}), Resistance: 250}
		c.gapMM = float64(p.thicknessMM / 2)
		c.porous.ThicknessMM = c.gapMM
	}
	return c
}

// characterOf returns the absorption character of a curve.
func characterOf(octave acoustics.Curve) string {
	mean := func(lowerHz, upperHz int) float64 {
		lower, _ := octave.At(lowerHz)
		upper, _ := octave.At(upperHz)
		return (lower + upper) / 2
	}
	low, middle, high := mean(125, 250), mean(500, 1000), mean(2000, 4000)
	switch {
	case max(low, middle, high) < 0.2:
		return "gering"
	case low > middle+0.1 && low > high+0.1:
		return "tiefton"
	case middle > low+0.1 && middle > high+0.1:
		return "mittelton"
	case high > middle+0.1 && high > low+0.3:
		return "hochton"
	}
	return "breitband"
}

// inventDate returns the time of the last update of a record. Some times repeat, because catalogues are often
// updated in bulk.
func inventDate(d *dice) time.Time {
	first := time.Date(2021, 3, 1, 0, 0, 0, 0, time.UTC)
	switch day := d.below(5 * 365); d.below(20) {
	case 0:
		return first.AddDate(0, day/30, 0)
	case 1:
		return first.AddDate(0, 0, day).Add(time.Duration(d.below(86_400_000)) * time.Millisecond)
	default:
		return first.AddDate(0, 0, day).Add(time.Duration(d.below(86_400)) * time.Second)
	}
}
