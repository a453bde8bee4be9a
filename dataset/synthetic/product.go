package synthetic

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	"sabine/dataset"
	"sabine/dataset/acoustics"
)

// An invention is one synthetic product before it is written down.
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
	measured          bool // has coefficients at all
	variants          []variant
	diffuser          acoustics.Diffuser // nil unless it is one
	designHz          int                // of a residue diffuser
	character         string
	label             phrase
	words             map[string]phrase // what the names in phrases stand for
}

// A variant is one absorption entry.
type variant struct {
	design      design
	spectrum    // some have one of its curves alone
	thicknessMM int
	gapMM       int
}

// ratings are those that a compiler derives from what the entry carries.
func (v *variant) ratings() acoustics.Ratings { return acoustics.Rate(v.octave, v.third) }

// invent decides everything that several fields of a record depend on.
func (g *generator) invent(i int, d *dice) *invention {
	p := &invention{id: inventUUID(d)}
	t := tables()
	p.brand = &t.brands[uneven(d, len(t.brands))]
	p.kind = pick(d, p.brand.kinds)
	if d.percent(35) {
		p.kind = pick(d, t.kindsByUse)
	}
	called := pick(d, p.kind.Names)
	p.series = p.brand.series[(p.kind.index+d.below(3))%seriesPerBrand] // a brand uses few names for one kind
	p.material = pick(d, t.Materials[pick(d, p.kind.Materials)])
	p.surface = pick(d, slices.Concat(p.material.Surfaces...))
	qualifier := pick(d, t.Qualifiers)
	p.installations = pick(d, p.kind.Installations)
	size := pick(d, p.kind.SizesMM)
	p.thicknessMM, p.widthMM, p.heightMM = pick(d, p.kind.ThicknessMM), size[0], size[1]
	p.article = fmt.Sprintf("%s-%08d", p.brand.mark(), articleNumber(i))
	p.measured = !d.percent(2)
	switch p.kind.Family {
	case residueDiffuser, curvedDiffuser:
		p.inventDiffuser(d)
	default:
		g.inventAbsorber(p, d)
	}
	p.widthMM, p.heightMM, p.thicknessMM = p.kind.solid(p.widthMM, p.heightMM, p.thicknessMM)
	p.words = p.labelWords(called, qualifier)
	p.label = pick(d, t.Labels).fill(p.words)
	p.slug = p.brand.slug + "-" + dataset.SlugOf(called.de+" "+p.series) + "-" + p.article[3:]
	return p
}

// articleNumber spreads record numbers over eight digits without giving one twice: up to 2^24 by an odd factor, and above as they are.
func articleNumber(i int) int {
	const block = 1 << 24
	if i >= block {
		return i
	}
	return i * 0x9e3779 % block
}

// uneven returns a number below n, low ones more often: a few brands make much of a catalogue.
func uneven(d *dice, n int) int {
	return d.below(d.below(n)+1+n/8) % n
}

// inventUUID returns a UUID of version 4.
func inventUUID(d *dice) uuid.UUID {
	var id uuid.UUID
	binary.LittleEndian.PutUint64(id[:8], d.roll())
	binary.LittleEndian.PutUint64(id[8:], d.roll())
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id
}

