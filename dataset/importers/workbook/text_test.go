package workbook

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

func TestEncodings(t *testing.T) {
	table := "Name;Höhe\nWürfel;1\n"
	want := "1:Name|Höhe\n2:Würfel|1\n"
	windows, err := charmap.Windows1252.NewEncoder().String(table)
	if err != nil {
		t.Fatal(err)
	}
	late := "Name;b\n" + strings.Repeat("x", 2*headBytes) // all letters in the first bytes are ASCII
	shown := "1:Name|b\n2:" + late[7:]
	for _, test := range []struct{ rule, data, want string }{
		{"UTF-8", table, want},
		{"UTF-8 with a mark", "\xEF\xBB\xBF" + table, want},
		{"Windows-1252", windows, want},
		{"UTF-16 LE with a mark", "\xFF\xFE" + string(inUTF16(table, 1)), want},
		{"UTF-16 BE with a mark", "\xFE\xFF" + string(inUTF16(table, 0)), want},
		{"UTF-16 LE", string(inUTF16(table, 1)), want},
		{"UTF-16 BE", string(inUTF16(table, 0)), want},
		{"the first letter decides however late: UTF-8", late + ";ü\n", shown + "|ü\n"},
		{"the first letter decides however late: Windows-1252", late + ";\xFC\n", shown + "|ü\n"},
		{"the first letter across the end of what is looked at", late[:headBytes-1] + "ü;b\n", "1:Name|b\n2:" +
			late[7:headBytes-1] + "ü|b\n"},
		{"Windows-1252 that ends with its first letter", "a;\xFC", "1:a|ü cut\n"},
	} {
		got, err := show([]byte(test.data))
		if err != nil || got != test.want {
			t.Errorf("%s: %.80q, %v; want %.80q", test.rule, got, err, test.want)
		}
	}
}

func TestSeparators(t *testing.T) {
	for _, test := range []struct{ rule, data, want string }{
		{"what makes cells known", "Name;125 Hz;250 Hz\nA, weiß;0,1;0,2\n", "1:Name|125 Hz|250 Hz\n2:A, weiß|0,1|0,2\n"},
		{"a comma", "Name,125 Hz\nA;B,0.1\n", "1:Name|125 Hz\n2:A;B|0.1\n"},
		{"a tab", "Name\t125 Hz\n", "1:Name|125 Hz\n"},
		{"a bar", "Name|125 Hz\nA|1\n", "1:Name|125 Hz\n2:A|1\n"},
		{"titles above do not mislead",
			"Liste, Stand, 2026, Werk\nAlle Werte, gemessen, im, Hallraum\n\nName;125 Hz\nA;0,1\n",
			"1:Liste, Stand, 2026, Werk\n2:Alle Werte, gemessen, im, Hallraum\n4:Name|125 Hz\n5:A|0,1\n"},
		{"bands downwards", "αs;A;B\n125 Hz;0,1;0,2\n250 Hz;0,3;0,4\n", "1:αs|A|B\n2:125 Hz|0,1|0,2\n3:250 Hz|0,3|0,4\n"},
		{"nothing known: rows alike", "p;q;r\n1,5;2,5;3\n1;2;3,5\n", "1:p|q|r\n2:1,5|2,5|3\n3:1|2|3,5\n"},
		{"declared", "sep=|\nName,125 Hz|b\n", "1:Name,125 Hz|b\n"},
		{"declared in quotes", "\"sep=;\"\r\nName,125 Hz;b\n", "1:Name,125 Hz|b\n"},
	} {
		if got, err := show([]byte(test.data)); err != nil || got != test.want {
			t.Errorf("%s: %q, %v; want %q", test.rule, got, err, test.want)
		}
	}
}

