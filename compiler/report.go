package compiler

import "time"

// MaxFaults is how many faults and how many warnings a report lists in full.
const MaxFaults = 100

// Report says what a build did. It is written as JSON beside the snapshot.
type Report struct {
	Tool          string                    `json:"tool"`
	Started       time.Time                 `json:"started"`
	Inputs        []string                  `json:"inputs"`
	Outcome       string                    `json:"outcome"` // "built", "unchanged" or "failed"
	Error         string                    `json:"error,omitempty"`
	Switched      bool                      `json:"switched"` // CURRENT names this snapshot now
	Hash          string                    `json:"hash,omitempty"`
	File          string                    `json:"file,omitempty"`
	Bytes         int64                     `json:"bytes"`
	SourceBytes   int64                     `json:"source_bytes"`
	Counts        Counts                    `json:"counts"`
	Faults        Findings                  `json:"faults"`
	Warnings      Findings                  `json:"warnings"`
	UnknownFields map[string]int            `json:"unknown_fields"` // name to how often
	Families      map[string]map[string]int `json:"families"`       // family, value, products
	Sections      []Section                 `json:"sections"`
	Stages        []Stage                   `json:"stages"`
	Seconds       float64                   `json:"seconds"`
}

// Counts are numbers of records.
type Counts struct {
	Records     int `json:"records"`
	Products    int `json:"products"` // in the snapshot
	Unpublished int `json:"unpublished"`
	Skipped     int `json:"skipped"`  // left out for their faults
	Previous    int `json:"previous"` // products in the snapshot that was current before, 0 when there was none
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
