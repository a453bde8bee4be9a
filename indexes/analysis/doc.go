// Package analysis turns text into words: normal forms, keys, stems, the parts of German compounds, synonyms,
// trigrams and function words. Builds and queries share it, so both agree on what a word is.
//
// The package does not use indexes or products. It reads no files except its embedded word lists. It is safe
// for concurrent use.
//
// Start with key.go:
//
//	key.go           the key of a text, which is indexed and compared; the words of a key; joined words
//	normalize.go     the normal form of a text, which answers show and keys are made from
//	numbers.go       numbers in a text: decimals, numbers with a unit, sizes
//	number_lists.go  lists and ranges that share one unit, such as 20 / 30 / 50 mm
//	number_keys.go   the keys under which a number is indexed and searched
//	units.go         more words that may be units
//	stems.go         the German and the English stem of a word
//	lexicon.go       the embedded lists as one table, by spelling
//	splitter.go      splits compounds, and lists their parts in all forms
//	cuts.go          the best split of a word into known words, such as Decken-segel
//	ends.go          compounds with an unknown piece, such as Xylogips-platte
//	affixes.go       prefixes, suffixes and endings
//	synonyms.go      the synonyms of a key and of its inflected forms, from the curated list and from other tables
//	trigrams.go      the trigrams of a key, to find similar names and substrings of names
//	lists.go         reads *.txt and everyday/*.txt, which people edit; Rules, the version of all rules
//
// # Tuned numbers
//
// Every number except formTable changes the results. A build applies maxInflection and the numbers of the
// splitter. A query applies them to words that are not in the catalogue. After a change, increment Rules and
// build the snapshots again.
//
//	number         value   trades                                      measured
//	MinPart        3       short parts against chance matches          4: 13 compounds of 296 are lost
//	minSure        4       unlisted and shortened words in compounds,  3: 54 more of the published materials are split, as
//	                       such as Woll- for Wolle, against chance     art-work and acoust-one; 5: 18 are lost, and 8
//	                       matches                                     shortened words, as Falt-platten
//	minLong        5       heads after unknown letters, and splits     4: 43 and 175 more are split, most of them wrongly;
//	                       into unlisted words, against chance         6: 16 and 47 are lost
//	maxAbbrevi-    4       heads after MDF- and XPS- against           2 and 6: none; no German word of the list has a head
//	ation                  beginnings of words                         after such letters
//	linkingCost    1       joints without linking element against      4: 140 of the published materials have a form as a
//	                       joints with one                             word; 0: none
//	unlistedCost   2       listed parts against longer ones            0: 152 have a form as a word; 4: none
//	missingCost    3       Dampfung-s-teil against Dampfung-steil      0: 1 of 630 is wrong; 8: none
//	minRun         8       known parts next to unknown ones against    not measured separately: of 200 such ends of German
//	                       chance matches                              words, 3 have a wrong part
//	minDerived     7       nouns recognised by their end against       not measured separately: of 150 such parts, 1 is
//	                       chance matches                              wrong
//	derivedCost    3       such nouns against known parts in them      not measured: decided
//	maxInflection  3       inflected forms against longer words        0: nDCG of the other language is 0.97, not 0.99;
//	                                                                   2 and 5: none
//	synonyms.txt           recall against precision                    success of synonyms 0.92, without it 0.54;
//	                                                                   other language 1.00, without it 0.86
//	compound_parts.txt     recall against precision                    872 of the published materials are split and 630 of
//	                                                                   4,000, with a list of 700 words 765 and 241
//	maxGapped      48      time for unknown words against long         not measured separately
//	               bytes   misspelt compounds
//	maxGaps        8       the same against chance matches             not measured separately
//	maxSplit       96      memory of a split against long words        the longest word has 20 letters, in the
//	                                                                   published materials 38
//	formTable      2,356   3 ms at its first use against               a text in 0.05 of the time
//	               letters x/text for every letter
//
// The counts come from three lists of words:
//   - the sample catalogue: 1,556 words; 301 are split
//   - the published materials, 2,923 products outside this project: 6,654 words; 872 are split
//   - a list of German words: 4,000 words of 8 to 20 letters; 630 are split
//
// "none" means that the number makes no difference there.
//
// Of 614 reviewed splits, 12 are wrong (TestJudgedSplits). Of 2,337 forms of the parts of 300 compounds,
// 2,321 find their compound (TestPartsAreFoundInEveryForm). Success means that one of the first ten hits is
// right. Success and nDCG come from judged queries. Measure with
//
//	go test ./indexes/analysis -run '^$' -bench 'Splitter|Normalize'
//	go test ./bench/quality -run Judged -v
package analysis
