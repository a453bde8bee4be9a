package compiler_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sys/unix"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/snapshot"
)

func TestTheReportCountsEverything(t *testing.T) {
	folder := snapshot.Folder{Dir: t.TempDir()}
	vocabulary := input("vocabulary.json", []byte(`{"material_category":{"holz":{"de":"Holz"},"metall":{"de":"Metall"}}}`))
	records := ndjson(t,
		newRecord(1, record{"material_category": "holz", "absorption_character": "tiefton",
			"installation_types": []string{"wall", "ceiling"}, "fire_class": "B-s1,d0", "epd_url": "https://example.com/epd"}),
		newRecord(2, record{"material_category": "holz", "installation_types": []string{"wall"}, "data_source": "ptb",
			"farbe": "rot", "gewicht": 3}),
		newRecord(3, record{"manufacturer": "Müller & Söhne", "farbe": "blau", "has_epd": true}), // causes a warning: no epd_url
		newRecord(4, record{"published": false, "absorption_character": "hochton", "farbe": "grün"}),
		newRecord(5, record{"published": false}),
	)
	file := filepath.Join(t.TempDir(), "report.json")
	r := mustBuild(t, compiler.Options{Folder: folder, Inputs: []dataset.Input{
		input("a.ndjson", records), vocabulary, input("b.json", []byte(`{"products":[],"vocabluary":{}}`)),
	}, ReportFile: file, Tool: "sabine test"})

	if want := (compiler.Counts{Records: 5, Products: 3, Unpublished: 2}); r.Counts != want {
		t.Errorf("counts %+v, want %+v", r.Counts, want)
	}
	if want := map[string]int{"farbe": 3, "gewicht": 1, "vocabluary": 1}; !reflect.DeepEqual(r.UnknownFields, want) {
		t.Errorf("unknown fields %v, want %v", r.UnknownFields, want)
	}
	want := map[string]map[string]int{
		"material_category":    {"holz": 2, "metall": 0},
		"absorption_character": {"tiefton": 1},
		"installation_types":   {"wall": 2, "ceiling": 1},
		"manufacturer":         {"acme": 2, "mueller-soehne": 1},
		"fire_class":           {"B": 1},
		"has_epd":              {"true": 2, "false": 1},
		"purchasable":          {"true": 2, "false": 1},
	}
	if !reflect.DeepEqual(r.Families, want) {
		t.Errorf("families %v, want %v", r.Families, want)
	}
	if r.Faults.Total != 0 || len(r.Faults.First) != 0 {
		t.Errorf("faults %+v, want none", r.Faults)
	}
	if r.Warnings.Total != 1 || len(r.Warnings.First) != 1 || !strings.Contains(r.Warnings.First[0],
		"a.ndjson:3: product "+idOf(3)) {
		t.Errorf("warnings %+v, want one, of line 3", r.Warnings)
	}
	if r.Outcome != "built" || !r.Switched || r.Error != "" || r.Tool != "sabine test" ||
		!reflect.DeepEqual(r.Inputs, []string{"a.ndjson", "vocabulary.json", "b.json"}) {
		t.Errorf("outcome %s, switched %v, error %q, tool %q, inputs %v", r.Outcome, r.Switched, r.Error, r.Tool, r.Inputs)
	}
	info, err := os.Stat(folder.Path(r.File))
	if err != nil || info.Size() != r.Bytes || r.File != r.Hash+".snapshot" || current(t, folder) != r.File {
		t.Errorf("file %s of %d bytes, hash %s, CURRENT %s, %v", r.File, r.Bytes, r.Hash, current(t, folder), err)
	}
	if r.SourceBytes < int64(len(records)) {
		t.Errorf("%d source bytes, want at least %d", r.SourceBytes, len(records))
	}
	sum := int64(0)
	for _, s := range r.Sections {
		if strings.Trim(s.Name, "0123456789") == "" { // true for a section that has no name
			t.Errorf("a section has the name %q", s.Name)
		}
		sum += s.Bytes
	}
	if sum == 0 || sum > r.Bytes {
		t.Errorf("sections of %d bytes in a file of %d", sum, r.Bytes)
	}
	var stages []string
	for _, s := range r.Stages {
		stages = append(stages, s.Name)
	}
	if got := strings.Join(stages, " "); got != "read number bodies indexes commit" {
		t.Errorf("stages %s", got)
	}
	for _, path := range []string{file, folder.Path(r.Hash + ".report.json")} {
		if got := stored(t, path); !reflect.DeepEqual(got, r) {
			t.Errorf("%s holds %+v, want %+v", path, got, r)
		}
	}
}

