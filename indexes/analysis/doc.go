// Package analysis turns text into words: normalising, folding to keys, stems, the parts of German compounds, synonyms,
// trigrams, function words. The build and the query share it, so both sides agree on what a word is.
//
// It is pure: it never sees an index, a product or a file, other than its own lists inside the binary. Everything in it
// is safe for concurrent use.
//
// Read key.go first:
//
//	key.go        keys, the form of a text that is indexed and compared; splitting them into words, joining two words
//	joined.go     the joined spelling of several words, as of an article number
//	numbers.go    the numbers of a key: decimals, numbers with their unit, sizes; how they meet
//	normalize.go  normal forms, which keys are made of and which answers show
//	stems.go      the German and the English stem of a word
//	splitter.go   the parts of compounds; gaps.go, of one that has an unknown part
//	synonyms.go   the curated synonyms of a key, and of an inflected form of it
//	trigrams.go   three letters each of a key, for similar names and for stretches inside of names
//	functions.go  function words: articles, prepositions and the like
//	lists.go      reads the lists that people mend: synonyms.txt, compound_parts.txt and function_words.txt
//
// # Tuned numbers
//
// All but formTable change what is found. Those of the splitter are applied by a build, and so is maxInflection; a query
// applies maxInflection and MinPart too. After a change, snapshots have to be built anew.
//
//	number         value   trades                                      measured
//	MinPart        3       short parts against chance ones             4: 10 compounds of 265 are lost
//	minCatalogue   4       the same, for words that are not listed     3: 5 more are split, 4 of them wrongly, as
//	                                                                   streu-end; 5: 6 are lost
//	minConfident   5       the same, for a split of such words alone   4 and 6: none; of the published materials 0
//	                                                                   splits 5 more, as mini-perf, and 9 loses 23
//	minShortened   4       Woll- of Wolle against chance ones          5: 10 are lost, and success of parts is 0.95,
//	                                                                   else 1.00; 3: none
//	linkAllowance  4       Wabe-n against chance ones, Tur-n           5: 10 are lost, and success of parts is 0.97,
//	                                                                   else 1.00; 3: none
//	linkingCost    1       joints without linking element against      0: none; of the published materials one is
//	                       those with one                              split otherwise, and 4 does it with 78
//	unlistedCost   2       listed parts against longer ones            0: 3 are split otherwise; 4 and 8: none
//	maxInflection  3       inflected forms against longer words        0: nDCG of the other language is 0.97, else 0.99;
//	                                                                   2 and 5: none
//	synonyms.txt,          recall against precision                    success of synonyms 0.88, else 0.54; of the other
//	compound_parts.txt                                                 language 1.00, else 0.86; of parts 1.00, else 0.78
//	maxGapped      48      time of words that are unknown against long   not measured alone
//	               bytes   misspelt compounds
//	maxGaps        8       the same against chance parts               not measured alone
//	maxSplit       96      memory of a split against long words        the longest word has 20 letters, of the
//	                                                                   published materials 38
//	formTable      784     0.6 ms when it is first used, against       a text in 0.05 of the time
//	               letters x/text for every letter
//
// Compounds are counted among the 1,558 words of the sample catalogue, of which 265 are split; none says that the number
// makes no difference there. The published materials are 2,923 products that are no part of the project; of their 3,613
// words 581 are split, and TestParts holds what the two numbers do to them. Success (one of the first ten is right) and
// nDCG are those of judged queries. They are measured by
//
//	go test ./indexes/analysis -run '^$' -bench 'Splitter|Normalize'
//	go test ./bench/quality -run Judged -v
package analysis
