package dataset

import (
	"errors"
	"os"
	"testing"
)

// realData is the optional folder with real records next to the project. Without it, tests that need it are
// skipped.
const realData = "../../shared/data/"

func needRealData(t testing.TB, name string) string {
	t.Helper()
	if _, err := os.Stat(realData + name); err != nil {
		t.Skipf("%s is missing: skipped %s", realData+name, t.Name())
	}
	return realData + name
}

func TestRealRecordsHaveNoFaults(t *testing.T) {
	inputs, _, err := Inputs([]string{needRealData(t, "real-materials.ndjson")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	reader := NewReader(inputs)
	checker := NewChecker()
	records, rated, warnings := 0, 0, 0
	for raw, err := range reader.Records() {
		if err != nil {
			t.Fatal(err)
		}
		records++
		parsed := Parse(raw)
		for i := range parsed.Faults {
			t.Error(parsed.Faults[i].Error())
		}
		if parsed.Product == nil {
			continue
		}
		if len(parsed.Unknown) > 0 {
			t.Errorf("%s: unknown fields %q", raw.Place, parsed.Unknown)
		}
		faults, doubts := checker.Add(raw.Place, parsed.Product)
		for i := range faults {
			t.Error(faults[i].Error())
		}
		warnings += len(parsed.Warnings) + len(doubts)
		if parsed.Product.AlphaW != nil {
			rated++
		}
	}
	if faults, _ := checker.Finish(reader.Vocabulary()); len(faults) > 0 {
		t.Error(&faults[0])
	}
	if records != 2923 || rated < 2500 || warnings < 388 {
		t.Errorf("%d records, %d rated, %d warnings; want 2923, at least 2500, at least 388", records, rated, warnings)
	}
	t.Logf("%d records, %d rated, %d warnings", records, rated, warnings)
}

func BenchmarkParse(b *testing.B) {
	text, err := os.ReadFile(needRealData(b, "real-materials.ndjson"))
	if err != nil {
		b.Fatal(err)
	}
	var raws []Raw
	for raw, err := range NewReader([]Input{textInput("a.ndjson", string(text))}).Records() {
		if err != nil {
			b.Fatal(err)
		}
		raws = append(raws, raw)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for _, raw := range raws {
			if Parse(raw).Product == nil {
				b.Fatal(errors.New("faulty"))
			}
		}
	}
}

func BenchmarkInspect(b *testing.B) {
	text, err := os.ReadFile(needRealData(b, "real-vocabulary.json"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if expected := Inspect(text).Expected; expected != "" {
			b.Fatal(expected)
		}
	}
}
