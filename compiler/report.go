package compiler

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2"

	"sabine/dataset"
	"sabine/indexes/files"
	"sabine/indexes/snapshot"
)

// MaxFaults is how many faults and how many warnings a report lists in full.
const MaxFaults = 100

// maxPassedOver is how much of what is no input a report names.
const maxPassedOver = 20

// Outcomes of a build.
const (
	outcomeBuilt     = "built"
	OutcomeUnchanged = "unchanged" // the current snapshot has the same content
	outcomeFailed    = "failed"
)

// Report says what a build did. It is written as JSON beside the snapshot.
type Report struct {
	Tool        string             `json:"tool"`
	Started     time.Time          `json:"started"`
	Inputs      []string           `json:"inputs"`
	Corrections *CorrectionsReport `json:"corrections,omitempty"`
	Dictionary  *DictionaryReport  `json:"dictionary,omitempty"`
	Synonyms    *SynonymsReport    `json:"synonyms,omitempty"`
	Outcome     string             `json:"outcome"` // "built", "unchanged" or "failed"
	Error       string             `json:"error,omitempty"`
	Notes       []string           `json:"notes,omitempty"` // what was not as expected, but did no harm
	Switched    bool               `json:"switched"`        // CURRENT names this snapshot now
	Hash        string             `json:"hash,omitempty"`
	File        string             `json:"file,omitempty"`
	Bytes       int64              `json:"bytes"`
	// of the inputs as they lie, so compressed ones count as they are
	SourceBytes   int64          `json:"source_bytes"`
	Counts        Counts         `json:"counts"`
	Faults        Findings       `json:"faults"`
	Warnings      Findings       `json:"warnings"`
	UnknownFields map[string]int `json:"unknown_fields"` // name to how often
	// family, value, products; declared values without a product too
	Families map[string]map[string]int `json:"families"`
	Sections []Section                 `json:"sections"`
	Stages   []Stage                   `json:"stages"`
	Seconds  float64                   `json:"seconds"`
}

// Counts are numbers of records. Of a build that did not fail, Products, Unpublished and Skipped sum up to
// Records.
type Counts struct {
	Records     int `json:"records"`  // what could not be read as a record is one, too
	Products    int `json:"products"` // in the snapshot
	Unpublished int `json:"unpublished"`
	Skipped     int `json:"skipped"`  // left out for their faults
	Previous    int `json:"previous"` // products in the snapshot that was current before, 0 when there was none
}

// CorrectionsReport says what became of a build's corrections.
type CorrectionsReport struct {
	Inputs   []string `json:"inputs"`
	Read     int      `json:"corrections"` // without a fault of their own
	Products int      `json:"products"`    // of which a correction changed a field, without a fault or not
	Fields   int      `json:"fields"`      // that corrections changed
}

// DictionaryReport says what became of a build's dictionary.
type DictionaryReport struct {
	Name  string `json:"name"`
	Pairs int    `json:"pairs"` // of texts that translate each other
	Used  int    `json:"used"`  // of these, pairs with a word that the catalogue has
}

// SynonymsReport says what became of a build's files of synonyms.
type SynonymsReport struct {
	Inputs []string `json:"inputs"`
	Groups int      `json:"groups"` // each once
}

// Findings are the first faults or warnings in full, and how many there are.
type Findings struct {
	Total int      `json:"total"`
	First []string `json:"first"`
}

// Section is the size of one section of the snapshot.
type Section struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// Stage is how long a part of the build took.
type Stage struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

func newReport(o *Options) *Report {
	r := &Report{
		Tool:          o.Tool,
		Started:       time.Now().UTC(),
		Inputs:        namesOf(o.Inputs),
		Faults:        Findings{First: []string{}},
		Warnings:      Findings{First: []string{}},
		UnknownFields: map[string]int{},
		Families:      map[string]map[string]int{},
		Sections:      []Section{},
		Stages:        []Stage{},
	}
	for i, what := range o.PassedOver {
		if i == maxPassedOver {
			r.Notes = append(r.Notes, fmt.Sprintf("passed over: and %d more", len(o.PassedOver)-i))
			break
		}
		r.Notes = append(r.Notes, "passed over: "+what)
	}
	return r
}

// namesOf returns the names of inputs, those of tables one by one.
func namesOf(inputs []dataset.Input) []string {
	names := []string{}
	for _, in := range inputs {
		for _, table := range in.Tables {
			names = append(names, table.Name)
		}
		if len(in.Tables) == 0 {
			names = append(names, in.Name)
		}
	}
	return names
}

// stage notes that a stage begins, and returns the function that notes its end.
func (r *Report) stage(name string) (end func()) {
	begin := time.Now()
	return func() {
		r.Stages = append(r.Stages, Stage{Name: name, Seconds: time.Since(begin).Seconds()})
	}
}

// finish notes how the build ended.
func (r *Report) finish(err error) {
	r.Seconds = time.Since(r.Started).Seconds()
	if err != nil {
		r.Outcome, r.Error = outcomeFailed, err.Error()
	}
}

// write puts the report beside its snapshot, when there is one, and into file, when that is not empty. A
// reader of either never sees half of it.
func (r *Report) write(folder snapshot.Folder, file string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	text = append(text, '\n')
	var faults []error
	if r.File != "" {
		path := folder.Path(snapshot.ReportOf(r.File))
		faults = append(faults, renameio.WriteFile(path, text, 0o644, renameio.WithTempDir(folder.Dir)))
	}
	if file != "" {
		faults = append(faults, ReplaceFile(file, text))
	}
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// ReplaceFile writes a file whole or not at all, through links. It refuses to replace what is no file, such
// as a pipe.
func ReplaceFile(path string, text []byte) error {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		if err = files.CheckRegular(path, info); err != nil {
			return err
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	files.RemoveUnfinished(path, files.UnfinishedAge)
	return renameio.WriteFile(path, text, 0o644, renameio.WithTempDir(filepath.Dir(path)))
}
