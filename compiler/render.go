package compiler

import (
	"time"

	"sabine/dataset"
	"sabine/indexes"
)

// A renderer renders the JSON bodies of one product after the other. It is for one goroutine, and keeps its buffers.
type renderer struct {
	detail, geometry, public, labelEN, compare jsonText
	codec                                      *codec
}

func newRenderer() (*renderer, error) {
	c, err := newCodec()
	if err != nil {
		return nil, err
	}
	return &renderer{codec: c}, nil
}

// render renders every body of a product. The result is valid until the next call.
func (r *renderer) render(p *dataset.Product) indexes.Body {
	var body indexes.Body
	r.renderDetail(&body, p)
	r.renderGeometry(&body, p.Geometry)
	r.renderPublic(&body, p)
	r.renderCompare(&body, p)
	body.Plain, body.WithGeometry = r.codec.code(body.Detail, body.Geometry)
	return body
}

// renderDetail renders the MaterialDetail, which begins with the MaterialSummary.
func (r *renderer) renderDetail(body *indexes.Body, p *dataset.Product) {
	t := &r.detail
	t.b = t.b[:0]
	t.open('{')
	t.string("id", p.ID.String())
	t.stringOrNull("slug", p.Slug)
	t.string("label", p.Label.In("de"))
	t.stringOrNull("commercial_name", p.CommercialName)
	t.string("manufacturer", p.Manufacturer.Name)
	t.stringOrNull("material_category", p.MaterialCategory)
	t.strings("installation_types", p.InstallationTypes)
	t.numberOrNull("alpha_w", p.AlphaW)
	t.time("updated_at", p.UpdatedAt)
	body.SummaryEnd = len(t.b)
	t.ratingOrNull("nrc", p.NRC)
	t.ratingOrNull("saa", p.SAA)
	t.curve("absorption_octave", p.AbsorptionOctave)
	body.AcousticsEnd = len(t.b)
	t.textOrNull("description", p.Description)
	t.bool("has_epd", p.HasEPD)
	t.stringOrNull("url", p.URL)
	t.stringOrNull("epd_url", p.EPDURL)
	t.meta(p.StructuredMeta)
	t.images(p.Images)
	t.key("measurements")
	t.open('{')
	t.key("absorption_iso_354")
	body.AbsorptionStart = len(t.b)
	t.absorption(p.Measurements.Absorption)
	body.AbsorptionEnd = len(t.b)
	t.key("scatter_iso_17497_1")
	t.scatter(p.Measurements.Scatter)
	t.key("diffusion_iso_17497_2")
	t.diffusion(p.Measurements.Diffusion)
	t.close('}')
	t.close('}')
	body.Detail = t.b
}

// renderPublic renders the PublicSearchProduct, in two parts around its label.
func (r *renderer) renderPublic(body *indexes.Body, p *dataset.Product) {
	t := &r.public
	t.b = t.b[:0]
	t.open('{')
	t.string("id", p.ID.String())
	t.string("slug", publicSlug(p))
	t.key("label")
	head := len(t.b)
	t.b = appendString(t.b, p.Label.In("de"))
	label := len(t.b)
	t.stringOrNull("commercial_name", p.CommercialName)
	t.stringOrNull("data_source", p.DataSource)
	t.stringOrNull("material_category", p.MaterialCategory)
	t.stringOrNull("absorption_character", p.AbsorptionCharacter)
	t.strings("installation_types", p.InstallationTypes)
	t.bool("has_epd", p.HasEPD)
	t.string("manufacturerName", p.Manufacturer.Name)
	t.number("alphaW", orZero(p.AlphaW))
	t.number("alphaWMin", orZero(p.AlphaWMin))
	t.stringOrNull("imageUrl", firstImage(p.Images))
	t.stringOrNull("url", p.URL)
	t.stringOrNull("epd_url", p.EPDURL)
	t.integerOrNull("variant_count", variantCount(p))
	t.meta(p.StructuredMeta)
	t.close('}')
	body.PublicHead, body.LabelDE, body.PublicTail = t.b[:head], t.b[head:label], t.b[label:]

	r.labelEN.b = appendString(r.labelEN.b[:0], p.Label.In("en"))
	body.LabelEN = r.labelEN.b
}

// renderCompare renders the CompareProduct up to its measurements, which are a part of the detail body.
func (r *renderer) renderCompare(body *indexes.Body, p *dataset.Product) {
	t := &r.compare
	t.b = t.b[:0]
	t.open('{')
	t.string("id", p.ID.String())
	t.string("slug", publicSlug(p))
	t.string("label", p.Label.In("de"))
	t.stringOrNull("commercial_name", p.CommercialName)
	t.stringOrNull("material_category", p.MaterialCategory)
	t.stringOrNull("absorption_character", p.AbsorptionCharacter)
	t.stringOrNull("data_source", p.DataSource)
	t.number("alphaW", orZero(p.AlphaW))
	t.number("alphaWMin", orZero(p.AlphaWMin))
	t.string("manufacturerName", p.Manufacturer.Name)
	t.bool("has_epd", p.HasEPD)
	t.stringOrNull("url", p.URL)
	t.stringOrNull("epd_url", p.EPDURL)
	t.strings("installation_types", p.InstallationTypes)
	t.meta(p.StructuredMeta)
	t.key("absorption_iso354")
	body.CompareHead = t.b
}

// publicSlug is the slug where the contract knows no null: a product without one has its id there.
func publicSlug(p *dataset.Product) string {
	if p.Slug == nil {
		return p.ID.String()
	}
	return *p.Slug
}

// orZero is a rating where the contract knows no null.
func orZero(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
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

// time writes a moment as RFC 3339 in UTC, with as many decimals of the second as it has.
func (t *jsonText) time(key string, at *time.Time) {
	t.key(key)
	if at == nil {
		t.null()
		return
	}
	t.b = append(t.b, '"')
	t.b = at.UTC().AppendFormat(t.b, time.RFC3339Nano)
	t.b = append(t.b, '"')
}

// textOrNull writes a text in German.
func (t *jsonText) textOrNull(key string, text dataset.Text) {
	if len(text) == 0 {
		t.stringOrNull(key, nil)
		return
	}
	t.string(key, text.In("de"))
}
