package layout

import (
	"slices"
	"strings"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout/grid"
	"sabine/dataset/importers/layout/header"
	"sabine/dataset/importers/workbook"
)

// searchMapped finds, in the buffered rows, the header of the next table in the map.
func (s *Scanner) searchMapped() *header.Header {
	m := s.options.Maps[s.tables]
	g := grid.New(s.buffered, s.sheet.Merged)
	if m.Layout == columns.Transposed {
		if s.bufferAll(); s.err != nil {
			return nil
		}
		g = grid.New(s.buffered, s.sheet.Merged).Transposed()
	}
	h, found, moved := header.Mapped(g, m)
	lacks := ""
	if found < len(m.Columns) {
		fault := workbook.FileFault(s.options.Input, header.Misfit(m, h, found))
		fault.Place.Cell = s.sheet.Name
		switch {
		case found == 0 && !s.options.Named && m.Sheet == "" && s.tables == 0:
			s.Unmapped, s.done = fault, true
			return nil
		case !moved:
			s.err = fault
			return nil
		}
		lacks = fault.Problem
	}
	if s.buffered = s.buffered[min(len(s.buffered), h.Last+1):]; m.Layout == columns.Transposed {
		s.buffered = nil
	}
	h.Layout, h.Map, h.MapProblem = m.Layout, m, lacks
	return h
}

// startsMapped reports whether a row contains at least half of a map's column names, or their first or last
// words.
func startsMapped(m *columns.TableMap, cells []workbook.Cell) bool {
	found := 0
	for _, c := range m.Columns {
		isPart := func(cell workbook.Cell) bool {
			text := grid.InOneLine(cell.Text)
			return text == c.Header ||
				text != "" && (strings.HasPrefix(c.Header, text+" ") || strings.HasSuffix(c.Header, " "+text))
		}
		if slices.ContainsFunc(cells, isPart) {
			found++
		}
	}
	return 2*found >= len(m.Columns)
}
