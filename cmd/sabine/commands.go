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

// placeholders contains the values that replace ${name} in commands.yaml.
var placeholders = map[string]string{
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
	"search":               withCurrent(search),
	"show":                 withCurrent(show),
	"room":                 withCurrent(computeRoom),
	"export":               withCurrent(exportProducts),
	"inspect":              withSnapshot(inspect),
	"verify":               withSnapshot(verify),
	"diff":                 diff,
	"publish":              publish,
	"list":                 listStore,
	"rollback":             rollback,
	"pull":                 pull,
	"mcp":                  serveMCP,
	"generate":             generate,
	"import":               importRecords,
	"report":               printReport,
	"schema":               printSchema,
	"version":              printVersions,
	"completion":           printCompletion,
}

// A specification is a command in commands.yaml. It adds four fields to the library's command.
type specification struct {
	cli.Command `yaml:",inline"`
	Least, Most int // minimum and maximum number of arguments
	Options     options
	Commands    []*specification
}

func commands(s streams) []*cli.Command {
	var file specification
	text := os.Expand(commandsYAML, func(name string) string { return placeholders[name] })
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		panic(err) // commands.yaml is invalid
	}
	return file.command("", s).Subcommands
}

// command returns the specified command with its subcommands. parent is the full name of its parent.
func (spec *specification) command(parent string, s streams) *cli.Command {
	c, name := &spec.Command, strings.TrimSpace(parent+" "+spec.Name)
	for _, sub := range spec.Commands {
		c.Subcommands = append(c.Subcommands, sub.command(name, s))
	}
	if len(c.Subcommands) == 0 {
		c.Before = checkArgumentCount(spec.Least, spec.Most)
	}
	c.Flags, c.HideHelpCommand, c.OnUsageError, c.BashComplete = spec.Options, true, flagError, completions(c, s)
	c.Action = func(c *cli.Context) error { return actions[name](c, s) }
	return c
}

// checkArgumentCount returns a function that refuses fewer than least or more than most arguments.
func checkArgumentCount(least, most int) cli.BeforeFunc {
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

// needSubcommand is the action of a command that has only subcommands.
func needSubcommand(c *cli.Context, _ streams) error {
	var names []string
	for _, sub := range c.Command.Subcommands {
		names = append(names, sub.Name)
	}
	return usagef("%s needs a subcommand: one of %s", c.Command.HelpName, strings.Join(names, ", "))
}

// options contains the flags of a command. In YAML, each element is a flag or a list of related flags.
type options []cli.Flag

// UnmarshalYAML reads flags. The tag of each flag names its type.
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

// A pathFlag is a flag for a path. It refuses the address of a store, which only serve accepts.
type pathFlag struct {
	cli.StringFlag `yaml:",inline"`
}

// RunAction returns an error if the value is the address of a store.
func (f *pathFlag) RunAction(c *cli.Context) error {
	if fleet.IsAddress(c.String(f.Name)) {
		return usagef("--%s must be a path, got the address of a store: sabine serve follows a store, sabine pull "+
			"downloads from it", f.Name)
	}
	return nil
}

// A listFlag can be set more than once. Commas do not separate its values.
type listFlag struct {
	cli.StringSliceFlag `yaml:",inline"`
}

// IsSliceFlag returns false, because the help would list a slice flag twice.
func (*listFlag) IsSliceFlag() bool { return false }

func (f *listFlag) String() string { return cli.FlagStringer(f) }

// setEnv sets the environment variables of a flag, one for each name of the flag, the newest name first. It
// does nothing if the flag already has variables.
func setEnv(f cli.Flag) {
	variables := reflect.Indirect(reflect.ValueOf(f)).FieldByName("EnvVars")
	if variables.Len() == 0 {
		for _, name := range f.Names() {
			variables.Set(reflect.Append(variables, reflect.ValueOf(variableOf(name))))
		}
	}
	if f, ok := f.(*cli.BoolFlag); ok {
		f.DisableDefaultText = !f.Value // help shows the default only of switches that are on by default
	}
}

func variableOf(flag string) string {
	return "SABINE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}