func TestRowsOfText(t *testing.T) {
	for _, test := range []struct{ rule, data, want, fault string }{
		{"a quote in a cell without quotes is a letter", "Name;b\n12\" Panel;x \"y\" z\n",
			"1:Name|b\n2:12\" Panel|x \"y\" z\n", ""},
		{"a cell in quotes", "Name;b\n\"a;\"\"b\"\"\nc\" ; \"d\"\nx;y\n", "1:Name|b\n2:a;\"b\"\nc|d\n3:x|y\n", ""},
		{"line ends of all kinds", "Name;b\r\n1;2\r3;4\n\r\n5;6\r\r7;8\r\n", "1:Name|b\n2:1|2\n3:3|4\n5:5|6\n7:7|8\n", ""},
		{"rows without a value are passed over and counted", "Name;b\n;;\n \n1;2\n", "1:Name|b\n3: \n4:1|2\n", ""},
		{"the last row is not ended", "Name;b\n1;2", "1:Name|b\n2:1|2 cut\n", ""},
		{"the last row has no end, after quotes", "Name;b\n1;\"2\"", "1:Name|b\n2:1|2 cut\n", ""},
		{"the file ends in a cell in quotes", "Name;b\n\"1\n\n2\";\"3\n4\n", "1:Name|b\n",
			"list:4[B2]: unclosed quote: the file ends in the cell that begins here"},
		{"text after the closing quote", "Name;b\n1;\"12\" Panel\"\n", "1:Name|b\n",
			"list:2[B2]: text after the closing quote of a cell: double each quote within a quoted cell"},
		{"a zero byte", "Name;b\n1;x\x00\n", "1:Name|b\n", "list:2[B2]: unexpected zero byte: the file is damaged or is not a text file"},
		{"UTF-8 that is none later", "Name;Höhe\n1;2\n3;\xFC\n", "1:Name|Höhe\n2:1|2\n",
			"list:3[B3]: invalid UTF-8, the encoding of the preceding text: \"\\xfc\""},
		{"UTF-16 that ends within a letter", string(inUTF16("Name;b\n1;2", 1)) + "x", "1:Name|b\n",
			"list:2[B2]: invalid UTF-16, the encoding of the preceding text: \"2\uFFFD\""},
		{"a row that does not end", "Name;b\n\"" + strings.Repeat("x", maxRow+1), "1:Name|b\n",
			"list:2[A2]: a row of more than 4 MiB: check for an unclosed quote"},
		{"blanks that do not end", "Name;b\n" + strings.Repeat(" ", maxRow+2), "1:Name|b\n",
			"list:2[A2]: a row of more than 4 MiB: check for an unclosed quote"},
		{"columns that do not end", "Name;b\n" + strings.Repeat(";", 20_000), "1:Name|b\n",
			"list:2[XFD2]: more than 16384 columns"},
	} {
		got, err := show([]byte(test.data))
		if fault := faultText(t, err); got != test.want || fault != test.fault {
			t.Errorf("%s: %q, %s\nwant %q, %s", test.rule, got, fault, test.want, test.fault)
		}
	}
}

// FuzzRecords compares the rows with those from encoding/csv if both accept a file, read in random pieces.
func FuzzRecords(f *testing.F) {
	for _, seed := range []string{"a,b\nc,d", "\"a\r\nb\",\"\"\"\"\r\n,\n", "\n\na,\"b\" \n", "x\r\ny\r"} {
		f.Add([]byte(seed), byte(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, chunk byte) {
		r := newRecords(bytes.NewReader(data), ',')
		r.buf = r.buf[:max(chunk, 1)]
		var got [][]string
		var err error
		for {
			var cells []Cell
			if cells, err = r.read(); err != nil {
				break
			}
			row := make([]string, len(cells))
			for i, c := range cells {
				row[i] = c.Text
			}
			if len(row) > 1 || row[0] != "" {
				got = append(got, row)
			}
		}
		// Intended differences: a single CR, blanks next to quotes, and an empty first column in quotes.
		if bytes.Contains(bytes.ReplaceAll(data, []byte("\r\n"), nil), []byte("\r")) || bytes.ContainsAny(data, " ") ||
			bytes.Contains(data, []byte(`""`)) {
			return
		}
		library := csv.NewReader(bytes.NewReader(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))))
		library.FieldsPerRecord = -1
		want, wantErr := library.ReadAll()
		if wantErr != nil {
			return
		}
		for i := range got {
			for j := range got[i] {
				got[i][j] = strings.ReplaceAll(got[i][j], "\r\n", "\n")
			}
		}
		if !errors.Is(err, io.EOF) || len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, %v; want %q", data, got, err, want)
		}
	})
}

func TestRowsOfTextAllocate(t *testing.T) {
	row := strings.Repeat("Paneel;", 20) + "x\n"
	r := newRecords(strings.NewReader(strings.Repeat(row, 5000)), ';')
	if n := testing.AllocsPerRun(1000, func() { _, _ = r.read() }); n > 1 {
		t.Errorf("%v allocations for each row, want only its text", n)
	}
}

// TestEveryTruncationOfText checks that a truncated file results in the original rows, with the last one
// marked as cut, or in a fault. A file that ends after a complete line cannot be recognised as truncated.
func TestEveryTruncationOfText(t *testing.T) {
	table := "Name;Höhe\r\n\"a\nb\";1\r\n12\" x;\"2\"\r\n"
	whole, err := show([]byte(table))
	if err != nil {
		t.Fatal(err)
	}
	for end := 1; end < len(table); end++ {
		got, err := show([]byte(table[:end]))
		rest, last := got, strings.LastIndex(strings.TrimSuffix(got, "\n"), "\n")+1
		if strings.HasSuffix(got, " cut\n") {
			rest = got[:last]
		} else if err == nil && table[end-1] != '\n' && table[end-1] != '\r' {
			t.Errorf("%q: %q is not marked", table[:end], got)
		}
		if _ = faultText(t, err); !strings.HasPrefix(whole, rest) {
			t.Errorf("%q: %q is not how %q begins", table[:end], rest, whole)
		}
	}
}
