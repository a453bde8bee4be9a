package main

import (
	"fmt"
	goruntime "runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"sabine/dataset/product"
	"sabine/indexes/snapshot"
)

// printVersions prints the versions of all that has one.
func printVersions(c *cli.Context, s streams) error {
	v := versions{version(), goruntime.Version(), fmt.Sprintf("%d.%d", snapshot.FormatMajor, snapshot.FormatMinor)}
	if c.Bool("json") {
		return printJSON(s.out, v)
	}
	t := s.table()
	fmt.Fprintf(t, "sabine\t%s\ngo\t%s\nsnapshot format\t%s\n", v.Sabine, v.Go, v.SnapshotFormat)
	return t.Flush()
}

// printSchema prints the JSON Schema of a source record.
func printSchema(_ *cli.Context, s streams) error {
	_, err := s.out.Write(product.Schema())
	return err
}

// versions is what version tells, and its JSON.
type versions struct {
	Sabine         string `json:"sabine"`
	Go             string `json:"go"`
	SnapshotFormat string `json:"snapshot_format"` // major.minor
}

// release is the version of a released program, which scripts/release sets by the linker's -X.
var release string

// version is the program's version: of a release, or else as the build recorded it.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}
