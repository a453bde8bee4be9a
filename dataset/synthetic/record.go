package dataset

import (
	"strconv"

	"sabine/dataset/acoustics"
)

// write writes an invention as a source record, in the order of the record's fields. What nothing else depends on is drawn here.
func (g *generator) write(p *invention, d *dice) {
	j := &g.json
	j.object(func() {
		j.text("id", p.id)
		j.key("slug")
		if d.percent(2) {
			j.null()
		} else {
			j.string(p.slug)
		}
		if d.percent(1) {
			j.key("published")
			j.bool(false)
		} else if d.percent(30) {
			j.key("published")
			j.bool(true)
		}
		j.localized("label", p.label, d.percent(2))
		j.text("commercial_name", p.commercialName(d))
		if d.percent(3) {
			j.text("description", "")
		} else {
			j.localized("description", p.describe(d), d.percent(3))
		}
		j.manufacturer(p.brand)
		if d.percent(8) {
			j.text("data_source", "")
		} else {
			j.text("data_source", "manufacturer")
		}
		if d.percent(3) {
			j.key("purchasable")
			j.bool(d.percent(30)) // most that say so are out of stock
		}
		j.classification(p, d)
		j.declaredRatings(p, d)
		if d.percent(3) {
			j.text("updated_at", "")
		} else {
			j.text("updated_at", inventDate(d))
		}
		j.links(p, d)
		j.meta(p, d)
		j.images(p, d)
		j.geometry(p, d)
		j.key("measurements")
		j.object(func() {
			j.absorptionEntries(p, d)
			if p.diffuser != nil {
				s := g.spectra.diffuser(p.diffuser)
				j.scatterEntries(s, d)
				j.diffusionEntries(p, s, d)
			}
		})
	})
}

// localized writes a text with its translation, or the German text alone.
func (j *jsonText) localized(key string, text phrase, germanOnly bool) {
	j.key(key)
	if germanOnly {
		j.string(text.de)
		return
	}
	j.object(func() {
		j.text("de", text.de)
		j.text("en", text.en)
	})
}

func (j *jsonText) manufacturer(b *brand) {
	if b.form == 0 {
		j.text("manufacturer", b.name)
		return
	}
	j.key("manufacturer")
	j.object(func() {
		if b.form == 1 {
			j.text("id", "")
			j.text("slug", "")
		} else {
			j.text("id", b.id)
			j.text("slug", b.slug)
		}
		j.text("name", b.name)
	})
}

func (j *jsonText) classification(p *invention, d *dice) {
	category, character := p.material.category, p.character
	if d.percent(1) {
		category = ""
	}
	if d.percent(2) {
		character = ""
	}
	j.text("material_category", category)
	j.text("absorption_character", character)
	if d.percent(1) {
		j.strings("installation_types", nil)
	} else {
		j.strings("installation_types", p.installations)
	}
	if d.percent(15) {
		j.text("fire_class", "")
	} else {
		j.text("fire_class", pick(d, p.kind.fireClasses))
	}
}

// declaredRatings writes what the manufacturer declares: mostly nothing, else what the curves give.
func (j *jsonText) declaredRatings(p *invention, d *dice) {
	if len(p.variants) == 0 || d.percent(85) {
		return
	}
	ratings := make([]acoustics.Ratings, len(p.variants))
	for i := range p.variants {
		ratings[i] = p.variants[i].ratings()
	}
	best := ratings[acoustics.MostAbsorptive(ratings)].AlphaW
	if best == nil {
		return
	}
	least := *best
	for _, r := range ratings {
		if r.AlphaW != nil {
			least = min(least, *r.AlphaW)
		}
	}
	j.key("alpha_w")
	j.number(best.Float())
	j.key("alpha_w_min")
	if d.percent(30) {
		j.null()
	} else {
		j.number(least.Float())
	}
}

func (j *jsonText) links(p *invention, d *dice) {
	page := "https://www." + p.brand.domain() + "/produkte/" + p.slug
	declaration := ""
	if d.percent(35) {
		declaration = "https://www." + p.brand.domain() + "/epd/" + p.article + ".pdf"
	}
	if declaration == "" && d.percent(1) {
		j.key("has_epd") // exists, but is not online
		j.bool(true)
	} else if d.percent(60) {
		j.key("has_epd")
		j.bool(declaration != "")
	}
	if d.percent(10) {
		page = ""
	}
	j.text("url", page)
	j.text("epd_url", declaration)
}

