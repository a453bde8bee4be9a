package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// A flag means the same in every command that has it, since its environment variable is the same. Those of several
// commands are here.

// defaultFolder is where snapshots lie unless a flag says otherwise.
const defaultFolder = "snapshots"

func snapshotsFlag(aliases ...string) cli.Flag {
	return &cli.StringFlag{Name: "snapshots", Aliases: aliases, Value: defaultFolder, Usage: "the `FOLDER` of snapshots"}
}

func sampleFlag() cli.Flag {
	return &cli.BoolFlag{Name: "sample", Usage: "compile the sample catalogue inside the program"}
}

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print the result as JSON"}
}

// A listFlag may be given more than once. Its values are taken as they are written, commas and all.
type listFlag struct{ *cli.StringSliceFlag }

func newListFlag(name, usage string, value ...string) listFlag {
	return listFlag{&cli.StringSliceFlag{Name: name, Usage: usage, Value: cli.NewStringSlice(value...), KeepSpace: true}}
}

// IsSliceFlag is what the library asks before it lists a flag twice in the help.
func (listFlag) IsSliceFlag() bool { return false }

// String returns the flag's line in the help.
func (f listFlag) String() string { return cli.FlagStringer(f) }

// setEnv gives a flag an environment variable for each of its names, the newest first, unless it says its own.
func setEnv(f cli.Flag) {
	if d, ok := f.(cli.DocGenerationFlag); ok && len(d.GetEnvVars()) > 0 {
		return
	}
	var names []string
	for _, name := range f.Names() {
		names = append(names, "SABINE_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_")))
	}
	switch f := f.(type) {
	case *cli.StringFlag:
		f.EnvVars = names
	case listFlag:
		f.EnvVars = names
	case *cli.BoolFlag:
		f.EnvVars, f.DisableDefaultText = names, !f.Value // a switch is off unless it is given, or says that it is on
	case *cli.DurationFlag:
		f.EnvVars = names
	case *cli.IntFlag:
		f.EnvVars = names
	case *cli.Uint64Flag:
		f.EnvVars = names
	case *cli.Float64Flag:
		f.EnvVars = names
	default:
		panic(fmt.Sprintf("flag --%s of type %T has no environment variable", f.Names()[0], f))
	}
}
