package workbook

import "bytes"

// separators are what columns are separated by, the more telling one first: a comma is in numbers and
// sentences as well.
const separators = "\t;|,"

// sampleRows is how many rows tell the separator.
const sampleRows = 50

// maxKnown is how many bytes a cell may have that is asked for: with a separator that is none a cell is a
// whole row.
const maxKnown = 80

// separatorOf finds what separates the columns: what makes most cells of the first rows known, and of equal
// ones what gives most rows the same number of cells. head is the beginning of the text; titles above the
// header say nothing and do no harm.
func separatorOf(head []byte, known func(string) bool) byte {
	best, bestKnown, bestAlike := byte(','), 0, 0
	for _, separator := range []byte(separators) {
		understood, alike := trial(head, separator, known)
		if understood > bestKnown || understood == bestKnown && alike > bestAlike {
			best, bestKnown, bestAlike = separator, understood, alike
		}
	}
	return best
}

// trial reads the first rows with a separator. It returns how many cells are known, and how many rows have
// the number of cells that most have, those with one cell aside.
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

// declaredSeparator reads the line "sep=;" that Excel heeds at the beginning of a file. It returns its
// length, 0 if there is none.
func declaredSeparator(head []byte) (separator byte, length int) {
	line, _, found := bytes.Cut(head, []byte("\n"))
	said := bytes.Trim(line, "\"\r")
	if !found || len(said) != 5 || !bytes.EqualFold(said[:4], []byte("sep=")) {
		return 0, 0
	}
	return said[4], len(line) + 1
}
