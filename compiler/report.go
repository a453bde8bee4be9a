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

// MaxFaults is the maximum number of faults in a report, and also of warnings.
const MaxFaults = 100

// maxSkippedNotes is the maximum number of skipped files that are listed in a report.
const maxSkippedNotes = 20

// The outcomes of a build.
const (
	outcomeBuilt     = "built"
	OutcomeUnchanged = "unchanged" // the current snapshot already has the same content
	outcomeFailed    = "failed"
)

// A Report describes a build. It is written as JSON to the snapshot's folder.
type Report struct {
	Tool        string             `json:"tool"`
	Started     time.Time          `json:"started"`
	Inputs      []string           `json:"inputs"`
	Corrections *CorrectionsReport `json:"corrections,omitempty"`
	Dictionary  *DictionaryReport  `json:"dictionary,omitempty"`
	Synonyms    *SynonymsReport    `json:"synonyms,omitempty"`
	Outcome     string             `json:"outcome"` // "built", "unchanged" or "failed"
	Error       string             `json:"error,omitempty"`
	Notes       []string           `json:"notes,omitempty"` // unexpected conditions without harmful effects
	Switched    bool               `json:"switched"`        // whether CURRENT names this snapshot, even if it did so before
	Hash        string             `json:"hash,omitempty"`
	File        string             `json:"file,omitempty"`
	Bytes       int64              `json:"bytes"`
	// total size of the input files in bytes, before decompression
	SourceBytes   int64          `json:"source_bytes"`
	Counts        Counts         `json:"counts"`
	Faults        Findings       `json:"faults"`
	Warnings      Findings       `json:"warnings"`
	UnknownFields map[string]int `json:"unknown_fields"` // number of occurrences by name
	// number of products by family and value, including declared values without products
	Families map[string]map[string]int `json:"families"`
	Sections []Section                 `json:"sections"`
	Stages   []Stage                   `json:"stages"`
	Seconds  float64                   `json:"seconds"`
}

// Counts are numbers of records. If a build succeeds, Products, Unpublished and Skipped add up to Records.
type Counts struct {
	Records     int `json:"records"`  // all records, including unreadable ones
	Products    int `json:"products"` // products in the snapshot
	Unpublished int `json:"unpublished"`
	Skipped     int `json:"skipped"`  // records omitted because of faults
	Previous    int `json:"previous"` // products in the previous snapshot; 0 if there was none
}

// A CorrectionsReport counts the effects of the corrections in a build.
type CorrectionsReport struct {
	Inputs   []string `json:"inputs"`
	Read     int      `json:"corrections"` // number of valid corrections
	Products int      `json:"products"`    // number of products with corrected fields, even with faults
	Fields   int      `json:"fields"`      // number of corrected fields
}

// A DictionaryReport counts the translations in the dictionary of a build.
type DictionaryReport struct {
	Name  string `json:"name"`
	Pairs int    `json:"pairs"` // number of pairs of translations
	Used  int    `json:"used"`  // number of pairs with a word that occurs in the catalogue
}

// A SynonymsReport counts the synonyms in a build.
type SynonymsReport struct {
	Inputs []string `json:"inputs"`
	Groups int      `json:"groups"` // number of distinct groups
}

// Findings contains the number of faults or warnings, and the messages of the first MaxFaults.
type Findings struct {
	Total int      `json:"total"`
	First []string `json:"first"`
}

// A Section describes one section of the snapshot.
type Section struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// A Stage is a part of the build with its duration.
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
	for i, what := range o.Skipped {
		if i == maxSkippedNotes {
			r.Notes = append(r.Notes, fmt.Sprintf("skipped: %d more", len(o.Skipped)-i))
			break
		}
		r.Notes = append(r.Notes, "skipped: "+what)
	}
	return r
}

// namesOf returns the names of inputs. Each table is listed separately.
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

// stage records the start of a stage, and returns a function that records its end.
func (r *Report) stage(name string) (end func()) {
	begin := time.Now()
	return func() {
		r.Stages = append(r.Stages, Stage{Name: name, Seconds: time.Since(begin).Seconds()})
	}
}

// finish sets the result of the build.
func (r *Report) finish(err error) {
	r.Seconds = time.Since(r.Started).Seconds()
	if err != nil {
		r.Outcome, r.Error = outcomeFailed, err.Error()
	}
}

// write writes the report to the snapshot's folder, if there is a snapshot, and to file, unless file is "".
// Both files are replaced atomically.
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

// ReplaceFile replaces a file atomically and follows symbolic links. If path is not a regular file, for
// example a pipe, it returns an error.
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