// faulty returns a catalogue with all kinds of faults: in a line, in a record, between two records, and in
// relation to the vocabulary, which is known only at the end of a build.
func faulty(t *testing.T) []dataset.Input {
	var lines bytes.Buffer
	lines.Write(ndjson(t, newRecord(1, record{"material_category": "gold"}))) // line 1: not in the vocabulary
	lines.WriteString("{broken\n")                                            // line 2: not JSON
	lines.Write(ndjson(t,
		newRecord(3, nil),
		newRecord(4, record{"alpha_w": 2, "label": ""}), // line 4: two faults
		newRecord(5, record{"id": idOf(3)}),             // line 5: same id as line 3
		// line 6: unpublished and faulty
		newRecord(6, record{"published": false, "material_category": "silber"}),
		newRecord(7, record{"published": false}),                                     // line 7
		newRecord(8, record{"material_category": "holz", "installation_types": nil}), // line 8
	))
	return []dataset.Input{input("a.ndjson", lines.Bytes()),
		input("vocabulary.json", []byte(`{"material_category":{"holz":{"de":"Holz"}}}`))}
}

// wantFaults are the locations of the faults in the catalogue of faulty, in order.
var wantFaults = []string{"a.ndjson:1: ", "a.ndjson:2: ", "a.ndjson:4: ", "a.ndjson:4: ", "a.ndjson:5: ",
	"a.ndjson:6: "}

func checkFaults(t *testing.T, got compiler.Findings) {
	t.Helper()
	if got.Total != len(wantFaults) || len(got.First) != len(wantFaults) {
		t.Fatalf("faults %+v, want %d", got, len(wantFaults))
	}
	for i, prefix := range wantFaults {
		if !strings.HasPrefix(got.First[i], prefix) {
			t.Errorf("fault %d is %q, want it to begin with %q", i, got.First[i], prefix)
		}
	}
}

func TestFaultsFailTheBuild(t *testing.T) {
	folder := snapshot.Folder{Dir: t.TempDir()}
	file := filepath.Join(t.TempDir(), "report.json")
	r, err := build(t, compiler.Options{Folder: folder, Inputs: faulty(t), ReportFile: file})
	if err == nil {
		t.Fatal("faults did not fail the build")
	}
	checkFaults(t, r.Faults)
	lines := strings.Split(err.Error(), "\n")
	want := []string{"build: 6 faults in the source, so nothing was built:"}
	for _, text := range r.Faults.First {
		want = append(want, "  "+text)
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got the error\n%v", err)
	}
	if want := (compiler.Counts{Records: 8, Unpublished: 1, Skipped: 5}); r.Counts != want {
		t.Errorf("counts %+v, want %+v", r.Counts, want)
	}
	if r.Outcome != "failed" || r.Switched || r.Error != err.Error() {
		t.Errorf("outcome %s, switched %v, error %q", r.Outcome, r.Switched, r.Error)
	}
	if got := names(t, folder); len(got) != 0 {
		t.Errorf("the folder holds %v, want nothing", got)
	}
	if got := stored(t, file); !reflect.DeepEqual(got, r) {
		t.Errorf("the report file holds %+v, want %+v", got, r)
	}
}

func TestSkipInvalidBuildsTheGoodOnes(t *testing.T) {
	folder := snapshot.Folder{Dir: t.TempDir()}
	r := mustBuild(t, compiler.Options{Folder: folder, Inputs: faulty(t), SkipInvalid: true})
	checkFaults(t, r.Faults)
	if want := (compiler.Counts{Records: 8, Products: 2, Unpublished: 1, Skipped: 5}); r.Counts != want {
		t.Errorf("counts %+v, want %+v", r.Counts, want)
	}
	if want := map[string]int{"holz": 1}; !reflect.DeepEqual(r.Families["material_category"], want) {
		t.Errorf("categories %v, want %v", r.Families["material_category"], want)
	}
	clean := mustBuild(t, compiler.Options{Inputs: []dataset.Input{
		input("b.ndjson", ndjson(t, newRecord(3, nil), newRecord(8, record{"material_category": "holz"}))),
		input("vocabulary.json", []byte(`{"material_category":{"holz":{"de":"Holz"}}}`)),
	}})
	if r.Hash != clean.Hash || current(t, folder) != r.File {
		t.Errorf("hash %s, CURRENT %s, want the hash of only the valid records: %s", r.Hash, current(t, folder), clean.Hash)
	}
}

