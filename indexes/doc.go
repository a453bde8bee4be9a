// Package indexes defines the index structures of a snapshot. The byte format of each structure is documented
// above the code that reads and builds it. The package does not read source records and contains no HTTP
// code. Package compiler passes Documents to it, and package runtime queries the indexes.
//
// Start with the overview at the top of sections.go. It lists the sections of a snapshot, each with its Go
// file.
//
// The other files form four layers. A layer may use the layers below it. In the first layer, index.go and
// phrases.go use each other.
//
//	builder.go                       writes every section except the bodies; stops when the context ends
//	rebuild.go                       rebuilds a snapshot and compares it with the existing one
//	text_build.go, postings.go       build the sections of words, and split compounds into parts
//	index.go                         opens a snapshot and reads the head of each section
//	phrases.go                       finds the documents that contain a phrase
//
//	bodies.go, body_sums.go          encode and decode the JSON of products, which the compiler renders
//	facets.go, facets_build.go       the values of a facet family and their documents
//	alpha.go, orders.go              alpha_w by document and by threshold; the sort orders
//	entries.go, entries_build.go     measurements: the value in each band, mounting, thickness and depth
//	bit_slices.go                    the same numbers bit by bit, to compare many of them with a bound
//	terms.go, forward.go             words with their postings; the words of each document in order
//	pairs.go                         postings of two frequent words that are neighbours
//	fuzzy.go, fuzzy_front.go         words within an edit distance; the edit distance of a prefix
//	stems.go                         the stems of each word; the spellings of compound parts
//	dictionary.go                    translations of words
//	names.go                         the trigram index of names; the names of each document
//
//	groups.go, sorted_texts.go       keys with lists of numbers, such as stems and compound parts
//	identifiers.go                   hash tables that find a product by id or slug
//
//	meta.go                          the number of products, the vocabulary, and the type Document
//	sections.go                      the kinds of sections, and the fields, facet families and orders
//
// The subpackage column reads and writes numbers and verifies their bounds. docset contains sets of
// documents. snapshot reads and writes the file that contains the sections. analysis splits texts into words
// and keys, for builds and for queries. files opens, locks and replaces files.
//
// # Tuned numbers
//
// The table lists what each number trades, the measured gain, and the benchmark. A class name refers to
// BenchmarkSearch/100k in package bench. The comment of each number has details.
//
//	number              trades                              gain                                   measured by
//	bitsetMin, 512      1.2 % of the file for time          rare words take 0.55 of the time       description words
//	bitmapMin, 512      size of a set for time to add it    256 documents of 1,048,576 take        BENCH_PRODUCTS=1000000,
//	                                                        0.2 µs, as a bitmap 0.6                filters
//	fewDocs, 200        adding one by one for adding eight  0.3 µs for each 100 names, not 0.7     garbled name
//	Counter, upright    a tree of adders for adding singly  0.1 of the time                        garbled name
//	orValues, by fours  four positions at a time for one    0.6 ns a document, not 0.7 to 1.3      vocabulary, facets
//	skipRatio, 8        searching for scanning              0.90 of the instructions               description words
//	docFrequencyBound,  space of pairs for reading texts;   256 in a million texts of 60 words     phrase
//	256 or 1 in 1,000   larger catalogues have fewer        have 28 million pairs
//	longPhrase, 3       space of phrases for reads          saves reading 0.1 of all records       vocabulary
//	maxPrefix, 3, and   space of prefixes for merging the   0.56 of the instructions; of words     exact, one typo
//	manyWords, 16       sets of their words                 with a typo 0.89
//	halves of a word    4 bytes a word for time             words at distance 2 in 17 µs of 41     two typos
//	trunkDepth, 2       56 bytes of memory for each two     0.67 of the instructions               one typo, two typos,
//	                    initial letters                                                        nonsense
//	fetched, 512        reads that may be useless           20 summaries in 4.4 µs of 12.5         no benchmark
//	touchedRecords, 32  reads that may be useless           6,000 texts without a phrase are       no benchmark
//	                                                        searched in 0.77 of the time
//	pairBatch, 2^24     128 MiB of a build for reading the  ten times 100,000 products need four   BENCH_LARGE=1,
//	                    forward index again                 reads, else 480 MiB                    BenchmarkBuild
//	sliceBlock, 512     0.26 % of the file for time         a bound takes 0.1 of a scan            BenchmarkBounds
//	maxTranslations,    ambiguous words against             8: nDCG of synonyms without a          go test ./bench/quality,
//	24                  unambiguous ones                     curated list 0.53, else 0.55           with a dictionary
//
// The first six numbers belong to package docset. Instructions are counted per query, with valgrind
// --tool=callgrind and GOMAXPROCS=1, GOGC=off and GODEBUG=asyncpreemptoff=1. Other load on the machine does
// not change the count.
package indexes
