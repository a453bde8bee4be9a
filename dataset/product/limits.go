package product

// Limits of the data that a record may publish. Real catalogues use less than a fifth of each limit. A value
// over its limit is a fault. It is never truncated.
//
// The limits bound the size of a response. The known fields of a source record have at most
// MaxPublishedBytes. Short numbers such as 2e-6 become longer in JSON output, which at most doubles the size.
// The nulls and defaults of 3 × MaxElements measurements add less than 400 bytes each. A product therefore
// needs less than 5 MiB in a response, and a batch of 50 details less than 250 MiB. Without the limits, 50
// records of 16 MiB could exceed 800 MiB.
const (
	MaxPublishedBytes = 2 << 20 // size of all fields together

	// MaxNameBytes is the maximum length of a string in one line: a label, a name, an id, a facet value or a
	// key.
	MaxNameBytes = 1000
	MaxSlugBytes = 200
	// MaxDescriptionBytes is the maximum length of a description in one language. Every word of it is
	// indexed.
	MaxDescriptionBytes = 64 << 10
	MaxMetaBytes        = 1 << 20 // size of a value in structured_meta
	MaxAddressBytes     = 8 << 10 // length of a URL, as in common servers and browsers
	MaxElements         = 500     // elements of an array or object, such as images or the languages of a Text

	MaxLengthMM = 1e9 // 1000 km; areas then stay far below the maximum of float64
)
