package layout

import (
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/workbook"
)

// namedCell names a cell and its text.
func namedCell(at position, text string) string {
	return workbook.CellName(at.number, at.cell) + " " + dataset.Quoted(inOneLine(text))
}

// A tally counts cells and names the first ten.
type tally struct {
	first dataset.Place
	names []string
	count int
}

const maxNamed = 10

// add counts a cell with a text.
func (t *tally) add(place dataset.Place, text string) {
	if t.count++; t.count > maxNamed {
		return
	}
	if t.count == 1 {
		t.first = place
	}
	if text != "" {
		text = " " + dataset.Quoted(inOneLine(text))
	}
	t.names = append(t.names, unsheeted(place.Cell)+text)
}

// warning returns the warning that names the cells, after what is said of them all; none where there is no
// cell.
func (t *tally) warning(problem string) []dataset.Fault {
	if t.count == 0 {
		return nil
	}
	return []dataset.Fault{{Place: t.first, Problem: problem + ": " + listed(t.names, t.count)}}
}

// listed joins names, and says how many there are more.
func listed(names []string, count int) string {
	text := strings.Join(names, ", ")
	if more := count - len(names); more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}

// unsheeted returns the name of a cell without its sheet.
func unsheeted(cell string) string { return cell[strings.LastIndexByte(cell, '!')+1:] }
