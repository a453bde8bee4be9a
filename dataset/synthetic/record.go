package synthetic

import (
	"cmp"
	"fmt"
	"strconv"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/jsonwriter"
)

// recordText is the JSON of a record in the making.
type recordText struct{ jsonwriter.Text }

// text writes a member that is a string, or null when it is "".
func (j *recordText) text(name, value string) {
	if j.Key(name); value == "" {
		j.Null()
	} else {
		j.String(value)
	}
}

// number writes a member that is a number, or null when it is not known.
func (j *recordText) number(name string, value float64, known bool) {
	if j.Key(name); known {
		j.Number(value)
	} else {
		j.Null()
	}
}

// write writes an invention as a source record, in the order of the record's fields. What nothing else depends on is drawn here.
func (g *generator) write(p *invention, d *dice) {
	j := &g.json
	j.Object(func() {
		j.text("id", p.id)
		j.text("slug", d.unless(2, p.slug))
		if d.percent(1) {
			j.Key("published").Bool(false)
		} else if d.percent(30) {
			j.Key("published").Bool(true)
		}
		j.localized("label", p.label, d.percent(2))
		j.text("commercial_name", p.commercialName(d))
		if d.percent(3) {
			j.text("description", "")
		} else {
			j.localized("description", p.describe(d), d.percent(3))
		}
		j.manufacturer(p.brand)
		j.text("data_source", d.unless(8, "manufacturer"))
		if d.percent(3) {
			j.Key("purchasable").Bool(d.percent(30)) // most that say so are out of stock
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
		j.Key("measurements").Object(func() {
			j.absorptionEntries(p, d)
			if p.diffuser != nil {
				s := g.diffuser(p.diffuser)
				j.scatterEntries(s, d)
				j.diffusionEntries(p, s, d)
			}
		})
	})
}

// localized writes a text with its translation, or the German text alone.
func (j *recordText) localized(key string, text phrase, germanOnly bool) {
	j.Key(key)
	if germanOnly {
		j.String(text.de)
		return
	}
	j.Object(func() {
		j.text(dataset.German, text.de)
		j.text(dataset.English, text.en)
	})
}

func (j *recordText) manufacturer(b *brand) {
	if b.form == 0 {
		j.text("manufacturer", b.name)
		return
	}
	id, slug := b.id, b.slug
	if b.form == 1 {
		id, slug = "", ""
	}
	j.Key("manufacturer").Object(func() {
		j.text("id", id)
		j.text("slug", slug)
		j.text("name", b.name)
	})
}

func (j *recordText) classification(p *invention, d *dice) {
	j.text(dataset.FamilyCategory, d.unless(1, p.material.category))
	j.text(dataset.FamilyCharacter, d.unless(2, p.character))
	if d.percent(1) {
		j.Key(dataset.FamilyInstallation).Strings(nil)
	} else {
		j.Key(dataset.FamilyInstallation).Strings(p.installations)
	}
	if d.percent(15) {
		j.text("fire_class", "")
	} else {
		j.text("fire_class", pick(d, p.kind.fireClasses))
	}
}

// declaredRatings writes what the manufacturer declares: mostly nothing, else what the curves give.
func (j *recordText) declaredRatings(p *invention, d *dice) {
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
	j.Key("alpha_w").Number(best.Float())
	j.number("alpha_w_min", least.Float(), !d.percent(30))
}

func (j *recordText) links(p *invention, d *dice) {
	declaration := ""
	if d.percent(35) {
		declaration = "https://www." + p.brand.domain() + "/epd/" + p.article + ".pdf"
	}
	if declaration == "" && d.percent(1) {
		j.Key("has_epd").Bool(true) // exists, but is not online
	} else if d.percent(60) {
		j.Key("has_epd").Bool(declaration != "")
	}
	j.text("url", d.unless(10, "https://www."+p.brand.domain()+"/produkte/"+p.slug))
	j.text("epd_url", declaration)
}

// meta writes structured_meta. Coefficients never go without the word that they are computed.
func (j *recordText) meta(p *invention, d *dice) {
	j.Key("structured_meta")
	if len(p.variants) == 0 && p.diffuser == nil && d.percent(50) {
		j.Null()
		return
	}
	j.Object(func() {
		if p.measured {
			j.text("Datenherkunft", "Alle Kennwerte sind berechnet, nicht gemessen: "+p.kind.family.model())
		}
		j.text("Artikelnummer", p.article)
		j.text("Material", p.material.de)
		j.text("Dicke", strconv.Itoa(p.thicknessMM)+" mm")
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
			j.Key("Garantie in Jahren").Number(float64(d.between(2, 15)))
		}
		if d.percent(10) {
			j.Key("Ballwurfsicher").Bool(d.percent(40))
		}
		j.constructionMeta(p)
	})
}

// constructionMeta tells of what the curves were computed from.
func (j *recordText) constructionMeta(p *invention) {
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

func (j *recordText) images(p *invention, d *dice) {
	j.Key("images")
	count := d.below(5) * d.below(3) / 2
	if count == 0 {
		j.Null()
		return
	}
	j.Array(func() {
		for i := range count {
			file := p.slug + "-" + strconv.Itoa(i+1) + pick(d, []string{".jpg", ".jpg", ".webp", ".png"})
			j.Object(func() {
				if !d.percent(20) {
					j.text("id", inventUUID(d))
				}
				j.text("url", "https://bilder."+p.brand.domain()+"/"+file)
				j.text("filename", d.unless(15, file))
				j.number("display_order", float64(count-i), !d.percent(10)) // not in the order in which they stand
			})
		}
	})
}

func (j *recordText) geometry(p *invention, d *dice) {
	j.Key("geometry")
	if d.percent(15) {
		j.Null()
		return
	}
	j.Object(func() {
		j.text("shape", p.kind.shape)
		j.Key("bounding_box_mm").Object(func() { j.box(p.widthMM, p.heightMM, p.thicknessMM) })
		if count := d.below(4); count > 0 {
			j.Key("size_variants").Array(func() { j.sizeVariants(p, count, d) })
		}
		if d.percent(15) {
			j.Key("exposed_area_m2").Object(func() {
				for _, mounting := range p.installations {
					j.Key(mounting).Number(float64(p.widthMM*p.heightMM/100) / 10_000)
				}
			})
		}
	})
}

func (j *recordText) box(width, height, depth int) {
	j.Key("width").Int(int64(width))
	j.Key("height").Int(int64(height))
	j.Key("depth").Int(int64(depth))
}

func (j *recordText) sizeVariants(p *invention, count int, d *dice) {
	for range count {
		size := pick(d, p.kind.sizesMM)
		depth := p.thicknessMM
		if p.kind.shape == "cylinder" || p.kind.shape == "sphere" {
			depth = pick(d, p.kind.thicknessMM)
		}
		// A diffuser is as wide as its profile.
		width, height, depth := p.kind.solid(cmp.Or(size[0], p.widthMM), size[1], depth)
		j.Object(func() {
			j.text("label", d.unless(25, fmt.Sprintf("%d × %d × %d", width, height, depth)))
			j.box(width, height, depth)
		})
	}
}
