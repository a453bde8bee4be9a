package compiler

import (
	"sabine/dataset"
	"sabine/dataset/jsonwriter"
	"sabine/indexes"
)

// A renderer renders the JSON bodies of one product after the other. It is for one goroutine, and keeps its buffers.
type renderer struct {
	detail, geometry, public, labelEN, compare, unshown bodyText
	codec                                               *codec
}

func newRenderer() *renderer {
	text := bodyText{jsonwriter.Text{ShortEscapes: true}}
	return &renderer{detail: text, geometry: text, public: text, labelEN: text, compare: text, unshown: text, codec: newCodec()}
}

// render renders every body of a product. The result is valid until the next call.
func (r *renderer) render(p *dataset.Product) indexes.Body {
	body := r.renderTexts(p)
	body.Plain, body.WithGeometry = r.codec.code(body.Detail, body.Geometry)
	return body
}

// renderTexts is render without the tags and the compressed forms.
func (r *renderer) renderTexts(p *dataset.Product) (body indexes.Body) {
	r.renderDetail(&body, p)
	r.renderGeometry(&body, p.Geometry)
	r.renderPublic(&body, p)
	r.renderCompare(&body, p)
	r.renderUnshown(&body, p)
	return body
}

// renderDetail renders the MaterialDetail, which begins with the MaterialSummary.
func (r *renderer) renderDetail(body *indexes.Body, p *dataset.Product) {
	t := &r.detail
	t.Reset()
	t.Object(func() {
		t.Key("id").String(p.ID.String())
		t.stringOrNull("slug", p.Slug)
		t.Key("label").String(p.Label.In(dataset.German))
		t.stringOrNull("commercial_name", p.CommercialName)
		t.Key("manufacturer").String(p.Manufacturer.Name)
		t.stringOrNull("material_category", p.MaterialCategory)
		t.Key("installation_types").Strings(p.InstallationTypes)
		t.numberOrNull("alpha_w", p.AlphaW)
		t.timeOrNull("updated_at", p.UpdatedAt)
		body.SummaryEnd = t.Len()
		t.ratingOrNull("nrc", p.NRC)
		t.ratingOrNull("saa", p.SAA)
		t.curveOrNull("absorption_octave", p.AbsorptionOctave)
		body.AcousticsEnd = t.Len()
		t.textOrNull("description", p.Description)
		t.Key("has_epd").Bool(p.HasEPD)
		t.stringOrNull("url", p.URL)
		t.stringOrNull("epd_url", p.EPDURL)
		t.meta(p.StructuredMeta)
		t.images(p.Images)
		t.Key("measurements").Object(func() {
			t.Key("absorption_iso_354")
			body.AbsorptionStart = t.Len()
			t.absorption(p.Measurements.Absorption)
			body.AbsorptionEnd = t.Len()
			t.Key("scatter_iso_17497_1")
			t.scatter(p.Measurements.Scatter)
			t.Key("diffusion_iso_17497_2")
			t.diffusion(p.Measurements.Diffusion)
		})
	})
	body.Detail = t.Bytes()
}

// renderGeometry renders what include=geometry adds: an object, or null.
func (r *renderer) renderGeometry(body *indexes.Body, g *dataset.Geometry) {
	t := &r.geometry
	t.Reset()
	if g == nil {
		t.Null()
	} else {
		t.solid(g)
	}
	body.Geometry = t.Bytes()
}

// renderPublic renders the PublicSearchProduct, in two parts around its label.
func (r *renderer) renderPublic(body *indexes.Body, p *dataset.Product) {
	t := &r.public
	t.Reset()
	var head, label int // where the label begins and ends
	t.Object(func() {
		t.Key("id").String(p.ID.String())
		t.Key("slug").String(publicSlug(p))
		t.Key("label")
		head = t.Len()
		t.String(p.Label.In(dataset.German))
		label = t.Len()
		t.stringOrNull("commercial_name", p.CommercialName)
		t.stringOrNull("data_source", p.DataSource)
		t.stringOrNull("material_category", p.MaterialCategory)
		t.stringOrNull("absorption_character", p.AbsorptionCharacter)
		t.Key("installation_types").Strings(p.InstallationTypes)
		t.Key("has_epd").Bool(p.HasEPD)
		t.Key("manufacturerName").String(p.Manufacturer.Name)
		t.Key("alphaW").Number(orZero(p.AlphaW))
		t.Key("alphaWMin").Number(orZero(p.AlphaWMin))
		t.stringOrNull("imageUrl", firstImage(p.Images))
		t.stringOrNull("url", p.URL)
		t.stringOrNull("epd_url", p.EPDURL)
		t.integerOrNull("variant_count", variantCount(p))
		t.meta(p.StructuredMeta)
	})
	public := t.Bytes()
	body.PublicHead, body.LabelDE, body.PublicTail = public[:head], public[head:label], public[label:]

	r.labelEN.Reset()
	r.labelEN.String(p.Label.In(dataset.English))
	body.LabelEN = r.labelEN.Bytes()
}

// renderCompare renders the CompareProduct up to its measurements, which are a part of the detail body.
func (r *renderer) renderCompare(body *indexes.Body, p *dataset.Product) {
	t := &r.compare
	t.Reset()
	t.Object(func() {
		t.Key("id").String(p.ID.String())
		t.Key("slug").String(publicSlug(p))
		t.Key("label").String(p.Label.In(dataset.German))
		t.stringOrNull("commercial_name", p.CommercialName)
		t.stringOrNull("material_category", p.MaterialCategory)
		t.stringOrNull("absorption_character", p.AbsorptionCharacter)
		t.stringOrNull("data_source", p.DataSource)
		t.Key("alphaW").Number(orZero(p.AlphaW))
		t.Key("alphaWMin").Number(orZero(p.AlphaWMin))
		t.Key("manufacturerName").String(p.Manufacturer.Name)
		t.Key("has_epd").Bool(p.HasEPD)
		t.stringOrNull("url", p.URL)
		t.stringOrNull("epd_url", p.EPDURL)
		t.Key("installation_types").Strings(p.InstallationTypes)
		t.meta(p.StructuredMeta)
		t.Key("absorption_iso354")
		body.CompareHead = t.Bytes() // without the brace that ends the object
	})
}

// renderUnshown renders what exports have of a record and no body shows: the description in English where that is another, and
// the fire class. It is empty when that is nothing.
func (r *renderer) renderUnshown(body *indexes.Body, p *dataset.Product) {
	description := p.Description.In(dataset.English)
	translated := len(p.Description) > 0 && description != p.Description.In(dataset.German)
	if !translated && p.FireClass == nil {
		return
	}
	t := &r.unshown
	t.Reset()
	t.Object(func() {
		if translated {
			t.Key("description_en").String(description)
		}
		if p.FireClass != nil {
			t.Key("fire_class").String(p.FireClass.Text)
		}
	})
	body.Unshown = t.Bytes()
}

// publicSlug is the slug where the contract knows no null: a product without one has its id there.
func publicSlug(p *dataset.Product) string {
	if p.Slug == nil {
		return p.ID.String()
	}
	return *p.Slug
}

// firstImage is the picture that clients would show first: images are in display order.
func firstImage(images []dataset.Image) *string {
	if len(images) == 0 {
		return nil
	}
	return &images[0].URL
}

// variantCount is the number of ISO 354 measurements, nil when there are none.
func variantCount(p *dataset.Product) *int64 {
	n := int64(len(p.Measurements.Absorption))
	if n == 0 {
		return nil
	}
	return &n
}
