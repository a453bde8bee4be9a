package main

import (
	_ "embed"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
	"go.yaml.in/yaml/v3"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/dataset/importers/table"
	"sabine/dataset/product"
	"sabine/indexes/snapshot/fleet"
	"sabine/runtime"
	"sabine/serve"
	"sabine/serve/keys"
)

//go:embed commands.yaml
var commandsYAML string

// values are what the names in commands.yaml stand for.
var values = map[string]string{
	"build keep":     strconv.Itoa(compiler.DefaultKeep),
	"store keep":     strconv.Itoa(fleet.DefaultKeep),
	"poll":           fleet.DefaultPoll.String(),
	"limit":          strconv.Itoa(serve.DefaultLimit),
	"max limit":      strconv.Itoa(serve.MaxLimit),
	"sorts":          strings.Join(runtime.SortNames(), ", "),
	"includes":       strings.Join(serve.IncludeNames(), ", "),
	"export formats": strings.Join(serve.ExportFormats(), ", "),
	"source kind":    table.DefaultSourceKind,
	"source kinds":   dataset.OrList(product.SourceKinds),
	"scope":          keys.ScopeRead,
	"shells":         strings.Join(shells, ", "),
}

type action func(*cli.Context, streams) error

var actions = map[string]action{
	"build":                build,
	"serve":                serveUntilDone,
	"health":               health,
	"keys":                 needSubcommand,
	"keys create":          createKey,
	"keys list":            listKeys,
	"keys pause":           changeKeys(func(f *keys.File, id string) error { return f.SetStatus(id, keys.Paused) }),
	"keys resume":          changeKeys(func(f *keys.File, id string) error { return f.SetStatus(id, keys.Active) }),
	"keys revoke":          changeKeys(func(f *keys.File, id string) error { return f.SetStatus(id, keys.Revoked) }),
	"keys account":         needSubcommand,
	"keys account disable": changeKeys(func(f *keys.File, name string) error { return f.SetActive(name, false) }),
	"keys account enable":  changeKeys(func(f *keys.File, name string) error { return f.SetActive(name, true) }),
	"search":               onCurrent(search),
	"show":                 onCurrent(show),
	"room":                 onCurrent(computeRoom),
	"export":               onCurrent(exportProducts),
	"inspect":              onSnapshot(inspect),
	"verify":               onSnapshot(verify),
	"diff":                 diff,
	"publish":              publish,
	"list":                 listStore,
	"rollback":             rollback,
	"pull":                 pull,
	"mcp":                  speakMCP,
	"generate":             generate,
	"import":               importAny,
	"report":               printReport,
	"schema":               printSchema,
	"version":              printVersions,
	"completion":           printCompletion,
}

// A specification is a command in commands.yaml: what the library takes as it is, and beside it what follows.
type specification struct {
	cli.Command `yaml:",inline"`
	Least, Most int // how many arguments it takes
	Options     options
	Commands    []*specification
}

func commands(s streams) []*cli.Command {
	var file specification
	text := os.Expand(commandsYAML, func(name string) string { return values[name] })
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		panic(err) // a bug, which any command line finds
	}
	return file.complete("", s).Subcommands
}

// complete returns the command of a specification, whose name has some words before it.
func (spec *specification) complete(before string, s streams) *cli.Command {
	c, name := &spec.Command, strings.TrimSpace(before+" "+spec.Name)
	for _, sub := range spec.Commands {
		c.Subcommands = append(c.Subcommands, sub.complete(name, s))
	}
	if len(c.Subcommands) == 0 {
		c.Before = takes(spec.Least, spec.Most)
	}
	c.Flags, c.HideHelpCommand, c.OnUsageError, c.BashComplete = spec.Options, true, wrongUsage, completes(c, s)
	c.Action = func(c *cli.Context) error { return actions[name](c, s) }
	return c
}

// takes refuses a command line with fewer than least or more than most arguments, before the command's
// action.
func takes(least, most int) cli.BeforeFunc {
	return func(c *cli.Context) error {
		n := c.NArg()
		if most == 0 && n > 0 {
			return usagef("%s takes no arguments, got %q: %s", c.Command.HelpName, c.Args().First(), c.Command.UsageText)
		}
		if n < least || n > most {
			return usagef("%s takes %s, got %d arguments: %s", c.Command.HelpName, c.Command.ArgsUsage, n, c.Command.UsageText)
		}
		return nil
	}
}

// needSubcommand is the action of a command that does nothing by itself.
func needSubcommand(c *cli.Context, _ streams) error {
	var names []string
	for _, sub := range c.Command.Subcommands {
		names = append(names, sub.Name)
	}
	return usagef("%s needs one of %s", c.Command.HelpName, strings.Join(names, ", "))
}

// options are the flags of a command, single or in lists of some that belong together.
type options []cli.Flag

// UnmarshalYAML reads flags, each of the type that its tag names.
func (o *options) UnmarshalYAML(list *yaml.Node) error {
	for _, n := range list.Content {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		if n.Kind == yaml.SequenceNode {
			if err := o.UnmarshalYAML(n); err != nil {
				return err
			}
			continue
		}
		f := newFlag[n.Tag]()
		if err := n.Decode(f); err != nil {
			return err
		}
		setEnv(f)
		*o = append(*o, f)
	}
	return nil
}

var newFlag = map[string]func() cli.Flag{
	"!bool":     func() cli.Flag { return &cli.BoolFlag{} },
	"!string":   func() cli.Flag { return &cli.StringFlag{} },
	"!path":     func() cli.Flag { return &pathFlag{} },
	"!list":     func() cli.Flag { return &listFlag{cli.StringSliceFlag{KeepSpace: true}} },
	"!int":      func() cli.Flag { return &cli.IntFlag{} },
	"!uint64":   func() cli.Flag { return &cli.Uint64Flag{} },
	"!float64":  func() cli.Flag { return &cli.Float64Flag{} },
	"!duration": func() cli.Flag { return &cli.DurationFlag{} },
}

// A pathFlag refuses the address of a store, which serve alone takes.
type pathFlag struct {
	cli.StringFlag `yaml:",inline"`
}

// RunAction checks the value, if there is one.
func (f *pathFlag) RunAction(c *cli.Context) error {
	if fleet.IsAddress(c.String(f.Name)) {
		return usagef("--%s is the address of a store: expected a path here; sabine serve follows a store, sabine pull "+
			"downloads from one", f.Name)
	}
	return nil
}

// A listFlag may be given more than once. Its values are taken as they are written, commas and all.
type listFlag struct {
	cli.StringSliceFlag `yaml:",inline"`
}

// IsSliceFlag is what the library asks before it lists a flag twice in the help.
func (*listFlag) IsSliceFlag() bool { return false }

func (f *listFlag) String() string { return cli.FlagStringer(f) }

// setEnv gives a flag an environment variable for each of its names, the newest first, unless it says its
// own.
func setEnv(f cli.Flag) {
	variables := reflect.Indirect(reflect.ValueOf(f)).FieldByName("EnvVars")
	if variables.Len() == 0 {
		for _, name := range f.Names() {
			variables.Set(reflect.Append(variables, reflect.ValueOf(variableOf(name))))
		}
	}
	if f, ok := f.(*cli.BoolFlag); ok {
		f.DisableDefaultText = !f.Value // a switch is off unless it is given, or says that it is on
	}
}

func variableOf(flag string) string {
	return "SABINE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}
