// Package indexes holds the index structures of a snapshot over document numbers. Each has its builder and its reader side by
// side, and its layout above them.
//
// It never knows source records and never speaks HTTP: the compiler hands it Documents, the runtime reads the answers. The
// container around the sections, and the folder that it lies in, are package snapshot, over what package files knows of a file
// system. Numbers from a file are held against their bounds in package column, sets of documents are those of package docset,
// and package analysis makes words and keys of texts, for a build and for a query alike.
//
// Read sections.go first: the page at its top shows the whole file. Then document.go, what is known of a product; builder.go,
// which writes everything but the bodies; index.go, which reads it:
//
//	sections.go    the one table of sections, and the fields, families and orders
//	meta.go        how many products there are, and the vocabulary
//	bodies.go      the ready JSON of a product; bodies_sums.go, the checksums that what is sent of it is held against
//	identifiers.go hash tables: a product by its id or slug
//	facets.go      the values of a family, and their documents; facets_build.go builds it
//	alpha.go       alpha_w, by document and by threshold
//	entries.go     measurements: their values by band, their set-ups; entries_build.go builds it
//	bit_slices.go  the same numbers bit by bit, for bounds over all of them
//	orders.go      the sort orders
//	terms.go       words with their postings: the dictionary, short beginnings of words, long phrases
//	forward.go     the forward index: each document's words in order
//	pairs.go       the postings of two frequent words side by side
//	phrases.go     the documents of a phrase, by whichever of these is best; phrases_build.go, those of the long ones
//	fuzzy.go       words within an edit distance, over a dictionary and its reversed one; fuzzy_trunk.go, where its words begin
//	groups.go      lists of numbers by key: stems, parts of compounds, names; field_sets.go, their documents
//	stems.go       each word's stems
//	part_forms.go  the forms of the parts of compounds
//	dictionary.go  the translations of a bilingual dictionary
//	names.go       names by trigram; doc_names.go, the names of each document
//	text_build.go  builds all that is made of texts; postings.go, the sets of words
//
// rebuild.go builds a snapshot again to compare it, and reads back what the indexes say of a product. sorted_texts.go is the table of
// texts below terms and groups; pieces.go keeps what a build gathers; halt.go ends the writing with its context.
//
// # Tuned numbers
//
// What each trades, what it was measured to gain when it was chosen, and what to measure it by: where nothing else is said, a
// class of BenchmarkSearch/100k in package bench. The comments of the numbers tell more.
//
//	number              trades                              gain                                   measured by
//	bitsetMin, 512      1.2 % of the file for time          rare words take 0.55 of the time;      description words
//	                                                        no more from 256 on, 0.8 from 1,024 on
//	bitmapMin, 512      room of a set for time to unite it  256 documents of 1,048,576 take        BENCH_PRODUCTS=1000000,
//	                                                        0.2 µs, as a bitmap 0.6; 16,000        filters
//	                                                        take 18, as an array 22
//	fewDocs, 200        adding one by one for eight at once 0.3 µs for each 100 names, where a     garbled name
//	                                                        chunk of names takes 0.7
//	Counter, upright    a tree of adders for one by one     a tenth of the time                    garbled name
//	orValues, by fours  four places at a time for one       0.6 ns a document, else 0.7 to 1.3     vocabulary, facets
//	skipRatio, 8        searching for walking               0.90 of the instructions               description words
//	docFrequencyBound,  room of pairs for reading texts;    256 in a million texts of 60 words     phrase
//	256 or 1 in 1,000   larger catalogues keep fewer        keeps 28 million pairs
//	longPhrase, 3       room of phrases for reading texts   Großraumbüro reads no tenth of all     vocabulary
//	                                                        texts
//	maxPrefix, 3, and   room of beginnings for uniting the  0.56 of the instructions; of words     exact, one typo
//	manyWords, 16       sets of their words                 with a typo 0.89
//	halves, of a word   4 bytes a word for time             words at distance 2 in 17 µs of 41,    two typos
//	                                                        of a million in 62 of 275
//	trunkDepth, 2       56 bytes of memory for each two    0.85 of the instructions, nonsense      one typo, two typos,
//	                    letters that words begin with      0.78; with no trunk 1.25 and 1.4 times  nonsense
//	                    for searching                      as many
//	fetched, 512        reads that are perhaps not needed   20 summaries at random in 4.4 µs of    no benchmark
//	                    for waiting                         12.5
//	pairBatch, 2^24     128 MiB of a build for reading the  100,000 products have 6.3 million      BENCH_LARGE=1,
//	                    forward index again                 neighbours; of ten times as many 128   BenchmarkBuild
//	                                                        MiB and four reads, else 480 and one
//	sliceBlock, 512     0.26 % of the file for time         bounds over all entries take 0.1 of    BenchmarkBounds
//	                                                        the time of looking at each
//	maxTranslations,    words of many meanings against      8: nDCG of synonyms without a          go test ./bench/quality,
//	24                  those of few                        curated list 0.53, else 0.55; 60: no   with a dictionary
//	                                                        more
//
// The first six are those of package docset. Instructions are those of a query, counted by valgrind --tool=callgrind with
// GOMAXPROCS=1, GOGC=off and GODEBUG=asyncpreemptoff=1: they are the same on a machine that others use too. Pages at random
// were rendered one after the other; BenchmarkBodies makes details, batches and comparisons, which fetch nothing.
package indexes
