package results

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestTheLastSoakIsRead: of the runs that a file has.
func TestTheLastSoakIsRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "soak.ndjson")
	want := Soak{Run: Run{Products: 2, Faults: map[string]int{"wrong": 1}}, Parts: []SoakPart{{Latency: Latency{Requests: 3}}}}
	for _, run := range []any{&Soak{Run: Run{Products: 1}}, &struct{ Soak }{want}} {
		if err := AppendRun(file, run); err != nil {
			t.Fatal(err)
		}
	}
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if got, err := LastSoak(in); err != nil || !reflect.DeepEqual(got, &want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}
