package dataset

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/tidwall/gjson"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// Parsed is the result of Parse.
type Parsed struct {
	Product  *product.Product // nil if there are faults
	Faulty   *product.Product // the readable part of a record with faults, only for Checker.AddFaulty
	Faults   []Fault          // all faults, in field order
	Warnings []Fault          // valid but doubtful values
	// Unknown lists fields that are not in the record format, as dotted paths without indexes or duplicates.
	Unknown []string
}

// recordFields are the fields of a record.
var recordFields = fields[product.Product]{
	into("id", (*parser).id, func(r *product.Product) *uuid.UUID { return &r.ID }),
	into("slug", (*parser).productSlug, func(r *product.Product) **string { return &r.Slug }),
	into("published", (*parser).published, func(r *product.Product) *bool { return &r.Published }),
	into("label", (*parser).label, func(r *product.Product) *product.Text { return &r.Label }),
	into("commercial_name", (*parser).text, func(r *product.Product) **string { return &r.CommercialName }),
	into("description", (*parser).description, func(r *product.Product) *product.Text { return &r.Description }),
	into("manufacturer", (*parser).manufacturer,
		func(r *product.Product) *product.Manufacturer { return &r.Manufacturer }).nesting(manufacturerFields),
	into("data_source", oneOf(product.Manufactured, product.Reference),
		func(r *product.Product) **string { return &r.DataSource }),
	{name: "purchasable", read: func(p *parser, name string, v gjson.Result, r *product.Product) {
		r.Purchasable = p.boolean(name, v, r.SoldByDefault())
	}},
	into(product.FamilyCategory, (*parser).value, func(r *product.Product) **string { return &r.MaterialCategory }),
	into(product.FamilyCharacter, (*parser).value, func(r *product.Product) **string { return &r.AbsorptionCharacter }),
	into(product.FamilyInstallation, (*parser).installationTypes,
		func(r *product.Product) *[]string { return &r.InstallationTypes }),
	into("fire_class", (*parser).fireClass, func(r *product.Product) **product.FireClass { return &r.FireClass }),
	into("alpha_w", (*parser).fraction, func(r *product.Product) **float64 { return &r.AlphaW }),
	into("alpha_w_min", (*parser).fraction, func(r *product.Product) **float64 { return &r.AlphaWMin }),
	into("absorption_octave", absorptionOctave, func(r *product.Product) *acoustics.Curve { return &r.AbsorptionOctave }),
	into("updated_at", (*parser).dateTime, func(r *product.Product) **time.Time { return &r.UpdatedAt }),
	into("has_epd", (*parser).hasEPD, func(r *product.Product) *bool { return &r.HasEPD }),
	into("url", (*parser).webAddress, func(r *product.Product) **string { return &r.URL }),
	into("epd_url", (*parser).webAddress, func(r *product.Product) **string { return &r.EPDURL }),
	into("structured_meta", (*parser).structuredMeta,
		func(r *product.Product) *[]product.MetaEntry { return &r.StructuredMeta }),
	into("images", (*parser).images, func(r *product.Product) *[]product.Image { return &r.Images }).nesting(imageFields),
	into("geometry", (*parser).geometry,
		func(r *product.Product) **product.Geometry { return &r.Geometry }).nesting(geometryFields),
	{name: "measurements", nested: measurementFields, read: func(p *parser, name string, v gjson.Result,
		r *product.Product) {
		measurementFields.readObject(p, name, v, "an object or null", &r.Measurements)
	}},
}

// Parse validates a single record and computes its ratings and default values. It is safe for concurrent use.
func Parse(raw Raw) Parsed {
	p := &parser{place: raw.Place, faults: raw.Faults, warnings: raw.Warnings}
	inspected := Inspect(raw.JSON)
	record, ok := p.rootObject(raw.JSON, inspected, "a record (a JSON object)")
	if !ok {
		return Parsed{Faults: p.faults}
	}
	values := recordFields.values(p, record)
	p.record = recordFields.value(values, "id").String()
	p.linked = !isNull(recordFields.value(values, "epd_url"))
	p.addInspected(inspected.Faults)
	if !raw.Stored {
		p.checkSize(values)
	}
	if inspected.End < len(raw.JSON) { // too deep, which is one of the inspected faults
		return Parsed{Faults: p.faults}
	}
	product := new(product.Product)
	recordFields.readValues(p, values, product)
	if len(p.faults) == 0 {
		p.derive(product)
	}
	return p.parsed(product)
}

