package product

// Limits on what a record may publish. Real catalogues stay below a fifth of each. A value over its limit is
// a fault; it is never cut.
//
// The limits bound the size of a response. The values of a record's known fields take at most
// MaxPublishedBytes in the source. When they are printed they at most double, where short numbers become long
// (2e-6), and the nulls and defaults of 3 × MaxElements measurements add less than 400 bytes each. So a
// product is smaller than 5 MiB in any answer, and a batch of 50 details smaller than 250 MiB; without these
// limits it could exceed 800 MiB, 50 records of 16 MiB.
const (
	MaxPublishedBytes = 2 << 20 // of all fields together

	// a label in one language, a name, an id, a facet's value, a key: what stands in one line of a list
	MaxNameBytes = 1000
	MaxSlugBytes = 200
	// MaxDescriptionBytes is the length of a description in one language. Every word of it is indexed.
	MaxDescriptionBytes = 64 << 10
	MaxMetaBytes        = 1 << 20 // a value of structured_meta
	MaxAddressBytes     = 8 << 10 // a url: what servers and browsers take
	MaxElements         = 500     // of an array or object, such as installation_types, images or the languages of a text

	MaxLengthMM = 1e9 // a thousand kilometres: it keeps areas far from the end of float64
)
