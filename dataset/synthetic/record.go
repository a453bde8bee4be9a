package synthetic

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// record returns the product for an invention, and picks the fields on which no other field depends. It does
// not set the fields that the build computes.
//
// The unused calls of roll replace random choices that no longer exist. They preserve the products of each
// seed.
func (g *generator) record(p *invention, d *dice) *product.Product {
	r := &product.Product{ID: p.id, Slug: unless(d, 2, p.slug), Published: !d.percent(1)}
	if r.Published {
		d.roll()
	}
	r.Label = p.label.text(d.percent(2))
	r.CommercialName = p.commercialName(d)
	if !d.percent(3) {
		r.Description = p.describe(d).text(d.percent(3))
	}
	r.Manufacturer = p.brand.manufacturer
	r.DataSource = unless(d, 8, product.Manufactured)
	r.Purchasable = !d.percent(3) || d.percent(30)
	r.MaterialCategory = unless(d, 1, p.material.Category)
	r.AbsorptionCharacter = unless(d, 2, p.character)
	if !d.percent(1) {
		r.InstallationTypes = p.installations
	}
	if !d.percent(15) {
		class, _ := product.ParseFireClass(pick(d, p.kind.FireClasses))
		r.FireClass = &class
	}
	p.declareRatings(r, d)
	if !d.percent(3) {
		r.UpdatedAt = new(inventDate(d))
	}
	if d.percent(35) {
		r.EPDURL = new("https://www." + p.brand.domain() + "/epd/" + p.article + ".pdf")
	}
	r.HasEPD = r.EPDURL != nil || d.percent(1) // some declarations have no address
	if r.EPDURL != nil || !r.HasEPD {
		d.roll()
	}
	r.URL = unless(d, 10, "https://www."+p.brand.domain()+"/produkte/"+p.slug)
	r.StructuredMeta = p.meta(d)
	r.Images = p.images(d)
	if !d.percent(15) {
		r.Geometry = p.geometry(d)
	}
	r.Measurements.Absorption = p.absorption(d)
	if p.diffuser != nil {
		p.addScatter(&r.Measurements, g.diffuser(p.diffuser), d)
	}
	return r
}

// declareRatings sets declared ratings for a few products. They are equal to the computed ratings.
func (p *invention) declareRatings(r *product.Product, d *dice) {
	if len(p.variants) == 0 || d.percent(85) {
		return
	}
	var known []acoustics.Hundredths
	for i := range p.variants {
		if alphaW := p.variants[i].alphaW(); alphaW != nil {
			known = append(known, *alphaW)
		}
	}
	if len(known) > 0 {
		r.AlphaW = new(slices.Max(known).Float())
		r.AlphaWMin = unless(d, 30, slices.Min(known).Float())
	}
}

// meta returns structured_meta. For a product with coefficients, it always states that they are computed.
func (p *invention) meta(d *dice) (meta []product.MetaEntry) {
	if !p.measured && d.percent(50) {
		return nil
	}
	meta = make([]product.MetaEntry, 0, 12)
	add := func(key, value string) { meta = append(meta, product.MetaEntry{Key: key, Value: value}) }
	if p.measured {
		add("Datenherkunft", "Alle Kennwerte sind berechnet, nicht gemessen: "+tables().Models[p.kind.Family])
	}
	add("Artikelnummer", p.article)
	add("Material", p.material.Name.de)
	add("Dicke", strconv.Itoa(p.thicknessMM)+" mm")
	for _, m := range []struct {
		percent int
		key     string
		value   func() string
	}{
		{60, "Oberfläche", func() string { return p.surface.de }},
		{40, "Flächengewicht", func() string { return fmt.Sprintf("%d,%d kg/m²", d.between(1, 18), d.below(10)) }},
		{20, "Recyclinganteil", func() string { return fmt.Sprint(5*d.between(2, 19), " %") }},
		{15, "Garantie in Jahren", func() string { return strconv.Itoa(d.between(2, 15)) }},
		{10, "Ballwurfsicher", func() string { return strconv.FormatBool(d.percent(40)) }},
	} {
		if d.percent(m.percent) {
			add(m.key, m.value())
		}
	}
	p.constructionMeta(add)
	slices.SortFunc(meta, func(a, b product.MetaEntry) int { return cmp.Compare(a.Key, b.Key) })
	return meta
}

