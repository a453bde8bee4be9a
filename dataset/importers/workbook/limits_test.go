package workbook

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	goruntime "runtime"
	"strings"
	"testing"
)

// TestWhatHasNoValueHasALimit checks files of a few KiB that unpack to a gigabyte.
func TestWhatHasNoValueHasALimit(t *testing.T) {
	const row = `<row><c><v>1</v></c></row>`
	many := func(what string) string { return strings.Repeat(what, maxBlankRun+1) }
	for _, test := range []struct {
		rule, place string
		data        []byte
	}{
		{"cells", "[S!LOE66]", book(strings.Repeat("<row>"+strings.Repeat("<c/>", 16_000)+"</row>", 70)+row, "", "")},
		{"rows", "[S!A524287]", book(strings.Repeat("<row><a/></row>", maxBlankRun), "", "")},
		{"elements before the rows", "[S!A1]", bookOf(`<worksheet>`+many("<a/>")+`<sheetData>`+row+
			`</sheetData></worksheet>`, "")},
		{"comments", "[S!A1]", book(many("<!---->")+row, "", "")},
		{"blank sections of text", "[S!A1]", book(many("<![CDATA[]]>")+row, "", "")},
		{"long elements", "[S!A1]", book(strings.Repeat(`<a b="`+strings.Repeat("x", 1<<20)+`"/>`, 32)+row, "", "")},
		{"attributes", "[S!A1]", book(strings.Repeat(`<a`+strings.Repeat(` b=""`, 1<<19)+`/>`, 9)+row, "", "")},
		{"shared strings", ": xl/sharedStrings.xml is damaged", book(row, "", many("<si/>"))},
		{"how a shared string is spoken", ": xl/sharedStrings.xml is damaged",
			book(row, "", "<si><rPh>"+many("<t>a</t>")+"</rPh></si>")},
		{"styles", ": xl/styles.xml is damaged", changed(book(row, "", ""), func(s string) string {
			return strings.Replace(s, "<cellXfs", many("<a/>")+"<cellXfs", 1)
		})},
		{"lines", ":1048578[A1048578]", []byte("Name;b\n" + many("\n") + "1;2\n")},
		{"lines of separators", ":1048578[A1048578]", []byte("Name;b\n" + many(";;\n") + "1;2\n")},
		{"wide lines of separators", ":16646[A16646]", []byte("Name;b\n" + strings.Repeat(strings.Repeat(";", 2000)+"\n",
			17_000) + "1;2\n")},
		{"lines of blanks", ":513[A513]", []byte("Name;b\n" + strings.Repeat(strings.Repeat(" ", 1<<16)+"\n", 520) +
			"1;2\n")},
		{"lines with a value now and then", ":8388882[A8388882]",
			[]byte("Name;b\n" + strings.Repeat(strings.Repeat("\n", 1<<19)+"1;2\n", 17))},
	} {
		_, err := show(test.data)
		if got := faultText(t, err); !strings.HasPrefix(got, "list"+test.place+": ") ||
			!strings.Contains(got, "without a value, or 8388608 in total") {
			t.Errorf("%s: %q, want one at %s", test.rule, got, test.place)
		}
	}
	lists := map[string][]byte{
		"a million formatted cells below the list": book(row+strings.Repeat(`<row>`+strings.Repeat(`<c s="1"/>`, 50)+
			`</row>`, 20_000), "", ""),
		"lines between the rows": []byte(strings.Repeat("Name;b\n\n", 1<<20)),
	}
	for rule, data := range lists {
		if _, err := show(data); err != nil {
			t.Errorf("%s: %v", rule, err)
		}
	}
}

// TestElementsWithoutAValueCountOverAllParts checks the sum, because the number of sheets is unlimited.
func TestElementsWithoutAValueCountOverAllParts(t *testing.T) {
	parts, err := openArchive(t.Context(), book(strings.Repeat("<a/>", 11), "", ""))
	if err != nil {
		t.Fatal(err)
	}
	parts["xl/styles.xml"].blanks.total = maxBlanks - 10
	err = parts["xl/worksheets/sheet1.xml"].walk(func(xml.Token) (bool, error) { return false, nil })
	if err == nil || !strings.Contains(err.Error(), "without a value") {
		t.Errorf("got %v", err)
	}
}

// TestPartsDoNotOverlap checks that the same bytes are not read many times under many names.
func TestPartsDoNotOverlap(t *testing.T) {
	const size = 200 // for each part; the whole archive is hardly larger
	var file bytes.Buffer
	w := zip.NewWriter(&file)
	for _, name := range []string{"a", "b"} {
		if _, err := w.CreateRaw(&zip.FileHeader{Name: name, CompressedSize64: size, UncompressedSize64: size}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := openArchive(t.Context(), file.Bytes()); err == nil || !strings.Contains(err.Error(), "overlap") {
		t.Errorf("%d bytes with two parts of %d: %v", file.Len(), size, err)
	}
}

// TestARowHasALimit checks that shared strings and format suffixes count like other text.
func TestARowHasALimit(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	const want = ": the sheet is truncated or damaged here: a row of more than 4 MiB"
	for rule, data := range map[string][]byte{
		"shared strings":   book(`<row>`+strings.Repeat(`<c t="s"><v>0</v></c>`, 5)+`</row>`, "", "<si><t>"+long+"</t></si>"),
		"texts of its own": book(`<row>`+strings.Repeat(`<c t="inlineStr"><is><t>`+long+`</t></is></c>`, 5)+`</row>`, "", ""),
	} {
		_, err := show(data)
		if got := faultText(t, err); !strings.HasPrefix(got, "list[S!") || !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
	}
}

// TestFormatsAreReadInLinearTime measures allocations, because bytes that are reread are also copied again.
func TestFormatsAreReadInLinearTime(t *testing.T) {
	const repeats = 50_000
	for _, code := range []string{" ", `"a"`, `\a`, "XM", "[", "[a]", `"a"0`, "M", "_*"} {
		long := strings.Repeat(code, repeats) + "0%"
		var before, after goruntime.MemStats
		goruntime.ReadMemStats(&before)
		formatOf(long)
		goruntime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > uint64(64*len(long)) {
			t.Errorf("%d times %s: %d bytes for %d", repeats, code, got, len(long))
		}
	}
	if got := formatOf(strings.Repeat(`"a"`, repeats) + "0%"); got.kind != Percent {
		t.Errorf("a long percentage: %+v", got)
	}
	if got := formatOf(`0" ` + strings.Repeat("a", maxSuffix) + `"`); got != (format{kind: Number}) {
		t.Errorf("a suffix that no program writes: %d bytes", len(got.suffix))
	}
}

// TestTheReadingOfAWorkbookEndsWithItsContext checks that reading ends in any part, without a fault in the
// file.
func TestTheReadingOfAWorkbookEndsWithItsContext(t *testing.T) {
	data := book(strings.Repeat(`<row><c><v>1</v></c></row>`, 10_000), "", "<si><t>x</t></si>")
	ctx, cancel := context.WithCancel(context.Background())
	b, err := Open("list", bytes.NewReader(data), Options{Context: ctx})
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	err = b.Sheets[0].Rows(func(Row) bool { rows++; cancel(); return true })
	if !errors.Is(err, context.Canceled) || rows == 0 || rows == 10_000 {
		t.Errorf("rows: %v after %d", err, rows)
	}
	if _, err := Open("list", bytes.NewReader(data), Options{Context: ctx}); !errors.Is(err, context.Canceled) {
		t.Errorf("open: %v", err)
	}
}
