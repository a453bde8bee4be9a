package table

// A Field is what a column is for. Its text is the column's name in our own tables: those of sabine export and of the template.
type Field string

// The fields that identify and describe a product. Those with a name of the source record fill that field of it.
const (
	FieldNone             Field = "" // nothing that a rule knows: structured_meta
	FieldID               Field = "id"
	FieldSlug             Field = "slug"
	FieldLabel            Field = "label"
	FieldLabelEN          Field = "label_en"
	FieldMaterial         Field = "material" // the label where there is no better one, else structured_meta
	FieldCommercialName   Field = "commercial_name"
	FieldArticle          Field = "article_number" // structured_meta
	FieldManufacturer     Field = "manufacturer"
	FieldManufacturerSlug Field = "manufacturer_slug"
	FieldManufacturerID   Field = "manufacturer_id"
	FieldDescription      Field = "description"
	FieldDescriptionEN    Field = "description_en"
	FieldDataSource       Field = "data_source"
	FieldPublished        Field = "published"
	FieldPurchasable      Field = "purchasable"
	FieldCategory         Field = "material_category"
	FieldCharacter        Field = "absorption_character"
	FieldInstallation     Field = "installation_types"
	FieldFireClass        Field = "fire_class"
	FieldUpdated          Field = "updated_at"
	FieldHasEPD           Field = "has_epd"
	FieldURL              Field = "url"
	FieldEPDURL           Field = "epd_url"
	FieldImages           Field = "images"          // addresses, or the record's JSON
	FieldMeta             Field = "structured_meta" // the record's JSON
	FieldGeometry         Field = "geometry"        // the record's JSON
	FieldShape            Field = "shape"           // of the geometry
	FieldSize             Field = "size"            // of the geometry: "600 x 600 x 40 mm"
	FieldWidth            Field = "width_mm"        // of the geometry
	FieldHeight           Field = "height_mm"       // of the geometry: the other edge of its face
	FieldDepth            Field = "depth_mm"        // of the geometry
	FieldSource           Field = "source"          // structured_meta
	FieldLaboratory       Field = "laboratory"      // structured_meta
	FieldTestDate         Field = "test_date"       // structured_meta
)

// The ratings that a source declares. All but alpha_w and alpha_w_min go to structured_meta.
const (
	FieldAlphaW    Field = "alpha_w" // with shape letters: "0.55(MH)"
	FieldAlphaWMin Field = "alpha_w_min"
	FieldShapeInd  Field = "shape_indicators" // the letters alone
	FieldNRC       Field = "nrc"
	FieldSAA       Field = "saa"
	FieldClass     Field = "absorption_class"
)

// The fields of a set-up, which is an entry of the record's measurements.
const (
	FieldNorm            Field = "norm" // "ISO 354", "ISO 17497-1", "ISO 17497-2", or words for them
	FieldEntryNumber     Field = "entry_number"
	FieldEntryID         Field = "entry_id"
	FieldEntryLabel      Field = "entry_label"
	FieldSourceKind      Field = "source_kind"
	FieldSourceNorm      Field = "source_norm"
	FieldMeasuringOption Field = "measuring_option"
	FieldMounting        Field = "mounting"
	FieldThickness       Field = "thickness_mm"
	FieldAirGap          Field = "air_gap_mm"
	FieldOverallDepth    Field = "overall_depth_mm" // thickness and air gap together
	FieldCalculated      Field = "calculated_absorption"
	FieldLimitFrequency  Field = "limit_frequency_hz"
	FieldEmpty           Field = "empty" // of our own export: the fields that have an empty text or an empty curve
)

// The fields of a table that has a row a band.
const (
	FieldFrequency   Field = "frequency"
	FieldCoefficient Field = "coefficient"
	FieldQuantity    Field = "quantity" // which coefficient it is
)

// A Quantity is what the coefficients of a curve are.
type Quantity string

// The quantities. Each but AlphaP is a curve of an entry, whose fields in the record begin with the quantity's text and end with
// "_octave" or "_third_octave"; AlphaP is the record's absorption_octave.
const (
	AlphaS                Quantity = "alpha_s"                          // ISO 354
	AlphaP                Quantity = "alpha_p"                          // ISO 11654, practical, octaves
	Scattering            Quantity = "scatter"                          // ISO 17497-1
	Diffusion             Quantity = "diffusion"                        // ISO 17497-2
	NormalizedDiffusion   Quantity = "normalized_diffusion"             // ISO 17497-2
	DirectionalDiffusion  Quantity = "directional_diffusion"            // ISO 17497-2
	NormalizedDirectional Quantity = "normalized_directional_diffusion" // ISO 17497-2
)

// Resolution is which bands a curve has.
type Resolution string

// The resolutions. A column that names neither is of an octave curve where all values of its row are at octave centres, else of a
// third-octave one.
const (
	AnyResolution Resolution = ""
	Octave        Resolution = "octave"
	ThirdOctave   Resolution = "third_octave"
)

// quantities are all of them.
var quantities = []Quantity{AlphaS, AlphaP, Scattering, Diffusion, NormalizedDiffusion, DirectionalDiffusion, NormalizedDirectional}

// norm is the norm of the entries that a quantity is measured for, "" for AlphaP, which is of no entry, and for none.
func (q Quantity) norm() string {
	switch q {
	case "", AlphaP:
		return ""
	case AlphaS:
		return "ISO 354"
	case Scattering:
		return "ISO 17497-1"
	}
	return "ISO 17497-2"
}
