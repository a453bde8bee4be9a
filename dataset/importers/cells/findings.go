package cells

import (
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/workbook"
)

func (r *Reader) place(i int) dataset.Place { return r.table.Place(r.row.Number, r.row.Line, i+1) }

func (r *Reader) at(c *column, problem string) dataset.Fault {
	return dataset.Fault{Place: r.place(c.index), Path: c.Header, Problem: problem}
}

func (r *Reader) fault(c *column, problem string) {
	r.row.Faults = append(r.row.Faults, r.at(c, problem))
}

func (r *Reader) warn(c *column, problem string) {
	r.row.Warnings = append(r.row.Warnings, r.at(c, problem))
}

// A finding counts the cells in a column that have the same problem. doubt makes a warning of it. Other
// findings are counted for the faults in End.
type finding struct {
	dataset.Fault          // fault at the first cell
	problem       string   // key of doubt: the problem without the cell's text; in units, the text of the first cell
	cells         []string // the first maxFound cells
	count         int
	facts         map[int]bool // counted facts, by index
}

// count adds a cell to a finding. A fact counts once, even if it applies to several rows.
func (r *Reader) count(f *finding, c *column) {
	if c.index >= len(r.table.Columns) {
		if f.facts[c.index] {
			return
		}
		if f.facts == nil {
			f.facts = map[int]bool{}
		}
		f.facts[c.index] = true
	}
	if f.count++; f.count > maxFound {
		return
	}
	place := r.place(c.index)
	if f.count == 1 {
		f.Place, f.Path = place, c.Header
	}
	f.cells = append(f.cells, workbook.WithoutSheet(place.Cell))
}

// maxFound is the maximum number of cells that a finding lists.
const maxFound = 10

// doubt adds a warning about a cell. The example is the cell's text, or "" if the problem needs none.
func (r *Reader) doubt(c *column, example, problem string) {
	i := slices.IndexFunc(c.findings, func(f *finding) bool { return f.problem == problem })
	if i < 0 {
		i = len(c.findings)
		found := &finding{Fault: dataset.Fault{Problem: problem}, problem: problem}
		if example != "" {
			found.Problem = dataset.Quoted(example) + " " + problem
		}
		c.findings, r.findings = append(c.findings, found), append(r.findings, found)
	}
	r.count(c.findings[i], c)
}

// End returns the faults and warnings that need the entire table: no coefficients, percentages without a mark,
// fractions marked as percentages, mixed units, and the warnings of doubt.
func (r *Reader) End() (faults, warnings []dataset.Fault) {
	for _, f := range r.findings {
		if f.count > len(f.cells) {
			f.cells = append(f.cells, "…")
		}
		if f.count > 1 {
			f.Problem += " (" + strconv.Itoa(f.count) + " cells: " + strings.Join(f.cells, ", ") + ")"
		}
		warnings = append(warnings, f.Fault)
	}
	for _, c := range r.columns {
		switch fault := c.units.mixed(); {
		case fault.Whole:
			faults = append(faults, fault)
		case fault.Problem != "":
			warnings = append(warnings, fault)
		}
	}
	return append(faults, r.tableFaults()...), warnings
}