func TestDamagedInputsAreNeverSkipped(t *testing.T) {
	good := ndjson(t, newRecords(50)...)
	half := gzipped(t, good)
	for _, test := range []struct {
		rule string
		bad  dataset.Input
	}{
		{"compression that is cut off", input("b.ndjson.gz", half[:len(half)/2])},
		{"an array that is cut off", input("b.json", []byte(`[{"id":`))},
		{"a vocabulary that is not an object", input("vocabulary.json", []byte(`{"material_category":[]}`))},
	} {
		t.Run(test.rule, func(t *testing.T) {
			inputs := []dataset.Input{input("a.ndjson", ndjson(t, newRecord(99, nil))), test.bad}
			folder := snapshot.Folder{Dir: t.TempDir()}
			r, err := build(t, compiler.Options{Folder: folder, Inputs: inputs, SkipInvalid: true})
			if err == nil || r.Faults.Total != 1 || !strings.Contains(r.Faults.First[0], test.bad.Name) {
				t.Fatalf("got %v, want the one fault of %s", err, test.bad.Name)
			}
			if r.Counts.Skipped != 0 || len(names(t, folder)) != 0 {
				t.Errorf("got %d skipped and the files %v, want nothing", r.Counts.Skipped, names(t, folder))
			}
		})
	}
}

func TestTheFirstHundredFaultsAreListed(t *testing.T) {
	records := newRecords(150)
	for i, r := range records {
		r["material_category"] = "gold" // a fault that is found only at the end
		if i%3 == 0 {
			r["label"] = "" // a fault that is found immediately
		}
	}
	in := append(catalogue(t, records...), input("vocabulary.json", []byte(`{"material_category":{"holz":{}}}`)))
	r, err := build(t, compiler.Options{Inputs: in})
	if err == nil || r.Faults.Total != 200 || len(r.Faults.First) != compiler.MaxFaults || r.Counts.Skipped != 150 {
		t.Fatalf("%v: %d faults, %d listed, want 200 and %d", err, r.Faults.Total, len(r.Faults.First), compiler.MaxFaults)
	}
	if lines := strings.Split(err.Error(), "\n"); len(lines) != compiler.MaxFaults+2 ||
		lines[len(lines)-1] != "  and 100 more" {
		t.Errorf("the error has %d lines and ends with %q", len(lines), lines[len(lines)-1])
	}
	var want []string
	for i := range records {
		place := fmt.Sprintf("catalogue.ndjson:%d: product %s: ", i+1, idOf(i))
		if i%3 == 0 {
			want = append(want, place+"label: ")
		}
		want = append(want, place+"material_category: ")
	}
	for i, text := range r.Faults.First {
		if !strings.HasPrefix(text, want[i]) {
			t.Errorf("fault %d is %q, want it to begin with %q", i, text, want[i])
		}
	}
}

func TestABuildThatCannotBeginIsReported(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.json")
	missing := errors.New("there is no catalogue")
	r, err := compiler.Refuse(compiler.Options{ReportFile: file, Tool: "sabine test"}, missing)
	if !errors.Is(err, missing) || r.Outcome != "failed" || r.Error != "build: there is no catalogue" {
		t.Errorf("got %v and %+v", err, r)
	}
	if got := stored(t, file); !reflect.DeepEqual(got, r) {
		t.Errorf("the report file holds %+v, want %+v", got, r)
	}
}

