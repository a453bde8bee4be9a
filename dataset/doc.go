// Package dataset reads products: it validates source records and vocabularies in every container form, and
// has the sample catalogue.
//
// It never writes snapshot files, searches or speaks HTTP. Records that are made up come from synthetic,
// those of foreign tables from importers, both below, as is dictionary, which reads the dictionaries of a
// build; acoustics has the formulas, jsonwriter writes JSON.
//
// What a record may publish is bounded, field by field and in all, so that every answer of the API is:
// limits.go of package product has the numbers and their reasons.
//
// Read package product first, which is what a record becomes. The way there:
//
//	inputs.go   which files the arguments name; regular.go, which of them can be read; open.go, how they are compressed
//	reader.go   records one by one, from lines and arrays; reader_documents.go, from objects; window.go, the part of the
//	            input that is in memory, which a decoder of JSON reads
//	inspect.go  whether the text is JSON that can be relied on
//	parse.go    a record to a product; fields.go, which members an object may have; parser.go, how single values are read
//	            and faults noted; path.go and fault.go, where and what they are
//	check.go    a product beside all the others: ids, slugs, manufacturers, vocabulary
//
// Importers take from here what is said of products in the same way whatever they read: words.go, the values
// of the vocabulary by the words for them; notes.go, what is doubtful alike, counted; natural.go, the order
// of texts and places.
//
// The members of a record are read in parse_text.go, parse_slug.go (the manufacturer too), parse_images.go,
// geometry.go and parse_measurements.go with parse_curve.go; parse_ratings.go derives what they do not say.
// vocabulary.go has the families and how vocabularies merge, synonyms.go the files of synonyms, sample.go the
// sample.
package dataset