// constructionMeta adds the parameters from which the curves were computed.
func (p *invention) constructionMeta(add func(key, value string)) {
	if q, ok := p.diffuser.(acoustics.QRD); ok {
		add("Entwurfsfrequenz", germanNumber("%g Hz", q.DesignHz))
	}
	if len(p.variants) == 0 {
		return
	}
	c := p.variants[0].design
	switch facing := c.facing.(type) {
	case nil:
		add("Längenbezogener Strömungswiderstand", germanNumber("%.0f Pa s/m²", c.porous.FlowResistivity))
	case acoustics.Perforated:
		hole := "%g mm"
		if p.kind.Family == "microperforated" {
			hole = "%.2f mm"
		}
		add("Lochdurchmesser", germanNumber(hole, facing.HoleMM))
		add("Lochanteil", germanNumber("%.3g %%", 100*facing.OpenRatio))
	case acoustics.Membrane:
		add("Flächenmasse der Platte", germanNumber("%g kg/m²", facing.MassKgM2))
	}
}

// germanNumber formats a number with a decimal comma.
func germanNumber(format string, v float64) string {
	return strings.Replace(fmt.Sprintf(format, v), ".", ",", 1)
}

// images returns pictures in display order. It creates the last picture first.
func (p *invention) images(d *dice) (images []product.Image) {
	count := d.below(5) * d.below(3) / 2
	for i := range count {
		file := p.slug + "-" + strconv.Itoa(i+1) + pick(d, []string{".jpg", ".jpg", ".webp", ".png"})
		m := product.Image{URL: "https://bilder." + p.brand.domain() + "/" + file}
		if !d.percent(20) {
			m.ID = new(inventUUID(d).String())
		}
		m.Filename = unless(d, 15, file)
		at := len(images)
		if m.DisplayOrder = unless(d, 10, int64(count-i)); m.DisplayOrder != nil {
			at = 0
		}
		images = slices.Insert(images, at, m)
	}
	return images
}

func (p *invention) geometry(d *dice) *product.Geometry {
	g := &product.Geometry{Shape: p.kind.Shape, BoundingBox: box(p.widthMM, p.heightMM, p.thicknessMM)}
	for range d.below(4) {
		size, profile, depth := pick(d, p.kind.SizesMM), p.widthMM, p.thicknessMM
		if p.kind.Shape == "cylinder" || p.kind.Shape == "sphere" {
			depth = pick(d, p.kind.ThicknessMM)
			profile = depth
		}
		width, height := cmp.Or(size[0], profile), cmp.Or(size[1], depth)
		label := unless(d, 25, fmt.Sprintf("%d × %d × %d", width, height, depth))
		g.SizeVariants = append(g.SizeVariants, product.SizeVariant{Label: label, BoxMM: box(width, height, depth)})
	}
	if d.percent(15) {
		for _, mounting := range slices.Sorted(slices.Values(p.installations)) {
			g.ExposedAreas = append(g.ExposedAreas, product.ExposedArea{Mounting: mounting,
				AreaM2: float64(p.widthMM*p.heightMM/100) / 10_000})
		}
	}
	return g
}

func box(width, height, depth int) product.BoxMM {
	return product.BoxMM{Width: float64(width), Height: float64(height), Depth: float64(depth)}
}

