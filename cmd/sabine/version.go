package main

import (
	"fmt"
	goruntime "runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"sabine/indexes/snapshot"
)

func versionCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:        "version",
		Usage:       "tell the versions of the program, of Go and of the snapshot format",
		UsageText:   "sabine version [--json]",
		Description: "Snapshots of another format number before the dot are refused and have to be built again. Example:\n   sabine version --json",
		Flags:       []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			v := versions{version(), goruntime.Version(), fmt.Sprintf("%d.%d", snapshot.FormatMajor, snapshot.FormatMinor)}
			if c.Bool("json") {
				return printJSON(s.out, v)
			}
			t := s.table()
			fmt.Fprintf(t, "sabine\t%s\ngo\t%s\nsnapshot format\t%s\n", v.Sabine, v.Go, v.SnapshotFormat)
			return t.Flush()
		},
	}
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