func TestTheSameContentChangesNothing(t *testing.T) {
	folder := snapshot.Folder{Dir: t.TempDir()}
	in := catalogue(t, newRecords(3)...)
	first := mustBuild(t, compiler.Options{Folder: folder, Inputs: in})
	second := mustBuild(t, compiler.Options{Folder: folder, Inputs: in})
	if second.Outcome != "unchanged" || !second.Switched || second.Hash != first.Hash || current(t, folder) != first.File {
		t.Errorf("outcome %s, switched %v, hash %s after %s", second.Outcome, second.Switched, second.Hash, first.Hash)
	}
	if err := os.Remove(folder.Path("CURRENT")); err != nil {
		t.Fatal(err)
	}
	third := mustBuild(t, compiler.Options{Folder: folder, Inputs: in})
	if third.Outcome != "built" || current(t, folder) != first.File {
		t.Errorf("without CURRENT: outcome %s, CURRENT %q", third.Outcome, current(t, folder))
	}
}

func TestOlderGenerationsAreRemoved(t *testing.T) {
	for keep, want := range map[int]int{0: 3, 1: 1, 2: 2} {
		folder := snapshot.Folder{Dir: t.TempDir()}
		for n := 1; n <= 5; n++ {
			mustBuild(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(n)...), Keep: keep})
		}
		all, err := folder.Generations()
		if err != nil || len(all) != want {
			t.Errorf("keep %d: %d generations, %v, want %d", keep, len(all), err, want)
		}
		if got := len(names(t, folder)); got != 2*want+1 { // snapshots and their reports, and CURRENT
			t.Errorf("keep %d: the folder holds %v", keep, names(t, folder))
		}
	}
}

func TestABuildEndsWithItsContext(t *testing.T) {
	for _, stage := range []string{"read", "number", "bodies", "indexes", "commit"} {
		t.Run(stage, func(t *testing.T) {
			folder := snapshot.Folder{Dir: t.TempDir()}
			before := mustBuild(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(1)...)})
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			r, err := compiler.Build(ctx, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(500)...),
				Progress: func(p compiler.Progress) {
					if p.Stage == stage {
						cancel()
					}
				}})
			if !errors.Is(err, context.Canceled) || r.Outcome != "failed" || r.Switched {
				t.Errorf("got %v, outcome %s, switched %v", err, r.Outcome, r.Switched)
			}
			if got := current(t, folder); got != before.File {
				t.Errorf("CURRENT is %s, want %s", got, before.File)
			}
			for _, name := range names(t, folder) {
				if strings.HasPrefix(name, ".") {
					t.Errorf("%s remains", name)
				}
			}
		})
	}
}

// TestABuildEndsAtEveryStep cancels the context in each progress callback, and checks that the build returns
// the context's error and leaves no file in the folder.
func TestABuildEndsAtEveryStep(t *testing.T) {
	in := catalogue(t, newRecords(200)...)
	for last := 1; ; last++ {
		folder := snapshot.Folder{Dir: t.TempDir()}
		ctx, cancel := context.WithCancel(context.Background())
		told := 0
		var at compiler.Progress
		_, err := compiler.Build(ctx, compiler.Options{Folder: folder, Inputs: in, Progress: func(p compiler.Progress) {
			if told++; told == last {
				at = p
				cancel()
			}
		}})
		cancel()
		if told < last {
			if err != nil || last < 30 { // more callbacks than sections
				t.Errorf("built after %d steps: %v", told, err)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || len(names(t, folder)) > 0 {
			t.Fatalf("ended at step %d, %+v: %v, and the folder holds %v", last, at, err, names(t, folder))
		}
	}
}

// TestABuildEndsWhileItWaitsForInput checks that a build that waits for a pipe ends with its context. The
// synctest bubble fails if a goroutine remains.
func TestABuildEndsWhileItWaitsForInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pr, pw := io.Pipe()
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error)
		go func() {
			_, err := compiler.Build(ctx, compiler.Options{Folder: snapshot.Folder{Dir: t.TempDir()}, Inputs: []dataset.Input{
				{Name: "-", Open: func() (io.ReadCloser, error) { return pr, nil }},
			}})
			ended <- err
		}()
		if _, err := pw.Write(ndjson(t, newRecords(3)...)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
		_ = pw.Close() // ends the goroutine that reads the pipe
	})
}

