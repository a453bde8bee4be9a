package columns

// A Field is the meaning of a column. Its value is the column's name in exports and in the template.
type Field string

// The fields that identify and describe a product. A field sets the field of the record with the same name.
const (
	None             Field = "" // unknown; stored in structured_meta
	ID               Field = "id"
	Slug             Field = "slug"
	Label            Field = "label"
	LabelEN          Field = "label_en"
	Material         Field = "material" // the label if there is no better one, otherwise structured_meta
	CommercialName   Field = "commercial_name"
	Series           Field = "series"         // stored in structured_meta
	Article          Field = "article_number" // stored in structured_meta
	Manufacturer     Field = "manufacturer"
	ManufacturerSlug Field = "manufacturer_slug"
	ManufacturerID   Field = "manufacturer_id"
	Description      Field = "description"
	DescriptionEN    Field = "description_en"
	DataSource       Field = "data_source"
	Published        Field = "published"
	Purchasable      Field = "purchasable"
	Category         Field = "material_category"
	Character        Field = "absorption_character"
	Installation     Field = "installation_types"
	FireClass        Field = "fire_class"
	Updated          Field = "updated_at"
	HasEPD           Field = "has_epd"
	URL              Field = "url"
	EPDURL           Field = "epd_url"
	Images           Field = "images"          // addresses, or JSON as in a record
	Meta             Field = "structured_meta" // JSON as in a record
	Geometry         Field = "geometry"        // JSON as in a record
	Shape            Field = "shape"           // part of the geometry
	Size             Field = "size"            // part of the geometry: "600 x 600 x 40 mm"
	Width            Field = "width_mm"        // part of the geometry
	Height           Field = "height_mm"       // part of the geometry: the second edge of the face
	Depth            Field = "depth_mm"        // part of the geometry
	Source           Field = "source"          // stored in structured_meta
	Laboratory       Field = "laboratory"      // stored in structured_meta
	TestDate         Field = "test_date"       // stored in structured_meta

	// The ratings that a source declares. All except alpha_w and alpha_w_min go to structured_meta.
	AlphaW    Field = "alpha_w" // can include shape letters: "0.55(MH)"
	AlphaWMin Field = "alpha_w_min"
	ShapeInd  Field = "shape_indicators" // only the shape letters
	NRC       Field = "nrc"
	SAA       Field = "saa"
	Class     Field = "absorption_class"
)

// The fields of a set-up, which is an entry in a record's measurements.
const (
	Norm            Field = "norm" // "ISO 354", "ISO 17497-1", "ISO 17497-2", or equivalent words
	EntryNumber     Field = "entry_number"
	EntryID         Field = "entry_id"
	EntryLabel      Field = "entry_label"
	SourceKind      Field = "source_kind"
	SourceNorm      Field = "source_norm"
	MeasuringOption Field = "measuring_option"
	Mounting        Field = "mounting"
	Thickness       Field = "thickness_mm"
	AirGap          Field = "air_gap_mm"
	OverallDepth    Field = "overall_depth_mm" // thickness and air gap together
	Calculated      Field = "calculated_absorption"
	LimitFrequency  Field = "limit_frequency_hz"
	Empty           Field = "empty" // only in exports: names of the fields with an empty string or curve

	// The fields of a long table.
	Frequency   Field = "frequency"
	Coefficient Field = "coefficient"
	OfQuantity  Field = "quantity" // quantity of the coefficient
)

// A Quantity is the physical quantity of the coefficients in a curve.
type Quantity string

// The quantities. AlphaP is absorption_octave in a record. Every other quantity is a curve in an entry: its
// fields in the record begin with the quantity and end with "_octave" or "_third_octave".
const (
	AlphaS                Quantity = "alpha_s"                          // ISO 354
	AlphaP                Quantity = "alpha_p"                          // ISO 11654, practical, octaves
	Scattering            Quantity = "scatter"                          // ISO 17497-1
	Diffusion             Quantity = "diffusion"                        // ISO 17497-2
	NormalizedDiffusion   Quantity = "normalized_diffusion"             // ISO 17497-2
	DirectionalDiffusion  Quantity = "directional_diffusion"            // ISO 17497-2
	NormalizedDirectional Quantity = "normalized_directional_diffusion" // ISO 17497-2
)

// A Resolution is the set of bands that a curve uses.
type Resolution string

// The resolutions. If a column names neither, it belongs to an octave curve if all values in its row are at
// octave centres, and otherwise to a third-octave curve.
const (
	AnyResolution Resolution = ""
	Octave        Resolution = "octave"
	ThirdOctave   Resolution = "third_octave"
)

// Quantities lists all quantities in record order.
var Quantities = []Quantity{
	AlphaS, AlphaP, Scattering, Diffusion, NormalizedDiffusion, DirectionalDiffusion, NormalizedDirectional,
}

var norms = map[Quantity]string{
	AlphaS: "ISO 354", Scattering: "ISO 17497-1", Diffusion: "ISO 17497-2", NormalizedDiffusion: "ISO 17497-2",
	DirectionalDiffusion: "ISO 17497-2", NormalizedDirectional: "ISO 17497-2",
}

// Norm returns the norm for entries with a quantity. It returns "" for AlphaP, which no entry contains.
func (q Quantity) Norm() string { return norms[q] }