func (p *invention) absorption(d *dice) []product.Absorption {
	entries := make([]product.Absorption, len(p.variants))
	// leave id, label and norm empty; the unused choice for a diffuser preserves the random numbers
	implicit := p.diffuser != nil && d.percent(50) || d.percent(5)
	for i := range p.variants {
		v, e, number := &p.variants[i], &entries[i], strconv.Itoa(i+1)
		e.SourceKind = "simulated"
		if !implicit {
			e.ID, e.Label, e.SourceNorm = p.article+"-A"+number, product.ISO354.Label+number, product.ISO354.Norm
		}
		if d.percent(35) {
			e.MeasuringOption = new("unendliche Fläche")
			if v.design.edgePerArea > 0 {
				e.MeasuringOption = new("Beugung an den Kanten eingerechnet")
			}
		}
		mounting := p.kind.Mountings[0]
		if v.gapMM > 0 {
			mounting = p.kind.Mountings[1]
		}
		e.Mounting = unless(d, 5, mounting)
		e.ThicknessMM = unless(d, 3, float64(v.thicknessMM))
		if v.gapMM > 0 || !d.percent(40) {
			e.AirGapMM = new(float64(v.gapMM))
		}
		if d.percent(20) { // some laboratories state alpha_w in addition to the bands
			if alphaW := v.alphaW(); alphaW != nil {
				e.CalculatedAbsorption = new(alphaW.Float())
			}
		}
		e.AlphaSOctave, e.AlphaSThirdOctave = v.octave, v.third
	}
	return entries
}

// measurement returns the common fields of a scattering or diffusion entry. Some entries have no id and
// label.
func measurement(s product.Standard, sourceKind string, d *dice) product.Measurement {
	m := product.Measurement{SourceKind: sourceKind, SourceNorm: s.Norm}
	if !d.percent(20) {
		m.ID, m.Label = s.Prefix+"1", s.Label+"1"
	}
	if d.percent(50) {
		m.MeasuringOption = new("zwei Perioden nebeneinander")
	}
	return m
}

// addScatter adds the entries of a diffuser, for scattering and in most cases for diffusion. The record format
// allows only measured diffusion, so structured_meta states that the coefficients are computed.
func (p *invention) addScatter(m *product.Measurements, s *scattering, d *dice) {
	scatter, diffusion := s.scatter, s.diffusion
	scatter.Measurement = measurement(product.ISO174971, "simulated", d)
	if d.percent(15) {
		scatter.ScatterThirdOctave = nil
	}
	m.Scatter = []product.Scatter{scatter}
	if d.percent(20) {
		return
	}
	diffusion.Measurement = measurement(product.ISO174972, product.Measured, d)
	if q, ok := p.diffuser.(acoustics.QRD); ok && d.percent(70) {
		diffusion.LimitFrequencyHz = &q.DesignHz
	}
	if d.percent(15) {
		diffusion.DirectionalDiffusionThirdOctave, diffusion.NormalizedDirectionalDiffusionThirdOctave = nil, nil
		diffusion.DiffusionThirdOctave, diffusion.NormalizedDiffusionThirdOctave = nil, nil
	}
	m.Diffusion = []product.Diffusion{diffusion}
}

// labelWords returns the replacements for names in labels. describe adds the replacements for descriptions.
func (p *invention) labelWords(kind, qualifier phrase) map[string]phrase {
	same := func(text string) phrase { return phrase{text, text} }
	thickness, length := strconv.Itoa(p.thicknessMM), strconv.Itoa(max(p.widthMM, p.heightMM))
	return map[string]phrase{
		"kind": kind, "series": same(p.series), "qualifier": qualifier, "material": p.material.Name, "surface": p.surface,
		"thickness": same(thickness), "length": same(length), "model": same(thickness + "/" + length),
		"number": same(p.article[3:7]),
	}
}

// commercialName returns the series, with a grade or a model number in most cases, or nil.
func (p *invention) commercialName(d *dice) *string {
	switch d.below(5) {
	case 0:
		return nil
	case 1:
		return &p.series
	case 2:
		return new(p.series + " " + pick(d, tables().Grades))
	default:
		return new(p.series + " " + p.words["model"].de)
	}
}

// describe returns a description of a few sentences.
func (p *invention) describe(d *dice) phrase {
	rooms := tables().Rooms
	first, second := d.below(len(rooms)), d.below(len(rooms)-1)
	if second >= first {
		second++
	}
	p.words["room"], p.words["other room"] = rooms[first], rooms[second]
	p.words["effect"] = tables().Effects[p.character]
	p.words["mounting"] = pick(d, tables().Mountings[p.installations[0]])
	text := tables().Description.fill(p.words)
	if d.percent(50) {
		extra := pick(d, tables().Extras)
		text = phrase{text.de + " " + extra.de, text.en + " " + extra.en}
	}
	return text
}
