package dataset

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/tidwall/gjson"
)

// Parsed is what Parse made of a record.
type Parsed struct {
	Product  *Product // nil when there are faults
	Faulty   *Product // not nil when there are: what could be read nevertheless, for Checker.AddFaulty alone
	Faults   []Fault  // every fault of the record by itself, in the order of the fields
	Warnings []Fault  // doubtful but legal values
	Unknown  []string // fields that the record format does not list, as dotted paths without indexes, once per record
}

// The fields of a record, in the order in which their faults are reported.
const (
	fieldID = iota
	fieldSlug
	fieldPublished
	fieldLabel
	fieldCommercialName
	fieldDescription
	fieldManufacturer
	fieldDataSource
	fieldPurchasable
	fieldMaterialCategory
	fieldAbsorptionCharacter
	fieldInstallationTypes
	fieldFireClass
	fieldAlphaW
	fieldAlphaWMin
	fieldUpdatedAt
	fieldHasEPD
	fieldURL
	fieldEPDURL
	fieldStructuredMeta
	fieldImages
	fieldGeometry
	fieldMeasurements
	fieldCount
)

var recordFields = [fieldCount]string{
	"id", "slug", "published", "label", "commercial_name", "description", "manufacturer", "data_source", "purchasable",
	FamilyCategory, FamilyCharacter, FamilyInstallation, "fire_class", "alpha_w", "alpha_w_min", "updated_at", "has_epd",
	"url", "epd_url", "structured_meta", "images", "geometry", "measurements",
}

// Parse validates a record by itself and derives what the compiler needs of it. It is safe for concurrent use.
func Parse(raw Raw) Parsed {
	p := parsers.Get().(*parser)
	p.place = raw.Place
	parsed := p.parse(raw)
	*p = parser{path: p.path[:0]}
	parsers.Put(p)
	return parsed
}

// parsers are those that work no more: a parser's room for the fields is larger than most records.
var parsers = sync.Pool{New: func() any { return new(parser) }}

func (p *parser) parse(raw Raw) Parsed {
	found := raw.found
	if !raw.inspected {
		var broken *syntaxError
		if found, broken = inspect(raw.JSON); broken != nil {
			p.fault("", invalidAt(max(raw.Place.Offset, 0)+int64(broken.offset), broken.expected))
			return Parsed{Faults: p.faults}
		}
	}
	record := gjson.ParseBytes(raw.JSON)
	if !record.IsObject() {
		p.fault("", "expected a record, which is an object, got "+KindOf(record))
		return Parsed{Faults: p.faults}
	}
	values := &p.recordValues
	p.fields(record, recordFields[:], values[:])
	p.record = values[fieldID].String()
	p.findings(found)
	p.checkSize(values[:])
	if n := len(found); n > 0 && found[n-1].last {
		return Parsed{Faults: p.faults}
	}
	product := p.product(values)
	if len(p.faults) == 0 {
		p.derive(product)
	}
	parsed := Parsed{Product: product, Faults: p.faults, Warnings: p.warnings}
	if len(p.faults) > 0 {
		parsed.Product, parsed.Faulty = nil, product
	}
	if len(p.unknown) > 0 {
		parsed.Unknown = slices.Sorted(maps.Keys(p.unknown))
	}
	return parsed
}