// inventAbsorber gives a product its absorption variants: one construction on different depths of air, or in different thicknesses.
func (g *generator) inventAbsorber(p *invention, d *dice) {
	base := p.inventDesign(d)
	count := 1 + d.below(3)*d.below(2) + d.below(2)
	byThickness := p.kind.Family == porous && p.kind.Shape == "panel" && d.percent(25)
	form := d.below(10) // 0: thirds alone; 1: octaves alone
	wide := d.percent(8)
	gapMM := pick(d, p.kind.GapsMM)
	seen := map[design]bool{}
	for i := range count {
		v := variant{design: base, thicknessMM: p.thicknessMM, gapMM: gapMM}
		switch {
		case i == 0: // what the label says
		case byThickness:
			v.thicknessMM = pick(d, p.kind.ThicknessMM)
			v.design.porousMM = v.thicknessMM
		default:
			v.gapMM = pick(d, p.kind.GapsMM)
		}
		v.design.gapMM += v.gapMM
		if seen[v.design] {
			continue
		}
		seen[v.design] = true
		computed := g.absorber(v.design)
		v.spectrum = computed.iso
		if wide {
			v.spectrum = computed.wide
		}
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
	if !p.measured {
		p.variants = nil
	}
}

// inventDesign draws the construction of a product, without the air of a variant.
func (p *invention) inventDesign(d *dice) design {
	c := design{family: p.kind.Family, resistivity: pick(d, p.material.Resistivities), edges: p.kind.Edges[0]}
	if steps := (p.kind.Edges[1] - p.kind.Edges[0]) / 50; steps > 0 {
		c.edges += 50 * d.below(steps+1)
	}
	switch c.family {
	case porous:
		c.porousMM = p.thicknessMM
		if p.kind.Shape != "panel" && p.kind.Shape != "sheet" && p.kind.Shape != "baffle" {
			c.porousMM = p.thicknessMM / 4 // a body of foam or wool around a core
		}
	case perforated:
		c.sheetTenths = 10 * p.thicknessMM
		holes := [][2]int{{80, 180}, {60, 100}, {100, 220}, {30, 80}, {50, 120}, {120, 160}, {40, 200}}
		if p.thicknessMM <= 2 { // sheet metal
			c.sheetTenths = 7
			holes = [][2]int{{25, 160}, {15, 110}, {30, 200}, {18, 210}, {7, 40}}
		}
		hole := pick(d, holes)
		c.holeTenths, c.openPerMil = hole[0], hole[1]
		c.porousMM = pick(d, []int{0, 20, 30, 40})
	case microperforated:
		c.sheetTenths = pick(d, []int{1, 2, 5, 10})
		c.holeTenths = pick(d, []int{15, 20, 30, 40}) // in hundredths here
		c.openPerMil = pick(d, []int{7, 10, 14, 20})
	case membrane:
		c.massTenths = pick(d, []int{10, 20, 35, 50, 80})
		c.porousMM, c.gapMM = p.thicknessMM/2, p.thicknessMM/2
	}
	return c
}

// inventDiffuser draws a diffuser; its size follows from its profile.
func (p *invention) inventDiffuser(d *dice) {
	p.character = "streuend"
	if p.kind.Family == residueDiffuser {
		q := acoustics.QRD{Prime: pick(d, []int{7, 11, 13}), WellWidthMM: float64(pick(d, []int{40, 50, 60, 75}))}
		p.designHz = pick(d, []int{400, 500, 630, 800})
		q.DesignHz = float64(p.designHz)
		p.widthMM, p.thicknessMM = int(float64(q.Prime)*q.WellWidthMM), int(math.Round(q.DepthMM()))+12
		p.diffuser = q
	} else {
		c := acoustics.Polycylinder{ChordMM: float64(pick(d, []int{400, 500, 600, 800}))}
		c.RiseMM = c.ChordMM / float64(pick(d, []int{2, 3, 4, 6}))
		p.widthMM, p.thicknessMM = int(c.ChordMM), int(math.Round(c.RiseMM))
		p.diffuser = c
	}
	if !p.measured {
		p.diffuser = nil
	}
}

// solid makes sizes agree with the kind's shape: a cylinder is as wide as it is deep, a sphere as high too.
func (k *productKind) solid(width, height, depth int) (int, int, int) {
	switch k.Shape {
	case "cylinder":
		width = depth
	case "sphere":
		width, height = depth, depth
	}
	return width, height, depth
}

// characterOf names the range of frequencies in which a curve absorbs.
func characterOf(octave acoustics.Curve) string {
	level := func(bandsHz ...int) float64 {
		sum := 0.0
		for _, hz := range bandsHz {
			v, _ := octave.At(hz)
			sum += v
		}
		return sum / float64(len(bandsHz))
	}
	low, middle, high := level(125, 250), level(500, 1000), level(2000, 4000)
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

// inventDate returns when a record was last updated; catalogues are often updated in one go, so the same moment comes up more than once.
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
