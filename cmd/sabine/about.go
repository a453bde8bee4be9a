package main

import (
	"fmt"
	"io"
	goruntime "runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"sabine/dataset/product"
	"sabine/indexes/snapshot"
)

func printVersions(c *cli.Context, s streams) error {
	v := struct {
		Sabine         string `json:"sabine"`
		Go             string `json:"go"`
		SnapshotFormat string `json:"snapshot_format"` // major.minor
	}{version(), goruntime.Version(), fmt.Sprintf("%d.%d", snapshot.FormatMajor, snapshot.FormatMinor)}
	return s.print(c, v, func(t io.Writer) {
		fmt.Fprintf(t, "sabine\t%s\ngo\t%s\nsnapshot format\t%s\n", v.Sabine, v.Go, v.SnapshotFormat)
	})
}

// printSchema prints the JSON Schema of a source record.
func printSchema(_ *cli.Context, s streams) error {
	_, err := s.out.Write(product.Schema())
	return err
}

// release is the version of a released program. scripts/release sets release with the linker flag -X.
var release string

// version returns the release version, or the version that Go recorded in other builds.
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