// product reads the fields, in the order of the record format.
func (p *parser) product(v *[fieldCount]gjson.Result) *Product {
	return &Product{
		ID:                  p.id(v[fieldID]),
		Slug:                p.productSlug(v[fieldSlug]),
		Published:           p.boolean("published", v[fieldPublished], true),
		Label:               p.label(v[fieldLabel]),
		CommercialName:      p.text("commercial_name", v[fieldCommercialName]),
		Description:         p.localized("description", v[fieldDescription], true, maxDescriptionBytes),
		Manufacturer:        p.manufacturer(v[fieldManufacturer]),
		DataSource:          p.oneOf("data_source", v[fieldDataSource], "manufacturer", "ptb"),
		Purchasable:         p.boolean("purchasable", v[fieldPurchasable], v[fieldDataSource].Str != "ptb"),
		MaterialCategory:    p.value(FamilyCategory, v[fieldMaterialCategory]),
		AbsorptionCharacter: p.value(FamilyCharacter, v[fieldAbsorptionCharacter]),
		InstallationTypes:   p.installationTypes(v[fieldInstallationTypes]),
		FireClass:           p.fireClass(v[fieldFireClass]),
		AlphaW:              p.share("alpha_w", v[fieldAlphaW]),
		AlphaWMin:           p.share("alpha_w_min", v[fieldAlphaWMin]),
		UpdatedAt:           p.moment("updated_at", v[fieldUpdatedAt]),
		HasEPD:              p.hasEPD(v[fieldHasEPD], v[fieldEPDURL]),
		URL:                 p.webAddress("url", v[fieldURL]),
		EPDURL:              p.webAddress("epd_url", v[fieldEPDURL]),
		StructuredMeta:      p.structuredMeta(v[fieldStructuredMeta]),
		Images:              p.images(v[fieldImages]),
		Geometry:            p.geometry(v[fieldGeometry]),
		Measurements:        p.measurements(v[fieldMeasurements]),
	}
}

// derive completes a product without faults: ratings and exposed areas.
func (p *parser) derive(product *Product) {
	p.rate(product)
	if g := product.Geometry; g != nil && g.ExposedAreas == nil {
		g.ExposedAreas = exposedAreas(g.Shape, g.BoundingBox, product.InstallationTypes)
	}
}

// id reads the record's id, whatever its letters' case.
func (p *parser) id(v gjson.Result) uuid.UUID {
	if !p.required("id", v, "a UUID") {
		return uuid.UUID{}
	}
	return p.uuid("id", v)
}

// uuid reads a UUID.
func (p *parser) uuid(name string, v gjson.Result) uuid.UUID {
	if v.Type == gjson.String {
		if id, ok := parseUUID(v.Str); ok {
			return id
		}
	}
	p.wrongType(name, v, "a UUID")
	return uuid.UUID{}
}

// parseUUID reads a UUID in its one usual form of 36 characters; uuid.Parse knows more.
func parseUUID(s string) (uuid.UUID, bool) {
	if len(s) != 36 {
		return uuid.UUID{}, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil
}

// share reads a number from 0 to 1, or null.
func (p *parser) share(name string, v gjson.Result) *float64 {
	n := p.number(name, v)
	if n != nil && !(*n >= 0 && *n <= 1) {
		p.wrongType(name, v, "a number from 0 to 1")
		return nil
	}
	return n
}

// moment reads a date-time of RFC 3339, or null, and gives it in UTC.
func (p *parser) moment(name string, v gjson.Result) *time.Time {
	if isNull(v) {
		return nil
	}
	t, ok := time.Time{}, false
	if v.Type == gjson.String {
		t, ok = parseMoment(v.Str)
	}
	if !ok {
		p.wrongType(name, v, "a date-time such as 2026-01-31T12:00:00Z (RFC 3339)")
		return nil
	}
	t = t.UTC()
	if t.Year() < 0 || t.Year() > 9999 { // where the offset carries it there, no RFC 3339 date-time is left
		p.wrongType(name, v, "a date-time of the years 0 to 9999 in UTC")
		return nil
	}
	return &t
}

// rfc3339 is the form of a date-time, in capitals. time.Parse by itself takes hours of one digit, a decimal comma and
// offsets of a day too.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// parseMoment reads a date-time of RFC 3339, whose T and Z may be small letters.
func parseMoment(s string) (t time.Time, ok bool) {
	s = strings.ToUpper(s)
	if !rfc3339.MatchString(s) {
		return t, false
	}
	t, err := time.Parse(time.RFC3339, s)
	return t, err == nil
}

// hasEPD reads whether there is an Environmental Product Declaration: without a word of it, when there is a link to one.
func (p *parser) hasEPD(v, link gjson.Result) bool {
	has := p.boolean("has_epd", v, !isNull(link))
	switch {
	case has && isNull(link):
		p.warn("has_epd", "true without an epd_url")
	case !has && !isNull(link):
		p.warn("has_epd", "false with an epd_url")
	}
	return has
}
