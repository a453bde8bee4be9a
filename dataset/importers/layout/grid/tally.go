package grid

import (
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/workbook"
)

// NamedCell names a cell and its text.
func NamedCell(at Position, text string) string {
	return workbook.CellName(at.Number, at.Cell) + " " + dataset.Quoted(InOneLine(text))
}

// A Tally counts cells and lists the first MaxNamed.
type Tally struct {
	first dataset.Place
	Names []string
	Count int
}

// MaxNamed is the maximum number of cells that a tally lists.
const MaxNamed = 10

// Add counts a cell with the given text.
func (t *Tally) Add(place dataset.Place, text string) {
	if t.Count++; t.Count > MaxNamed {
		return
	}
	if t.Count == 1 {
		t.first = place
	}
	if text != "" {
		text = " " + dataset.Quoted(InOneLine(text))
	}
	t.Names = append(t.Names, workbook.WithoutSheet(place.Cell)+text)
}

// Warning returns a warning that lists the cells, or nil if there are none.
func (t *Tally) Warning(problem string) []dataset.Fault {
	if t.Count == 0 {
		return nil
	}
	return []dataset.Fault{{Place: t.first, Problem: problem + ": " + Listed(t.Names, t.Count)}}
}

// Listed joins names, and appends the number of further names.
func Listed(names []string, count int) string {
	text := strings.Join(names, ", ")
	if more := count - len(names); more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}