// meta writes structured_meta. Coefficients never go without the word that they are computed.
func (j *jsonText) meta(p *invention, d *dice) {
	j.key("structured_meta")
	if len(p.variants) == 0 && p.diffuser == nil && d.percent(50) {
		j.null()
		return
	}
	j.object(func() {
		if p.measured {
			j.text("Datenherkunft", "Alle Kennwerte sind berechnet, nicht gemessen: "+models[p.kind.family])
		}
		j.text("Artikelnummer", p.article)
		j.text("Material", p.material.de)
		j.text("Dicke", millimetres(p.thicknessMM))
		if d.percent(60) {
			j.text("Oberfläche", p.surface.de)
		}
		if d.percent(40) {
			j.text("Flächengewicht", strconv.Itoa(d.between(1, 18))+","+strconv.Itoa(d.below(10))+" kg/m²")
		}
		if d.percent(20) {
			j.text("Recyclinganteil", strconv.Itoa(5*d.between(2, 19))+" %")
		}
		if d.percent(15) {
			j.key("Garantie in Jahren")
			j.number(float64(d.between(2, 15)))
		}
		if d.percent(10) {
			j.key("Ballwurfsicher")
			j.bool(d.percent(40))
		}
		j.constructionMeta(p)
	})
}

// constructionMeta tells of what the curves were computed from.
func (j *jsonText) constructionMeta(p *invention) {
	if p.designHz > 0 && p.measured {
		j.text("Entwurfsfrequenz", strconv.Itoa(p.designHz)+" Hz")
	}
	if len(p.variants) == 0 {
		return
	}
	switch c := p.variants[0].design; c.family {
	case porous:
		j.text("Längenbezogener Strömungswiderstand", strconv.Itoa(c.resistivity)+" Pa s/m²")
	case perforated:
		j.text("Lochdurchmesser", germanTenths(c.holeTenths)+" mm")
		j.text("Lochanteil", germanTenths(c.openPerMil)+" %")
	case microperforated:
		j.text("Lochdurchmesser", "0,"+strconv.Itoa(c.holeTenths)+" mm")
		j.text("Lochanteil", germanTenths(c.openPerMil)+" %")
	case membrane:
		j.text("Flächenmasse der Platte", germanTenths(c.massTenths)+" kg/m²")
	}
}

// germanTenths writes a number of tenths with a decimal comma.
func germanTenths(tenths int) string {
	if tenths%10 == 0 {
		return strconv.Itoa(tenths / 10)
	}
	return strconv.Itoa(tenths/10) + "," + strconv.Itoa(tenths%10)
}

func (j *jsonText) images(p *invention, d *dice) {
	j.key("images")
	count := d.below(5) * d.below(3) / 2
	if count == 0 {
		j.null()
		return
	}
	j.array(func() {
		for i := range count {
			file := p.slug + "-" + strconv.Itoa(i+1) + pick(d, []string{".jpg", ".jpg", ".webp", ".png"})
			j.object(func() {
				if !d.percent(20) {
					j.text("id", inventUUID(d))
				}
				j.text("url", "https://bilder."+p.brand.domain()+"/"+file)
				if d.percent(15) {
					j.text("filename", "")
				} else {
					j.text("filename", file)
				}
				j.key("display_order")
				if d.percent(10) {
					j.null()
				} else {
					j.number(float64(count - i)) // not in the order in which they stand
				}
			})
		}
	})
}

func (j *jsonText) geometry(p *invention, d *dice) {
	j.key("geometry")
	if d.percent(15) {
		j.null()
		return
	}
	j.object(func() {
		j.text("shape", p.kind.shape)
		depth := p.thicknessMM
		j.key("bounding_box_mm")
		j.object(func() { j.box(p.widthMM, p.heightMM, depth) })
		if count := d.below(4); count > 0 {
			j.key("size_variants")
			j.array(func() { j.sizeVariants(p, count, d) })
		}
		if d.percent(15) {
			j.key("exposed_area_m2")
			j.object(func() {
				for _, mounting := range p.installations {
					j.key(mounting)
					j.number(float64(p.widthMM*p.heightMM/100) / 10_000)
				}
			})
		}
	})
}

func (j *jsonText) box(width, height, depth int) {
	for _, side := range []struct {
		name string
		mm   int
	}{{"width", width}, {"height", height}, {"depth", depth}} {
		j.key(side.name)
		j.number(float64(side.mm))
	}
}

func (j *jsonText) sizeVariants(p *invention, count int, d *dice) {
	for range count {
		size := pick(d, p.kind.sizesMM)
		width, height, depth := size[0], size[1], p.thicknessMM
		switch p.kind.shape {
		case "cylinder":
			depth = pick(d, p.kind.thicknessMM)
			width = depth
		case "sphere":
			depth = pick(d, p.kind.thicknessMM)
			width, height = depth, depth
		}
		if width == 0 { // a diffuser's width is that of its profile
			width = p.widthMM
		}
		j.object(func() {
			label := strconv.Itoa(width) + " × " + strconv.Itoa(height) + " × " + strconv.Itoa(depth)
			if d.percent(25) {
				label = ""
			}
			j.text("label", label)
			j.box(width, height, depth)
		})
	}
}
