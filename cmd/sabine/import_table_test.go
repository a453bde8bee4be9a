package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"sabine/dataset/importers/table"
)

func TestColumnsFitIntoTheTerminal(t *testing.T) {
	const header = "Praktischer Schallabsorptionsgrad nach ISO 11654, "
	columns := []table.ColumnAccount{
		{Header: "Größe", Cell: "A1", Became: "thickness_mm", Example: "4 cm", Value: "40"},
		{Header: header + "125 Hz", Cell: "B1", Became: "absorption_octave 125 Hz", Example: strings.Repeat("ö", 100),
			Value: strings.Repeat("ö", 100)},
	}
	short := columns[:1]
	tests := []struct {
		rule    string
		columns []table.ColumnAccount
		width   int
		want    string // part of the output
		longest int    // width of the longest line
	}{
		{"texts that fit are printed completely", short, 80, "  Größe   A1    thickness_mm  4 cm     40\n", 46},
		{"without a terminal, only very long texts are truncated", columns, 0, "  " + header +
			"125 Hz  B1    absorption_octave 125 Hz  " + strings.Repeat("ö", 59) + "…\n", 161},
		{"the meaning of a column and the band in its name are complete", columns, 80,
			"  Praktisc…, 125 Hz  B1    absorption_octave 125 Hz  ", 79},
		{"a terminal that is too narrow", columns, 3, "  …  B1    absorption_octave 125 Hz  …\n", 41},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			var out bytes.Buffer
			printColumns(streams{out: &out}, test.columns, test.width)
			longest := 0
			for line := range strings.Lines(out.String()) {
				longest = max(longest, utf8.RuneCountInString(line)-1)
			}
			if !strings.Contains(out.String(), test.want) || longest != test.longest {
				t.Errorf("got, %d letters wide, want %d:\n%swant %q", longest, test.longest, out.String(), test.want)
			}
		})
	}
}