// TestABuildEndsWhileATableIsBeingRead cancels a build while it parses a table, which ignores the context.
func TestABuildEndsWhileATableIsBeingRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		release := make(chan struct{})
		folder := snapshot.Folder{Dir: t.TempDir()}
		_, err := compiler.Build(ctx,
			compiler.Options{Folder: folder, Inputs: []dataset.Input{{Name: "t.csv", Tables: make([]dataset.Input, 1),
				Convert: func(*dataset.Conversion) error {
					cancel()
					<-release
					return nil
				}}}})
		if !errors.Is(err, context.Canceled) || len(names(t, folder)) > 0 {
			t.Errorf("got %v, and the folder holds %v", err, names(t, folder))
		}
		close(release)
	})
}

// Zstd is read ahead in a separate goroutine, which must not block a build that has already failed.
func TestABuildDoesNotWaitForTheRestOfABrokenInput(t *testing.T) {
	broken := []byte("[} nobody knows what this is")
	var compressed bytes.Buffer
	w, err := zstd.NewWriter(&compressed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(broken); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil { // the stream does not end here
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"plain": broken, "zstd": compressed.Bytes()} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				pr, pw := io.Pipe()
				ended := make(chan *compiler.Report)
				go func() {
					r, _ := build(t, compiler.Options{Inputs: []dataset.Input{{Name: "-", Open: func() (io.ReadCloser, error) {
						return pr, nil
					}}}})
					ended <- r
				}()
				if _, err := pw.Write(text); err != nil {
					t.Fatal(err)
				}
				if r := <-ended; r.Faults.Total != 1 {
					t.Errorf("faults %+v, want that of the broken array", r.Faults)
				}
				_ = pw.Close()
			})
		})
	}
}

func TestNoGoroutineIsLeft(t *testing.T) {
	for what, in := range map[string][]dataset.Input{"built": catalogue(t, newRecords(300)...), "failed": faulty(t)} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, err := build(t, compiler.Options{Inputs: in, Jobs: 4})
				if (err != nil) != (what == "failed") {
					t.Error(err)
				}
			})
		})
	}
}

func TestTooManyManufacturersFailBeforeAnythingIsWritten(t *testing.T) {
	records := newRecords(20001)
	for i, r := range records {
		r["manufacturer"] = fmt.Sprintf("Manufacturer %d", i)
	}
	folder := snapshot.Folder{Dir: t.TempDir()}
	r, err := build(t, compiler.Options{Folder: folder, Inputs: catalogue(t, records...)})
	if err == nil || !strings.Contains(err.Error(), "too many different values: manufacturer has 20001 ") ||
		r.Outcome != "failed" || len(names(t, folder)) > 0 {
		t.Errorf("got %v, outcome %s, files %v", err, r.Outcome, names(t, folder))
	}
}

func TestInputsThatCannotBeOpened(t *testing.T) {
	folder := snapshot.Folder{Dir: t.TempDir()}
	in := append(catalogue(t, newRecords(3)...), dataset.Input{Name: "gone.ndjson", Open: func() (io.ReadCloser, error) {
		return os.Open(filepath.Join(folder.Dir, "gone.ndjson"))
	}})
	r, err := build(t, compiler.Options{Folder: folder, Inputs: in})
	if err == nil || r.Outcome != "failed" || !strings.Contains(err.Error(), "gone.ndjson") || len(names(t, folder)) != 0 {
		t.Errorf("got %v, outcome %s, files %v", err, r.Outcome, names(t, folder))
	}
}

func TestOneBuildAtATime(t *testing.T) {
	folder := snapshot.Folder{Dir: t.TempDir()}
	file := filepath.Join(t.TempDir(), "report.json")
	unlock, err := folder.Lock()
	if err != nil {
		t.Fatal(err)
	}
	r, err := build(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(3)...), ReportFile: file})
	if !errors.Is(err, snapshot.ErrLocked) || r.Outcome != "failed" || stored(t, file).Error != err.Error() {
		t.Errorf("got %v, outcome %s", err, r.Outcome)
	}
	unlock()

	var builds sync.WaitGroup
	for n := range 8 {
		in := catalogue(t, newRecords(n+1)...)
		builds.Go(func() {
			if _, err := build(t, compiler.Options{Folder: folder, Inputs: in, Keep: 10}); err != nil &&
				!errors.Is(err, snapshot.ErrLocked) {
				t.Error(err)
			}
		})
	}
	builds.Wait()
	open(t, folder, current(t, folder))
	for _, name := range names(t, folder) {
		if strings.HasPrefix(name, ".") {
			t.Errorf("%s remains", name)
		}
	}
}

