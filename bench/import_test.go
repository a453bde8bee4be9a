package bench

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strconv"
	"strings"
	"testing"

	"sabine/bench/queries"
	"sabine/bench/results"
	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/importers/table"
	"sabine/internal/xlsxtest"
)

// BenchmarkImport converts a list of products into source records and checks each record, as sabine import
// does. A row is a product with 8 columns of text and lengths, and 18 third-octave bands. Each import runs in
// a separate process with one processor. The benchmark reports processor time and peak memory, and appends
// them to the file BENCH_RESULTS.
func BenchmarkImport(b *testing.B) {
	eachSize(b, func(b *testing.B, products int) {
		book, text := filepath.Join(b.TempDir(), "list.xlsx"), filepath.Join(b.TempDir(), "list.csv")
		if err := writeLists(book, text, products); err != nil {
			b.Fatal(err)
		}
		out, err := results.Append(os.Getenv("BENCH_RESULTS"))
		if err != nil {
			b.Fatal(err)
		}
		defer out.Close()
		for _, list := range []struct{ name, file, kind string }{
			{"csv", text, "import"}, {"csv unchecked", text, "convert"}, {"xlsx", book, "import"},
		} {
			b.Run(list.name, func(b *testing.B) {
				line := measureImport(b, list.file, list.kind)
				line.Key = results.Key{Suite: results.Import, Class: list.name, Products: products}
				if err := out.Add(line); err != nil {
					b.Fatal(err)
				}
			})
		}
	})
}

// writeLists writes a list as a workbook and as CSV.
func writeLists(book, text string, products int) error {
	r := rand.New(rand.NewPCG(queries.Seed, 14))
	header := []any{"Bezeichnung", "Hersteller", "Artikelnummer", "Beschreibung", "Kategorie", "Montage", "Dicke [mm]",
		"Luftspalt [mm]"}
	for _, hz := range acoustics.ThirdBands[3:21] {
		header = append(header, strconv.Itoa(hz)+" Hz")
	}
	sheet := xlsxtest.Sheet{Name: "Sheet1"}
	var b bytes.Buffer
	lines := csv.NewWriter(&b)
	lines.Comma = ';'
	cells := make([]string, len(header))
	for n := range products + 1 {
		row := header
		if n > 0 {
			row = []any{
				fmt.Sprintf("Akustikpaneel %d", n), "Beispiel Akustik", fmt.Sprintf("AK-%06d", n),
				"Leichtes Paneel aus Polyestervlies für Wand und Decke", "textil",
				[]string{"A", "B", "E-200"}[r.IntN(3)], 20 + 10*r.IntN(5), 50 * r.IntN(5),
			}
			for range header[len(row):] {
				row = append(row, float64(r.IntN(115))/100)
			}
		}
		for i, v := range row {
			cells[i] = fmt.Sprint(v)
			if _, isNumber := v.(float64); isNumber {
				cells[i] = strings.Replace(cells[i], ".", ",", 1)
			}
		}
		if err := lines.Write(cells); err != nil {
			return err
		}
		sheet.Rows = append(sheet.Rows, row)
	}
	lines.Flush()
	if err := os.WriteFile(text, b.Bytes(), 0o600); err != nil {
		return err
	}
	return os.WriteFile(book, xlsxtest.Book{Sheets: []xlsxtest.Sheet{sheet}}.Bytes(), 0o600)
}

// importer is the variable that makes the test program import a file: a kind, a colon and the path.
const importer = "SABINE_BENCH_IMPORT"

// importFile imports a file; see importer. It prints the processor time in seconds and the peak memory in
// KiB.
func importFile(task string) error {
	goruntime.GOMAXPROCS(1)
	kind, file, _ := strings.Cut(task, ":")
	start := cpuTime()
	if err := importTable(file, kind == "import"); err != nil {
		return err
	}
	fmt.Println((cpuTime() - start).Seconds(), peakMemory())
	return nil
}

func importTable(file string, check bool) error {
	input, err := dataset.FileInput(file)
	if err != nil {
		return err
	}
	reader := dataset.NewReader(table.Inputs([]dataset.Input{input}, table.Options{}))
	reader.Context = context.Background()
	for raw, err := range reader.Records() {
		if err != nil {
			return err
		}
		if check {
			if parsed := dataset.Parse(raw); len(parsed.Faults) > 0 {
				return &parsed.Faults[0]
			}
		}
		if _, err := io.Discard.Write(raw.JSON); err != nil {
			return err
		}
	}
	return nil
}

func measureImport(b *testing.B, file, kind string) results.Line {
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	var seconds, most float64
	for b.Loop() {
		process := exec.Command(os.Args[0])
		process.Env = append(os.Environ(), importer+"="+kind+":"+file)
		process.Stderr = os.Stderr
		out, err := process.Output()
		if err != nil {
			b.Fatal(err)
		}
		var s, kib float64
		if _, err := fmt.Sscan(string(out), &s, &kib); err != nil {
			b.Fatal(err)
		}
		seconds, most = seconds+s, max(most, kib)
	}
	b.ReportMetric(float64(info.Size())*float64(b.N)/seconds/1e6, "MB/cpu-s")
	b.ReportMetric(seconds/float64(b.N), "cpu-s/op")
	b.ReportMetric(most/1024, "peak-MiB")
	return results.Line{SourceBytes: info.Size(), Seconds: seconds / float64(b.N), PeakRSS: int64(most) << 10}
}
