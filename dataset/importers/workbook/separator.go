package workbook

import "bytes"

const (
	// separators are the column separators in ascending order of ambiguity, because commas also occur in numbers
	// and sentences.
	separators = "\t;|,"
	sampleRows = 50 // number of rows that determine the separator
	maxKnown   = 80 // bytes of a cell that is looked up; an incorrect separator can cause longer cells
)

// separatorOf returns the column separator with the most known cells in the first rows. Among several, it
// returns the one with the most rows of equal length. head is the beginning of the text. Titles above the
// header have no influence.
func separatorOf(head []byte, known func(string) bool) byte {
	best, bestKnown, bestAlike := byte(','), 0, 0 // a comma if there is only one column
	for _, separator := range []byte(separators) {
		understood, alike := trial(head, separator, known)
		if understood > bestKnown || understood == bestKnown && alike > bestAlike {
			best, bestKnown, bestAlike = separator, understood, alike
		}
	}
	return best
}

// trial reads the first rows with a separator. It returns the number of known cells, and the number of rows
// with the most frequent number of cells, except rows with one cell.
func trial(head []byte, separator byte, known func(string) bool) (understood, alike int) {
	rows := newRecords(bytes.NewReader(head), separator)
	counts := map[int]int{}
	for range sampleRows {
		cells, err := rows.read()
		if err != nil {
			break
		}
		for _, c := range cells {
			if known != nil && c.Text != "" && len(c.Text) <= maxKnown && known(c.Text) {
				understood++
			}
		}
		if len(cells) > 1 {
			counts[len(cells)]++
			alike = max(alike, counts[len(cells)])
		}
	}
	return understood, alike
}

// declaredSeparator reads the line "sep=;", which Excel supports at the beginning of a file. It returns the
// length of the line, or 0.
func declaredSeparator(head []byte) (separator byte, length int) {
	line, _, found := bytes.Cut(head, []byte("\n"))
	declaration := bytes.Trim(line, "\"\r")
	if !found || len(declaration) != 5 || !bytes.EqualFold(declaration[:4], []byte("sep=")) {
		return 0, 0
	}
	return declaration[4], len(line) + 1
}
