// Package analysis computes normal forms, keys, stems, the parts of German compounds, synonyms, trigrams and
// function words. Builds and queries use the same functions, so both divide a text into the same words.
//
// The package does not know indexes or products. It reads only its embedded word lists. It is safe for
// concurrent use.
//
// Start with key.go. The files are:
//
//	key.go           the key of a text, which is indexed and compared; the words of a key; joined words
//	normalize.go     the normal form of a text, which answers show and from which keys are made
//	numbers.go       numbers in a text: decimals, numbers with a unit, sizes
//	number_lists.go  lists and ranges whose numbers have a common unit, such as 20 / 30 / 50 mm
//	number_keys.go   the keys under which a number is indexed and searched
//	units.go         other words that may be units
//	stems.go         the German and the English stem of a word
//	lexicon.go       the embedded lists as one table of spellings
//	splitter.go      splits compounds, and returns their parts in all forms
//	cuts.go          the best split of a word into known words, such as Decken-segel
//	ends.go          compounds with an unknown part, such as Xylogips-platte
//	affixes.go       prefixes, suffixes and endings
//	synonyms.go      the synonyms of a key and of its inflected forms, from the curated list and from other tables
//	trigrams.go      the trigrams of a key, to find similar names and substrings of names
//	lists.go         reads *.txt and everyday/*.txt, which people edit; Rules, the version of all rules
//
// # Tuned numbers
//
// Every number except formTable affects the results. Builds use maxInflection and the numbers of the splitter
// for all words, and queries use them for words that are not in the catalogue. After a change, increment
// Rules and rebuild the snapshots. The last column gives the effect of other values.
//
//	number         value   trades                                      measured
//	MinPart        3       short parts against chance matches          4: 13 of 296 compounds are no longer split
//	minSure        4       unlisted and shortened words in compounds,  3: 54 more published materials are split, such as
//	                       such as Woll- for Wolle, against chance     art-work and acoust-one; 5: 18 fewer are split, and
//	                       matches                                     8 fewer at shortened words, such as Falt-platten
//	minLong        5       heads after unknown letters, and splits     4: 43 and 175 more are split, most of them wrongly;
//	                       into unlisted words, against chance         6: 16 and 47 fewer are split
//	maxAbbrevi-    4       heads after MDF- and XPS- against           2 and 6: no effect, since no word in the German list
//	ation                  beginnings of words                         has a head after such letters
//	linkingCost    1       joints without linking element against      4: 140 published materials are split into inflected
//	                       joints with one                             forms instead of words; 0: no effect
//	unlistedCost   2       listed parts against longer ones            0: 152 are split into inflected forms; 4: no effect
//	missingCost    3       Dampfung-s-teil against Dampfung-steil      0: 1 of 630 splits is wrong; 8: no effect
//	minRun         8       known parts next to unknown ones against    not measured separately; 3 of 200 German words that
//	                       chance matches                              end in such parts have a wrong part
//	minDerived     7       nouns recognised by their ending against    not measured separately; 1 of 150 such parts is
//	                       chance matches                              wrong
//	derivedCost    3       such nouns against known parts in them      not measured; chosen by judgement
//	maxInflection  3       inflected forms against longer words        0: nDCG across languages is 0.97 instead of 0.99;
//	                                                                   2 and 5: no effect
//	synonyms.txt           recall against precision                    success for synonyms is 0.92, without the file 0.54;
//	                                                                   across languages 1.00, without the file 0.86
//	compound_parts.txt     recall against precision                    872 published materials and 630 of 4,000 German
//	                                                                   words are split; with only 700 parts, 765 and 241
//	maxGapped      48      time for unknown words against long         not measured separately
//	               bytes   misspelt compounds
//	maxGaps        8       misspelt compounds against chance matches   not measured separately
//	maxSplit       96      memory of a split against long words        the longest word has 20 letters, or 38 in the
//	                                                                   published materials
//	formTable      2,356   3 ms to compute the table against calling   normalizing a text takes 0.05 of the time
//	               letters x/text for every letter
//
// The counts refer to three lists of words:
//   - the sample catalogue: 1,556 words; 301 are split
//   - the published materials, 2,923 products that are not part of this project: 6,654 words; 872 are split
//   - a list of German words: 4,000 words of 8 to 20 letters; 630 are split
//
// "No effect" means that the results for these lists do not change.
//
// Of 614 reviewed splits, 12 are wrong (TestJudgedSplits). Of 2,337 forms of the parts of 300 compounds,
// 2,321 find their compound (TestPartsAreFoundInEveryForm). Success means that one of the first ten hits is
// correct. Success and nDCG are measured with judged queries. To measure, run
//
//	go test ./indexes/analysis -run '^$' -bench 'Splitter|Normalize'
//	go test ./bench/quality -run Judged -v
package analysis