func TestProgressIsReportedStageByStage(t *testing.T) {
	var stages []string
	var last compiler.Progress
	mustBuild(t, compiler.Options{Inputs: catalogue(t, newRecords(1000)...), Progress: func(p compiler.Progress) {
		if p.Stage != last.Stage {
			stages = append(stages, p.Stage)
		} else if p.Done < last.Done {
			t.Errorf("%s goes back from %d to %d", p.Stage, last.Done, p.Done)
		}
		if p.Total > 0 && p.Done > p.Total {
			t.Errorf("%s: %d of %d", p.Stage, p.Done, p.Total)
		}
		last = p
	}})
	if got := strings.Join(stages, " "); got != "read number bodies indexes commit" {
		t.Errorf("stages %s", got)
	}
}

func TestReadingHasATotalWhenTheInputsHaveSizes(t *testing.T) {
	records := ndjson(t, newRecords(1000)...)
	size := int64(len(records))
	for _, test := range []struct {
		rule  string
		sizes [2]int64
		want  compiler.Progress
	}{
		{"bytes of all", [2]int64{size, size}, compiler.Progress{Stage: "read", Done: 2 * size, Total: 2 * size,
			Unit: "bytes"}},
		{"never more than the total, even when a file has grown", [2]int64{size, 1},
			compiler.Progress{Stage: "read", Done: size + 1, Total: size + 1, Unit: "bytes"}},
		{"records when a size is unknown", [2]int64{size, 0}, compiler.Progress{Stage: "read", Done: 2000, Unit: "records"}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			var inputs []dataset.Input
			for i, size := range test.sizes {
				in := input(fmt.Sprintf("%d.ndjson", i), ndjson(t, newRecords(2000)[1000*i:1000*(i+1)]...))
				in.Size = size
				inputs = append(inputs, in)
			}
			var last compiler.Progress
			mustBuild(t, compiler.Options{Inputs: inputs, Progress: func(p compiler.Progress) {
				if p.Stage == "read" {
					last = p
				}
			}})
			if last != test.want {
				t.Errorf("in the end %+v, want %+v", last, test.want)
			}
		})
	}
}

func TestAReportThatCannotBeWrittenIsAnError(t *testing.T) {
	folder := snapshot.Folder{Dir: t.TempDir()}
	r, err := build(t, compiler.Options{Folder: folder, Inputs: catalogue(t, newRecords(1)...),
		ReportFile: filepath.Join(folder.Dir, "no", "such", "folder.json")})
	if err == nil || !strings.HasPrefix(err.Error(), "CURRENT was switched to "+r.File+", but there was an error: write the report: ") ||
		!r.Switched || current(t, folder) == "" {
		t.Errorf("got %v, CURRENT %q", err, current(t, folder))
	}
}

func TestTheReportReplacesNoPipe(t *testing.T) {
	dir := t.TempDir()
	pipe, file, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "report.json"), filepath.Join(dir, "link")
	if err := errors.Join(unix.Mkfifo(pipe, 0o644), os.WriteFile(file, nil, 0o644),
		os.Symlink("report.json", link)); err != nil {
		t.Fatal(err)
	}
	o := compiler.Options{Inputs: dataset.Sample(), Folder: snapshot.Folder{Dir: filepath.Join(dir, "snapshots")},
		ReportFile: pipe}
	if _, err := compiler.Build(t.Context(), o); err == nil ||
		!strings.Contains(err.Error(), pipe+": not a regular file") {
		t.Errorf("a pipe: got %v", err)
	}
	o.ReportFile = link
	if _, err := compiler.Build(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]fs.FileMode{pipe: fs.ModeNamedPipe, link: fs.ModeSymlink, file: 0} {
		if info, err := os.Lstat(path); err != nil || info.Mode().Type() != mode {
			t.Errorf("%s: got %v, %v, want the type %v", path, info, err, mode)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Size() == 0 {
		t.Errorf("the report is not at the target of the link: %v", err)
	}
}
