package header

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout/grid"
	"sabine/dataset/nearest"
)

// Mapped returns the header of a map, and how many columns of the map it has: in the rows that the map says
// or, since lines are inserted above tables, in others that have all of its columns. moved reports that
// others have at least half of them, more than any other rows have. The header is nil where there are too few
// rows.
func Mapped(g *grid.Grid, m *columns.TableMap) (best *Header, most int, moved bool) {
	best, most = given(g, m, g.Index(m.Header[0]), g.Index(m.Header[len(m.Header)-1]))
	for first := 0; first < len(g.Rows) && most < len(m.Columns); first++ {
		h, found := given(g, m, first, first+len(m.Header)-1)
		if found > most {
			best, most, moved = h, found, true
		} else if found == most && most > 0 && h.First != best.First {
			moved = false
		}
	}
	return best, most, moved && 2*most >= len(m.Columns)
}

// given returns the header that some rows are, whatever they look like, and how many columns of a map it has.
// The last row may have units.
func given(g *grid.Grid, m *columns.TableMap, first, last int) (best *Header, most int) {
	if last >= len(g.Rows) {
		return nil, 0
	}
	for leaf := last; leaf >= max(first, last-1); leaf-- {
		h := &Header{First: first, leaf: leaf, Last: last, given: true, Grid: g}
		h.join()
		found, headers := 0, h.names()
		for _, c := range m.Columns {
			if headers[c.Header] {
				found++
			}
		}
		if best == nil || found > most {
			best, most = h, found
		}
	}
	return best, most
}

// names returns the names of the columns.
func (h *Header) names() map[string]bool {
	names := make(map[string]bool, len(h.Columns))
	for i := range h.Columns {
		names[h.Columns[i].Header] = true
	}
	return names
}

// Misfit says where the columns of a map were expected, which of them a header lacks, and which of its
// columns the map lacks.
func Misfit(m *columns.TableMap, h *Header, found int) string {
	what := "row"
	if m.Layout == columns.Transposed {
		what = "column"
	}
	if len(m.Header) > 1 {
		what += "s"
	}
	text := "expected the columns of the map in " + what + " " + strings.Trim(strings.ReplaceAll(fmt.Sprint(m.Header),
		" ", ", "), "[]") + ", got "
	if found == 0 {
		return text + "none of them"
	}
	names := h.names()
	headers := slices.Sorted(maps.Keys(names))
	var missing, others []string
	for _, c := range m.Columns {
		if names[c.Header] {
			continue
		}
		text := dataset.Quoted(c.Header)
		if near := nearest.Name(c.Header, headers); near != "" {
			text += " (the nearest is " + dataset.Quoted(near) + ")"
		}
		if missing = append(missing, text); len(missing) > grid.MaxNamed {
			missing[grid.MaxNamed] = "and others"
			break
		}
	}
	for i := range h.Columns {
		if _, known := m.Is(h.Columns[i].Header); !known && h.Columns[i].Header != "" && len(others) < grid.MaxNamed {
			others = append(others, dataset.Quoted(h.Columns[i].Header))
		}
	}
	if text += "none called " + strings.Join(missing, ", "); len(others) > 0 {
		text += "; the table has beside those of the map " + strings.Join(others, ", ")
	}
	return text
}
