package main

import (
	"reflect"
	"strings"

	"github.com/urfave/cli/v2"

	"sabine/indexes/snapshot/fleet"
)

// A flag means the same in every command that has it, since its environment variable is the same. Those of several
// commands are here.

// defaultFolder is where snapshots lie unless a flag says otherwise.
const defaultFolder = "snapshots"

func snapshotsFlag(aliases ...string) cli.Flag {
	f := pathFlag(snapshotsOrStoreFlag())
	f.Aliases = aliases
	return f
}

// snapshotsOrStoreFlag is snapshotsFlag for serve.
func snapshotsOrStoreFlag() *cli.StringFlag {
	return &cli.StringFlag{Name: "snapshots", Value: defaultFolder, Usage: "the `FOLDER` of snapshots; serve takes the URL of a store too, which it follows"}
}

// pathFlag has a flag refuse the address of a store, which serve alone takes.
func pathFlag(f *cli.StringFlag) *cli.StringFlag {
	f.Action = func(_ *cli.Context, value string) error {
		if fleet.IsAddress(value) {
			return usagef("--%s is the address of a store: expected a path here; sabine serve follows a store, sabine pull downloads from one", f.Name)
		}
		return nil
	}
	return f
}

func sampleFlag() cli.Flag {
	return &cli.BoolFlag{Name: "sample", Usage: "compile the sample catalogue inside the program"}
}

func adminAddrFlag() cli.Flag {
	return &cli.StringFlag{Name: "admin-addr", Value: "127.0.0.1:9090", Usage: "address of /healthz, /readyz and /metrics"}
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
	reflect.Indirect(reflect.ValueOf(f)).FieldByName("EnvVars").Set(reflect.ValueOf(names))
	if f, ok := f.(*cli.BoolFlag); ok {
		f.DisableDefaultText = !f.Value // a switch is off unless it is given, or says that it is on
	}
}
