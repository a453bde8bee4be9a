package product

// Limits of the data that a record may publish. Real catalogues stay below a fifth of each limit. A value
// over its limit is a fault. It is never truncated.
//
// The limits bound the size of a response. The known fields of a source record have at most
// MaxPublishedBytes. Short numbers such as 2e-6 become longer in JSON output, which at most doubles the size.
// The nulls and defaults of 3 × MaxElements measurements add less than 400 bytes each. So a product takes
// less than 5 MiB in a response, and a batch of 50 details less than 250 MiB. Without the limits, 50 records
// of 16 MiB could exceed 800 MiB.
const (
	MaxPublishedBytes = 2 << 20 // all fields together

	// a text on one line of a list: a label in one language, a name, an id, a facet value, a key
	MaxNameBytes = 1000
	MaxSlugBytes = 200
	// MaxDescriptionBytes is the maximum length of a description in one language. Every word of it is
	// indexed.
	MaxDescriptionBytes = 64 << 10
	MaxMetaBytes        = 1 << 20 // a value of structured_meta
	MaxAddressBytes     = 8 << 10 // a URL: the limit of common servers and browsers
	MaxElements         = 500     // an array or object, such as installation_types, images or the languages of a text

	MaxLengthMM = 1e9 // 1000 km: areas stay far below the maximum of float64
)
