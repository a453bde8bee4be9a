package indexes

// A Body is the ready JSON of one product.
//
// A summary is a beginning of the detail, and compare's absorption_iso354 is a stretch of it, so both are stored as
// offsets into Detail and not as bytes of their own:
//
//	summary                 Detail[:SummaryEnd] + "}"
//	summary with acoustics  Detail[:AcousticsEnd] + "}"
//	detail                  Detail
//	with geometry           the above without the last "}", then `,"geometry":` + Geometry + "}"
//	compare                 CompareHead + Detail[AbsorptionStart:AbsorptionEnd] + "}"
//	public item             PublicHead + PublicLabel(locale) + PublicTail
type Body struct {
	Detail                         []byte
	SummaryEnd, AcousticsEnd       int
	AbsorptionStart, AbsorptionEnd int
	Geometry                       []byte // an object, or null
	PublicHead, LabelDE, LabelEN   []byte // the labels are JSON strings, quotes included
	PublicTail                     []byte
	CompareHead                    []byte // up to and with `"absorption_iso354":`
	Plain, WithGeometry            Coded
}

// Coded is the stored compressed forms of a detail body and its tag.
type Coded struct {
	ETag string // the content hash of the identity body, 32 hex digits, without quotes
	Gzip []byte // nil when the body is too small to be worth it
	Zstd []byte
}

// AppendBody appends the record of a body as section KindBodies stores it.
func AppendBody(dst []byte, b *Body) []byte { panic("unwritten") }
