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

// Mapped returns the header for a map, and the number of the map's columns in it. It uses the rows given by
// the map, unless different rows match more of its columns: users insert lines above tables. moved reports
// whether the caller can use a header in different rows: it must match at least half of the columns, and more
// than any other candidate. The header is nil if there are too few rows.
func Mapped(g *grid.Grid, m *columns.TableMap) (best *Header, most int, moved bool) {
	best, most = headerAt(g, m, g.Index(m.Header[0]), g.Index(m.Header[len(m.Header)-1]))
	for first := 0; first < len(g.Rows) && most < len(m.Columns); first++ {
		h, found := headerAt(g, m, first, first+len(m.Header)-1)
		if found > most {
			best, most, moved = h, found, true
		} else if found == most && most > 0 && h.First != best.First {
			moved = false
		}
	}
	return best, most, moved && 2*most >= len(m.Columns)
}

// headerAt returns the header in the given rows, regardless of their text, and the number of the map's columns
// that it contains. The last row can contain units.
func headerAt(g *grid.Grid, m *columns.TableMap, first, last int) (best *Header, most int) {
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

// names returns the column names.
func (h *Header) names() map[string]bool {
	names := make(map[string]bool, len(h.Columns))
	for i := range h.Columns {
		names[h.Columns[i].Header] = true
	}
	return names
}

// Misfit returns a message that lists the rows where a map expects its columns, the columns that the header
// lacks, and the columns that the map lacks.
func Misfit(m *columns.TableMap, h *Header, found int) string {
	what := "row"
	if m.Layout == columns.Transposed {
		what = "column"
	}
	if len(m.Header) > 1 {
		what += "s"
	}
	text := "expected the columns of the map in " + what + " " + strings.Trim(strings.ReplaceAll(fmt.Sprint(m.Header),
		" ", ", "), "[]") + ", found "
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
		if _, known := m.Lookup(h.Columns[i].Header); !known && h.Columns[i].Header != "" && len(others) < grid.MaxNamed {
			others = append(others, dataset.Quoted(h.Columns[i].Header))
		}
	}
	if text += "none called " + strings.Join(missing, ", "); len(others) > 0 {
		text += "; columns not in the map: " + strings.Join(others, ", ")
	}
	return text
}
