// Package indexes holds the index structures of a snapshot over document numbers. Each has its builder and
// its reader side by side, and its layout above them. It never knows source records and never speaks HTTP:
// the compiler hands it Documents, the runtime reads the answers.
//
// Read the page at the top of sections.go first: it shows the whole file and names the file of each section.
// The rest follows in four steps, each of which uses those below it, and index.go and phrases.go each other:
//
//	builder.go, rebuild.go     writes everything but the bodies; builds a snapshot again, to compare it
//	text_build.go, postings.go all that is made of texts, and the sets of words
//	index.go, phrases.go       reads it; the documents of a phrase, by whichever section is best
//
//	bodies.go                  the ready JSON of a product; body_sums.go, the checksums of all that is sent of it
//	facets.go, facets_build.go the values of a family, and their documents
//	alpha.go, orders.go        alpha_w, by document and by threshold; the sort orders
//	entries.go, entries_build.go, bit_slices.go
//	                           measurements: values by band, set-ups; the same bit by bit, for bounds over all
//	terms.go, forward.go       words with their postings; each document's words in order
//	pairs.go                   the postings of two frequent words side by side
//	fuzzy.go, fuzzy_front.go   words within an edit distance: a walk over words, and how near they are so far
//	stems.go, dictionary.go    the stems of words and the parts of compounds; the translations of words
//	names.go                   names by trigram, and the names of each document
//
//	groups.go, sorted_texts.go lists of numbers by key, and the table of keys
//	identifiers.go             hash tables: a product by its id or slug
//
//	meta.go                    how many products there are, the vocabulary, and what a Document is
//	sections.go                the kinds of sections, and the fields, families and orders
//
// Below are package column, where numbers from a file are held against their bounds; docset, sets of
// documents; snapshot, the container around the sections; and analysis, which makes words and keys of texts,
// for a build and for a query alike.
//
// # Tuned numbers
//
// What each trades, what it was measured to gain when it was chosen, and what to measure it by: where nothing
// else is said, a class of BenchmarkSearch/100k in package bench. The comments of the numbers tell more.
//
//	number              trades                              gain                                   measured by
//	bitsetMin, 512      1.2 % of the file for time          rare words take 0.55 of the time       description words
//	bitmapMin, 512      room of a set for time to unite it  256 documents of 1,048,576 take        BENCH_PRODUCTS=1000000,
//	                                                        0.2 µs, as a bitmap 0.6                filters
//	fewDocs, 200        adding one by one for eight at once 0.3 µs for each 100 names, else 0.7    garbled name
//	Counter, upright    a tree of adders for one by one     a tenth of the time                    garbled name
//	orValues, by fours  four places at a time for one       0.6 ns a document, else 0.7 to 1.3     vocabulary, facets
//	skipRatio, 8        searching for walking               0.90 of the instructions               description words
//	docFrequencyBound,  room of pairs for reading texts;    256 in a million texts of 60 words     phrase
//	256 or 1 in 1,000   larger catalogues keep fewer        keeps 28 million pairs
//	longPhrase, 3       room of phrases for reading texts   Großraumbüro reads no tenth of all     vocabulary
//	maxPrefix, 3, and   room of beginnings for uniting the  0.56 of the instructions; of words     exact, one typo
//	manyWords, 16       sets of their words                 with a typo 0.89
//	halves, of a word   4 bytes a word for time             words at distance 2 in 17 µs of 41     two typos
//	trunkDepth, 2       56 bytes of memory for each two     0.67 of the instructions               one typo, two typos,
//	                    letters that words begin with                                              nonsense
//	fetched, 512        reads perhaps not needed            20 summaries in 4.4 µs of 12.5         no benchmark
//	pairBatch, 2^24     128 MiB of a build for reading the  ten times 100,000 products need four   BENCH_LARGE=1,
//	                    forward index again                 reads, else 480 MiB                    BenchmarkBuild
//	sliceBlock, 512     0.26 % of the file for time         bounds take 0.1 of a look at each      BenchmarkBounds
//	maxTranslations,    words of many meanings against      8: nDCG of synonyms without a          go test ./bench/quality,
//	24                  those of few                        curated list 0.53, else 0.55           with a dictionary
//
// The first six are those of package docset. Instructions are those of a query, counted by valgrind
// --tool=callgrind with GOMAXPROCS=1, GOGC=off and GODEBUG=asyncpreemptoff=1: they are the same on a machine
// that others use too.
package indexes
