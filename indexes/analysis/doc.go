// Package analysis turns text into words: normalising, folding to keys, stems, the parts of German compounds,
// synonyms, trigrams, function words. The build and the query share it, so both sides agree on what a word
// is.
//
// It is pure: it never sees an index, a product or a file, other than its own lists inside the binary.
// Everything in it is safe for concurrent use.
//
// Read key.go first:
//
//	key.go        keys, the form of a text that is indexed and compared; their words, and words joined into one
//	normalize.go  normal forms, which keys are made of and which answers show
//	numbers.go    the numbers of a text: decimals, numbers with their unit, sizes; number_lists.go, the unit of a list of
//	              them; number_keys.go, how they meet; units.go, what else numbers count
//	stems.go      the German and the English stem of a word; lexicon.go, what the lists say of a spelling
//	splitter.go   the parts of compounds: cuts.go, where a word may be cut; ends.go, compounds of which a piece is unknown;
//	              affixes.go, what words begin and end with
//	synonyms.go   the curated synonyms of a key, and of an inflected form of it
//	trigrams.go   three letters each of a key, for similar names and for stretches inside of names
//	lists.go      reads the lists that people mend, all of them text files of this folder; the number of all these rules
//
// # Tuned numbers
//
// All but formTable change what is found. Those of the splitter are applied by a build, and so is
// maxInflection; a query applies them too, to words that no product has. After a change, raise Rules;
// snapshots have to be built anew.
//
//	number         value   trades                                      measured
//	MinPart        3       short parts against chance ones             4: 13 compounds of 296 are lost
//	minSure        4       words that are not listed, or not so, in    3: 54 more of the published materials are split, as
//	                       compounds, and Woll- of Wolle, against      art-work and acoust-one; 5: 18 are lost, and of
//	                       chance ones                                 shortened ones 8, as Falt-platten
//	minLong        5       heads behind unknown letters, and splits    4: 43 and 175 more are split, most of them wrongly;
//	                       of unlisted words alone, against chance     6: 16 and 47 are lost
//	maxAbbrevi-    4       heads behind MDF- and XPS- against          2 and 6: none; no German word of the list has a head
//	ation                  beginnings of words                         behind such letters
//	linkingCost    1       joints without linking element against      4: 140 of the published materials have a form for a
//	                       those with one                              word; 0: none
//	unlistedCost   2       listed parts against longer ones            0: 152 have a form for a word; 4: none
//	missingCost    3       Dampfung-s-teil against Dampfung-steil      0: 1 of 630 is wrong; 8: none
//	minRun         8       known parts beside unknown ones against     not measured alone: of 200 such ends of German words
//	                       chance ones                                 3 have a wrong part
//	minDerived     7       nouns told by their end against chance ones not measured alone: of 150 such parts 1 is wrong
//	derivedCost    3       such nouns against known parts in them      not measured: decided
//	maxInflection  3       inflected forms against longer words        0: nDCG of the other language is 0.97, else 0.99;
//	                                                                   2 and 5: none
//	synonyms.txt           recall against precision                    success of synonyms 0.88, else 0.54; of the other
//	                                                                   language 1.00, else 0.86
//	compound_parts.txt     the same                                    872 of the published materials are split and 630 of
//	                                                                   4,000, with a list of 700 words 765 and 241
//	maxGapped      48      time of words that are unknown against long   not measured alone
//	               bytes   misspelt compounds
//	maxGaps        8       the same against chance parts               not measured alone
//	maxSplit       96      memory of a split against long words        the longest word has 20 letters, of the
//	                                                                   published materials 38
//	formTable      2,356   3 ms when it is first used, against         a text in 0.05 of the time
//	               letters x/text for every letter
//
// Compounds are counted among the 1,556 words of the sample catalogue, of which 301 are split, among those of
// the published materials, which are 2,923 products that are no part of the project and of whose 6,654 words
// 872 were split when this was measured, and among 4,000 words of 8 to 20 letters from a list of German ones,
// of which 630 were; none says that the number makes no difference there. Of 616 splits of such words that
// were read 12 are wrong, and 2,321 of 2,337 forms of the parts of 300 compounds find them: TestJudgedSplits
// and TestPartsAreFoundInEveryForm hold both. Success (one of the first ten is right) and nDCG are those of
// judged queries. They are measured by
//
//	go test ./indexes/analysis -run '^$' -bench 'Splitter|Normalize'
//	go test ./bench/quality -run Judged -v
package analysis