// rootObject returns the object of a JSON text that was inspected. It records a fault and returns false if
// the text is invalid JSON or not an object. expected describes the object.
func (p *parser) rootObject(text []byte, inspected Inspection, expected string) (object gjson.Result, ok bool) {
	if inspected.Expected != "" {
		p.fault("", invalidAt(max(p.place.Offset, 0)+int64(inspected.End), inspected.Expected))
		return object, false
	}
	if object = gjson.ParseBytes(text); !object.IsObject() {
		p.fault("", "expected "+expected+", got "+KindOf(object))
		return object, false
	}
	return object, true
}

// parsed returns the result for a product whose fields were read.
func (p *parser) parsed(product *product.Product) Parsed {
	parsed := Parsed{Faults: p.faults, Warnings: p.warnings, Unknown: slices.Sorted(maps.Keys(p.unknown))}
	if len(p.faults) == 0 {
		parsed.Product = product
	} else {
		parsed.Faulty = product
	}
	return parsed
}

// ParseMembers reads the members of an incomplete record, in which no member is required. It returns the
// product as Faulty if there are faults. It computes no ratings or areas.
func ParseMembers(raw Raw) Parsed {
	p := &parser{place: raw.Place, partial: true}
	inspected := Inspect(raw.JSON)
	p.addInspected(inspected.Faults)
	record, ok := p.rootObject(raw.JSON, inspected, "an object")
	if !ok || inspected.End < len(raw.JSON) { // too deep, which is one of the inspected faults
		return Parsed{Faults: p.faults}
	}
	product := new(product.Product)
	for i, value := range recordFields.values(p, record) {
		if f := &recordFields[i]; !isNull(value) {
			f.read(p, f.name, value, product)
		}
	}
	return p.parsed(product)
}

// derive computes the ratings and exposed areas of a product that has no faults.
func (p *parser) derive(product *product.Product) {
	p.rate(product)
	if g := product.Geometry; g != nil && g.ExposedAreas == nil {
		g.ExposedAreas = exposedAreas(g.Shape, g.BoundingBox, product.InstallationTypes)
	}
}

// id reads the id of a record, which is required. It can be in upper or lower case.
func (p *parser) id(name string, v gjson.Result) uuid.UUID {
	if !p.required(name, v, "a UUID") {
		return uuid.UUID{}
	}
	return p.uuid(name, v)
}

func (p *parser) uuid(name string, v gjson.Result) uuid.UUID {
	if v.Type == gjson.String {
		if id, ok := parseUUID(v.Str); ok {
			return id
		}
	}
	p.wrongType(name, v, "a UUID")
	return uuid.UUID{}
}

// parseUUID parses a UUID in the usual form of 36 characters. uuid.Parse also accepts other forms.
func parseUUID(s string) (uuid.UUID, bool) {
	if len(s) != 36 {
		return uuid.UUID{}, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil
}

// published reads whether a record is published. The default is true.
func (p *parser) published(name string, v gjson.Result) bool { return p.boolean(name, v, true) }

// fraction reads a number from 0 to 1 or null.
func (p *parser) fraction(name string, v gjson.Result) *float64 {
	n := p.number(name, v)
	if n != nil && !(*n >= 0 && *n <= 1) {
		p.wrongType(name, v, "a number from 0 to 1")
		return nil
	}
	return n
}

// dateTime reads an RFC 3339 date-time or null, and returns it in UTC.
func (p *parser) dateTime(name string, v gjson.Result) *time.Time {
	if isNull(v) {
		return nil
	}
	t, ok := time.Time{}, false
	if v.Type == gjson.String {
		t, ok = parseDateTime(v.Str)
	}
	if !ok {
		p.wrongType(name, v, "a date-time such as 2026-01-31T12:00:00Z (RFC 3339)")
		return nil
	}
	t = t.UTC()
	if t.Year() < 0 || t.Year() > 9999 { // the conversion to UTC can leave the range of RFC 3339
		p.wrongType(name, v, "a date-time in the years 0 to 9999 (UTC)")
		return nil
	}
	return &t
}

var dateTimeForm = regexp.MustCompile(product.DateTimePattern)

// parseDateTime parses an RFC 3339 date-time. T and Z can be in lower case.
func parseDateTime(s string) (t time.Time, ok bool) {
	if !dateTimeForm.MatchString(s) {
		return t, false
	}
	t, err := time.Parse(time.RFC3339, strings.ToUpper(s))
	return t, err == nil
}

// hasEPD reads whether the product has an Environmental Product Declaration. By default it has one if the
// record contains an epd_url.
func (p *parser) hasEPD(name string, v gjson.Result) bool {
	has := p.boolean(name, v, p.linked)
	switch {
	case has && !p.linked:
		p.warn(name, "true without an epd_url")
	case !has && p.linked:
		p.warn(name, "false with an epd_url")
	}
	return has
}
