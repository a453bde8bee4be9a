package main_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"sabine/indexes"
	"sabine/indexes/snapshot"
	"sabine/internal/sealed"
)

// commands contains the full names of all commands.
var commands = []string{
	"build", "serve", "health", "keys create", "keys list", "keys pause", "keys resume", "keys revoke",
	"keys account disable", "keys account enable",
	"publish", "list", "rollback", "pull", "search", "show", "room", "inspect", "verify", "export", "mcp", "diff",
	"generate", "import", "schema", "version", "completion",
}

func TestHelp(t *testing.T) {
	helps := map[string]string{} // from a command to its help
	for _, name := range append([]string{"", "keys", "keys account"}, commands...) {
		helps[name] = command{}.mustInProcess(t, append(strings.Fields(name), "--help")...)
		t.Run(strings.TrimSpace(name+" --help")+" shows an example, as -h does", func(t *testing.T) {
			r := command{}.inProcess(t, append(strings.Fields(name), "-h")...)
			_, example, found := strings.Cut(r.out, "Example:")
			if r.status != 0 || r.err != "" || r.out != helps[name] || !found || !strings.Contains(example, "sabine "+name) {
				t.Errorf("got %d %s %s", r.status, r.out, r.err)
			}
		})
	}
	t.Run("every command is listed", func(t *testing.T) {
		for _, name := range commands {
			if first, _, _ := strings.Cut(name, " "); !regexp.MustCompile(`(?m)^ +` + first + ` +\S`).MatchString(helps[""]) {
				t.Errorf("%s is not", first)
			}
		}
	})
	t.Run("--help works at any position", func(t *testing.T) {
		if r := (command{}).inProcess(t, "show", "panel-2", "--help"); r.status != 0 || !strings.Contains(r.out, "Example:") {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
	t.Run("without arguments, the program prints its help", func(t *testing.T) {
		if got := (command{}).mustInProcess(t); got != helps[""] {
			t.Errorf("got %s", got)
		}
	})
	t.Run("help works as a command", func(t *testing.T) {
		if got := (command{}).mustInProcess(t, "help", "keys", "create"); got != helps["keys create"] {
			t.Errorf("got %s", got)
		}
	})
	// matches a flag's name, then its other names and its value, then its usage
	flag := regexp.MustCompile(`(?m)^ +--([a-z-]+)(.*?)  +(.*)$`)
	t.Run("every flag has an environment variable with its name", func(t *testing.T) {
		for _, name := range commands {
			for _, f := range flag.FindAllStringSubmatch(helps[name], -1) {
				want := "$SABINE_" + strings.ToUpper(strings.ReplaceAll(f[1], "-", "_"))
				if f[1] == "manufacturer" || f[1] == "source-kind" { // import has different flags with these names
					of := "$SABINE_SEARCH_"
					if name == "import" {
						of = "$SABINE_IMPORT_"
					}
					want = strings.Replace(want, "$SABINE_", of, 1)
				}
				if (name == "publish" || name == "rollback") && f[1] == "keep" { // also a flag of build
					want = "$SABINE_STORE_KEEP"
				}
				if name == "import" && f[1] == "report" { // build has a different flag with this name
					want = "$SABINE_IMPORT_REPORT"
				}
				if name == "room" && f[1] == "fill" { // export has a different flag with this name
					want = "$SABINE_ROOM_FILL"
				}
				if f[1] != "help" && !regexp.MustCompile(regexp.QuoteMeta(want)+`[],]`).MatchString(f[3]) {
					t.Errorf("%s: %s", name, f[0])
				}
			}
		}
	})
	t.Run("an environment variable means the same in every command", func(t *testing.T) {
		meanings := map[string]string{}
		for _, name := range commands {
			for _, f := range flag.FindAllStringSubmatch(helps[name], -1) {
				meaning, variables, _ := strings.Cut(f[3], " [")
				for variable := range strings.SplitSeq(strings.Trim(variables, "]"), ", ") {
					if known, ok := meanings[variable]; ok && known != meaning {
						t.Errorf("%s means %q, in %s %q", variable, known, name, meaning)
					}
					meanings[variable] = meaning
				}
			}
		}
		if meanings["$SABINE_SNAPSHOTS"] == "" || meanings["$SABINE_OUT"] != meanings["$SABINE_SNAPSHOTS"] {
			t.Errorf("got %q", meanings)
		}
	})
	t.Run("every flag and its default are listed once", func(t *testing.T) {
		for _, name := range commands {
			_, options, _ := strings.Cut(helps[name], "OPTIONS:")
			for line := range strings.Lines(options) {
				for _, word := range regexp.MustCompile(`--[a-z-]+`).FindAllString(line, -1) {
					if strings.Count(options, word+" ") > 1 {
						t.Errorf("%s lists %s twice:\n%s", name, word, options)
					}
				}
				if strings.Count(line, "default") > 1 || strings.Contains(line, "default: false") {
					t.Errorf("%s: %s", name, line)
				}
			}
		}
	})
}

// TestInvalidUsage checks that the exit status is 2, and that only standard error contains a message.
func TestInvalidUsage(t *testing.T) {
	dir := builtFolder(t)
	tests := []struct {
		rule    string
		args    string
		message string
	}{
		{"an unknown command; the nearest is suggested", "serch", `"search"`},
		{"an unknown command with arguments", "biuld catalogue.json --out x", `"build"`},
		{"an unknown subcommand", "keys creat", `"create"`},
		{"an unknown subcommand below that", "keys account disabel A", `"disable"`},
		{"an unknown flag; the nearest is suggested", "search --limti 5", "--limit"},
		{"an unknown flag after the arguments", "search Vlies --limti 5", "--limit"},
		{"an unknown flag with a value", "show panel-2 --snapshot=x", "--snapshots"},
		{"an unknown flag of a subcommand", "keys create --acount A", "--account"},
		{"a flag of another command", "verify --limit 5", "--limit"},
		{"a flag before the command", "--out x build", "--out"},
		{"a flag without its value", "search --limit", "limit"},
		{"a value that is not a number", "build c.json --keep many", `--keep must be a whole number, got "many"`},
		{"a value that is not a percentage", "build c.json --max-drop much", `--max-drop must be a number, got "much"`},
		{"a value that is not a duration", "serve --drain-delay 5", `--drain-delay must be a duration such as 30s or 5m, got "5"`},
		{"a value that is neither true nor false", "search --has-epd=perhaps", `--has-epd must be true or false, got "perhaps"`},
		{"keys list with an argument", "keys list x", "sabine keys list takes no arguments"},
		{"keys pause without a key", "keys pause", "sabine keys pause takes one key's ID, got 0 arguments"},
		{"keys account enable without an account", "keys account enable", "account's NAME"},
		{"keys without a subcommand", "keys", "sabine keys needs a subcommand: one of create"},
		{"keys account without a subcommand", "keys account", "sabine keys account needs a subcommand: one of disable, enable"},
		{"a folder for a snapshot", "inspect snapshots", "--snapshots snapshots"},
		{"build without inputs", "build", "inputs or --sample"},
		{"build with inputs and the sample", "build c.json --sample", "--sample"},
		{"build --keep 0", "build c.json --keep 0", "--keep"},
		{"build --jobs below 0", "build c.json --jobs -1", "--jobs"},
		{"build --max-drop over 100", "build c.json --max-drop 101", "--max-drop"},
		{"build --max-drop below 0", "build c.json --max-drop -1", "--max-drop"},
		{"serve with an argument", "serve x", "serve"},
		{"a command that cannot be undone is not suggested", "keys revok 1", "keys --help"},
		{"search with a comma in a number; the message has the value unchanged", "search --alpha-w-min 0,8",
			`--alpha-w-min: "0,8" has a comma`},
		{"search with a minimum above the maximum", "search --alpha-w-min 0.8 --alpha-w-max 0.2",
			"--alpha-w-min: 0.8 is larger than --alpha-w-max, 0.2"},
		{"search with a minimum absorption above the maximum", "search --absorption-min 125:0.8 --absorption-max 125:0.2",
			`--absorption-min: "125:0.8" is larger than --absorption-max, "125:0.2"`},
		{"search by a margin without a need", "search --sort margin_desc",
			`--sort: "margin_desc" needs --absorption-min, which is missing`},
		{"search with two targets", "search --like stahlbeton-glatt --curve 125:0.1,250:0.1", "conflicts with --curve,"},
		{"search with a query too long", "search " + strings.Repeat("a", 201), "QUERY: "},
		{"the help of the command is named", "search --limit x", "\nSee sabine search --help.\n"},
		{"the help of a command with two words is named", "keys pause", "\nSee sabine keys pause --help.\n"},
		{"the help of the last known command is named", "keys account foo", "\nSee sabine keys account --help.\n"},
		{"search with a duplicate number", "search --limit 2 --limit 3", "limit"},
		{"version with an argument", "version x", "version"},
		{"completion without a shell", "completion", "SHELL"},
		{"completion of an unknown shell", "completion tcsh", "bash, zsh, fish"},
		{"search with two queries", "search Vlies Samt", "QUERY"},
		{"search with an unknown value of a filter", "search --category beton", "glas"},
		{"search with a limit that is not a number", "search --limit x", "limit"},
		{"show without a product", "show", "ID_OR_SLUG"},
		{"show with two products", "show panel-2 panel-10", "ID_OR_SLUG"},
		{"inspect with two snapshots", "inspect a b", "SNAPSHOT"},
		{"verify with two snapshots", "verify a b", "SNAPSHOT"},
		{"diff with one snapshot", "diff a", "OLD"},
		{"diff with three snapshots", "diff a b c", "OLD"},
		{"generate without a number", "generate", "N"},
		{"generate with a word", "generate many", "many"},
		{"generate 0", "generate 0", "0"},
		{"generate with a seed below 0", "generate 1 --seed -1", "seed"},
		{"import without a file", "import csv", "FILE"},
		{"import of an unknown format", "import xls table.xls", "csv"},
		{"import of an unknown source kind", "import csv table.csv --source-kind guessed", "--source-kind"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			r := command{dir: dir}.inProcess(t, strings.Fields(tt.args)...)
			if r.status != 2 || !strings.Contains(r.err, tt.message) || r.out != "" {
				t.Errorf("got %d, out %q, err %s", r.status, r.out, r.err)
			}
		})
	}
}

// TestFlagsBeforeAndAfterArguments checks that the order of flags and arguments does not matter.
func TestFlagsBeforeAndAfterArguments(t *testing.T) {
	dir := builtFolder(t)
	name := filepath.Join("snapshots", current(t, dir))
	tests := []struct{ rule, before, after string }{
		{"search", "search --limit 2 --json --category textil Vlies", "search Vlies --category textil --json --limit 2"},
		{"search, on both sides", "search --limit 2 --json Vlies", "search --limit=2 Vlies --json"},
		{"search, with = and one hyphen", "search --limit=2 --json=true Vlies", "search Vlies -limit 2 -json"},
		{"show", "show --json --snapshots snapshots panel-2", "show panel-2 --snapshots snapshots --json"},
		{"inspect", "inspect --json " + name, "inspect " + name + " --json"},
		{"diff", "diff --json " + name + " " + name, "diff " + name + " --json " + name},
		{"generate", "generate --seed 7 3", "generate 3 --seed 7"},
		{"after -- everything is an argument", "show panel-2", "show -- panel-2"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			before, after := command{dir: dir}.inProcess(t, strings.Fields(tt.before)...),
				command{dir: dir}.inProcess(t, strings.Fields(tt.after)...)
			if before != after || before.status != 0 || before.out == "" && tt.rule != "diff" {
				t.Errorf("got %v and %v", before, after)
			}
		})
	}
	t.Run("an argument after -- can look like a flag", func(t *testing.T) {
		if r := (command{dir: dir}).inProcess(t, "search", "--json", "--", "--limit"); r.status != 0 ||
			!strings.Contains(r.out, `"items":`) {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
}

// TestEnvironment checks that the environment can set every flag, and that the command line takes priority.
func TestEnvironment(t *testing.T) {
	dir := builtFolder(t)
	for _, tt := range []struct {
		rule string
		env  string
		with string // command line with flags instead of the environment
		args string
	}{
		{"a text", "SABINE_FIRE_CLASS=A1", "search --json --fire-class A1", "search --json"},
		{"a filter with another meaning in import", "SABINE_SEARCH_MANUFACTURER=beispiel-akustik",
			"search --json --manufacturer beispiel-akustik", "search --json"},
		{"the older name of a flag", "SABINE_MANUFACTURER=beispiel-akustik", "search --json --manufacturer beispiel-akustik",
			"search --json"},
		{"a flag of import is not a filter", "SABINE_IMPORT_MANUFACTURER=beispiel-akustik", "search --json", "search --json"},
		{"a list", "SABINE_CATEGORY=holz,metall", "search --json --category holz,metall", "search --json"},
		{"a switch", "SABINE_JSON=true", "search Vlies --json", "search Vlies"},
		{"a number", "SABINE_SEED=7", "generate 3 --seed 7", "generate 3"},
		{"a list that the command line replaces", "SABINE_CATEGORY=holz", "search --json --category metall",
			"search --json --category metall"},
		{"the command line takes precedence", "SABINE_LIMIT=9", "search --json --limit 2", "search --json --limit 2"},
		{"an empty variable counts as missing", "SABINE_LIMIT=", "search --json", "search --json"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			want := command{dir: dir}.mustInProcess(t, strings.Fields(tt.with)...)
			r := command{dir: dir, env: []string{tt.env}}.inProcess(t, strings.Fields(tt.args)...)
			if r.status != 0 || r.out != want {
				t.Errorf("got %d %s %s, want %s", r.status, r.out, r.err, want)
			}
		})
	}
	t.Run("folders and files", func(t *testing.T) {
		other := t.TempDir()
		env := []string{"SABINE_OUT=" + filepath.Join(other, "s"), "SABINE_SNAPSHOTS=" + filepath.Join(other, "s"),
			"SABINE_KEYS=" + filepath.Join(other, "k.json"), "SABINE_ACCOUNT=A"}
		for _, args := range [][]string{{"build", catalogueFolder(t)}, {"verify"}, {"keys", "create"}, {"keys", "list"}} {
			r := command{env: env}.inProcess(t, args...)
			if r.status != 0 || r.out == "" {
				t.Errorf("%v: got %d %s", args, r.status, r.err)
			}
			if args[0] == "keys" && args[1] == "create" {
				secrets.Store(strings.TrimSpace(r.out), true)
			}
		}
	})
	t.Run("an invalid value", func(t *testing.T) {
		r := command{dir: dir, env: []string{"SABINE_KEEP=many"}}.inProcess(t, "build", "c.json")
		if r.status != 2 || !strings.Contains(r.err, `SABINE_KEEP must be a whole number, got "many"`) {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
	t.Run("two keys, while one key replaces the other", func(t *testing.T) {
		const keys = "RWTNdFYsUtEp2nQFi0bLminUpjWP1mK221B1RON56nPIYirfXi7jfFqJ,RWRpwluZpceRgb+UZX3Ae8DDfOEdYSaFPsTRYL53KFpcC/iHdPEkzFnF"
		r := command{env: []string{"SABINE_TRUST=" + keys}}.inProcess(t, "pull", "--store", "file://"+t.TempDir(),
			"--snapshots", t.TempDir())
		if r.status != 1 || !strings.Contains(r.err, "nothing has been published") {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
	t.Run("the settings of the server", func(t *testing.T) {
		s, err := command{dir: dir, env: []string{"SABINE_PUBLIC_LIMIT=7/" + longWindow,
			"SABINE_BASE_PATH=/von/der/umgebung"}}.launch(t)
		if err != nil {
			t.Fatal(err)
		}
		defer s.stop(t)
		if got := budget(s.get(t, "/public/search")); got != "200: 6 of 7" {
			t.Errorf("got %s", got)
		}
	})
}

// TestFailures checks that a failure results in exit status 1 and a message with the object and the remedy.
func TestFailures(t *testing.T) {
	dir := builtFolder(t)
	writeFile(t, filepath.Join(dir, "not-json.json"), "{ nope")
	writeFile(t, filepath.Join(dir, "not.snapshot"), "no snapshot")
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ rule, args, message string }{
		{"a missing input", "build missing.json", "missing.json"},
		{"an input that is not JSON", "build not-json.json", "not-json.json"},
		{"a missing folder; the remedy is named", "search Vlies --snapshots missing",
			"folder missing does not exist: run sabine build"},
		{"a file instead of a folder", "search Vlies --snapshots not.snapshot", "not.snapshot is not a folder"},
		{"no current snapshot; the remedy is named", "search Vlies --snapshots empty", "sabine build"},
		{"show without a snapshot", "show panel-2 --snapshots empty", "sabine build"},
		{"inspect without a snapshot", "inspect --snapshots empty", "sabine build"},
		{"verify without a snapshot", "verify --snapshots empty", "sabine build"},
		{"a missing product; the remedy is named", "show gibt-es-nicht", "sabine search"},
		{"a missing product", "show gibt-es-nicht", "gibt-es-nicht"},
		{"an unpublished product", "show geheimer-absorber", "geheimer-absorber"},
		{"a file that is not a snapshot", "verify not.snapshot", "not.snapshot"},
		{"a missing snapshot", "inspect missing.snapshot", "missing.snapshot"},
		{"a missing snapshot of diff", "diff missing.snapshot missing.snapshot", "missing.snapshot"},
		{"a missing table", "import csv missing.csv", "missing.csv"},
		{"a missing key file", "keys list --keys missing.json", "missing.json"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			r := command{dir: dir}.inProcess(t, strings.Fields(tt.args)...)
			if r.status != 1 || !strings.Contains(r.err, tt.message) || !strings.HasPrefix(r.err, "sabine: ") {
				t.Errorf("got %d %s", r.status, r.err)
			}
		})
	}
}

// TestSearchCommand checks that the command returns the same results as the API.
func TestSearchCommand(t *testing.T) {
	t.Parallel()
	s, key := served(t)
	tests := []struct{ rule, args, query string }{
		{"everything", "", ""},
		{"a query", "Vlies", "q=Vlies"},
		{"page and limit", "--page 1 --limit 4", "page=1&limit=4"},
		{"category, several", "--category holz,metall", "category=holz,metall"},
		{"category, repeated", "--category holz --category metall", "category=holz,metall"},
		{"character", "--character tiefton", "character=tiefton"},
		{"installation", "--installation ceiling", "installation=ceiling"},
		{"manufacturer", "--manufacturer panelwerk", "manufacturer=panelwerk"},
		{"alpha_w", "--alpha-w-min 0.3 --alpha-w-max 0.6", "alpha_w_min=0.3&alpha_w_max=0.6"},
		{"fire class", "--fire-class B", "fire_class=B"},
		{"has_epd", "--has-epd", "has_epd=true"},
		{"purchasable_only", "--purchasable-only", "purchasable_only=true"},
		{"needs of absorption", "--absorption-min 125:0.2,250:0.4 --absorption-min 500:0.5 --absorption-max 125:0.9",
			"absorption_min=125:0.2,250:0.4,500:0.5&absorption_max=125:0.9"},
		{"needs of scattering and diffusion", "--scattering-min 630:0.1 --diffusion-min 1000:0.1",
			"scattering_min=630:0.1&diffusion_min=1000:0.1"},
		{"needs of the set-up",
			"--thickness-max 50 --depth-max 250 --mounting E --source-kind measured,literature --absorption-class A,B,C",
			"thickness_max=50&depth_max=250&mounting=E&source_kind=measured,literature&absorption_class=A,B,C"},
		{"a target", "--like akustikpaneel-fichte-40 --sort distance_asc", "like=akustikpaneel-fichte-40&sort=distance_asc"},
		{"a target curve", "--curve 125:0.3,500:0.9 --absorption-min 500:0.1 --sort margin_desc",
			"curve=125:0.3,500:0.9&absorption_min=500:0.1&sort=margin_desc"},
		{"depth_unknown", "--depth-max 50 --depth-unknown --sort depth_asc", "depth_max=50&depth_unknown=true&sort=depth_asc"},
		{"match and need_facets", "--match --need-facets", "match=true&need_facets=true"},
		{"near", "--absorption-min 250:2 --near", "absorption_min=250:2&near=true"},
		{"sort", "--sort name_asc", "sort=name_asc"},
		{"include", "--include acoustics,geometry", "include=acoustics,geometry"},
		{"facets", "Akustik --facets", "q=Akustik&facets=true"},
		{"a misspelt query", "Deckensegl", "q=Deckensegl"},
		{"nothing found", "xyzzyq", "q=xyzzyq"},
	}
	for _, tt := range tests {
		t.Run("--json is the body of the API: "+tt.rule, func(t *testing.T) {
			got := must(t, s.dir, append([]string{"search", "--json"}, strings.Fields(tt.args)...)...)
			want := s.getAs(t, key, "/v1/materials/search?"+tt.query).body + "\n"
			if got != want {
				t.Errorf("got  %swant %s", got, want)
			}
		})
	}
	t.Run("a query of several words", func(t *testing.T) {
		if out := must(t, s.dir, "search", "aus Vlies", "--json"); !strings.Contains(out, `"total_count":4`) {
			t.Errorf("got %s", out)
		}
	})
	t.Run("the table", func(t *testing.T) {
		const want = "" +
			"ALPHA_W  LABEL                     MANUFACTURER      CATEGORY  ID OR SLUG\n" +
			"0.9      Akustikpaneel Fichte 40   Beispiel Akustik  holz      akustikpaneel-fichte-40\n" +
			"-        Diffusor QRD 7            Nørdklang ApS     holz      qrd-diffusor-7\n" +
			"0.55     Holzwolle-Leichtbauplatte Beispiel Akustik  holz      holzwolle-platte\n" +
			"0.45     Ätherwand                 Panelwerk         holz      aetherwand\n" +
			"4 of 4 products, page 0\n"
		squeeze := regexp.MustCompile(` +`)
		got := must(t, s.dir, "search", "--category", "holz")
		if squeeze.ReplaceAllString(got, " ") != squeeze.ReplaceAllString(want, " ") {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("the table of products found by need", func(t *testing.T) {
		const want = "" +
			"MARGIN ALPHA_W MOUNT MM GAP DEPTH LABEL ID OR SLUG\n" +
			"0.0967 0.9 E 40 200 240 Akustikpaneel Fichte 40 akustikpaneel-fichte-40\n" +
			"1 of 1 products, page 0\n"
		if got := must(t, s.dir, "search", "SilentWood", "--absorption-min", "250:0.5"); regexp.MustCompile(
			` +`).ReplaceAllString(got, " ") != want {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("the table of products with a similar curve", func(t *testing.T) {
		got := must(t, s.dir, "search", "--curve", "125:0.25,250:0.6", "--limit", "1")
		if !strings.HasPrefix(got, "DISTANCE  ALPHA_W  MOUNT  MM  GAP  DEPTH  LABEL") {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("the table of products without a need of absorption", func(t *testing.T) {
		if got := must(t, s.dir, "search", "--scattering-min", "1000:0.1"); !strings.HasPrefix(got, "ALPHA_W  LABEL") {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("the table of facets", func(t *testing.T) {
		got := must(t, s.dir, "search", "--facets", "--category", "mineral")
		for _, want := range []string{"CATEGORIES", "4  holz", "1  mineral", "FIRE_CLASSES", "1  A1", "HAS_EPD", "0  yes",
			"1  no", "nordklang-aps"} {
			if !strings.Contains(got, want) {
				t.Errorf("it lacks %q:\n%s", want, got)
			}
		}
	})
}

func TestShowCommand(t *testing.T) {
	t.Parallel()
	s, key := served(t)
	for _, name := range []string{"akustikpaneel-fichte-40", "qrd-diffusor-7", "00000000-0000-4000-8000-000000000015"} {
		t.Run("--json is the body of the API with geometry: "+name, func(t *testing.T) {
			got, want := must(t, s.dir, "show", name, "--json"),
				s.getAs(t, key, "/v1/materials/"+name+"?include=geometry").body+"\n"
			if got != want {
				t.Errorf("got  %swant %s", got, want)
			}
		})
	}
	t.Run("a product with its curves", func(t *testing.T) {
		got := must(t, s.dir, "show", "akustikpaneel-fichte-40")
		for _, want := range []string{
			"Akustikpaneel Fichte 40", "SilentWood 40", "Beispiel Akustik", "2026-10-30T08:15:00Z", "Gewicht kg/m²",
			"Gelochtes Paneel", "600 x 2400 x 40 mm",
			"E-200", "ISO 354", "alpha_s_third_octave", "200 mm air gap", "█", "1.00 ┤", "0.00 └", "Hz", "4k", ".95",
			"Scatter 1",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("it lacks %q:\n%s", want, got)
			}
		}
	})
	t.Run("a product with only the required fields", func(t *testing.T) {
		if got := must(t, s.dir, "show", "00000000-0000-4000-8000-000000000015"); !strings.Contains(got,
			"Schlichtes Vlies") || strings.Contains(got, "null") || strings.Contains(got, "█") {
			t.Errorf("got %s", got)
		}
	})
	t.Run("an id in capitals", func(t *testing.T) {
		if got := must(t, s.dir, "show", strings.ToUpper("00000000-0000-4000-8000-000000000004")); !strings.Contains(got,
			"Säulenabsorber rund") {
			t.Errorf("got %s", got)
		}
	})
}

func TestInspectCommand(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	name := current(t, dir)
	path := filepath.Join("snapshots", name)
	text := must(t, dir, "inspect")
	for _, want := range []string{strings.TrimSuffix(name, ".snapshot"), "products  15", "bodies", "reversed dictionary",
		"material_category", "glas, holz, metall, mineral, schaum, textil", "mittelton", "products.json", "vocabulary.json"} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
	if got := must(t, dir, "inspect", path); got != text {
		t.Errorf("by its path: got %s", got)
	}
	in := &answer{body: must(t, dir, "inspect", "--json")}
	if in.json("products").Int() != 15 || in.json("hash").String() != strings.TrimSuffix(name, ".snapshot") ||
		in.json("provenance.counts.unpublished").Int() != 1 ||
		in.json("sections.#").Int() < 10 || in.json("values.fire_class").Int() != 7 ||
		in.json(`vocabulary.installation_types`).String() == "" {
		t.Errorf("got %s", in.body)
	}
	content := []byte(readFile(t, filepath.Join(dir, path)))
	alone := filepath.Join(t.TempDir(), name)
	replace(t, alone, content)
	if got := must(t, dir, "inspect", alone); !strings.Contains(got, "no build report") {
		t.Errorf("without a report: got %s", got)
	}
	if got := (&answer{body: must(t, dir, "inspect", alone, "--json")}).json("provenance").Raw; got != "null" {
		t.Errorf("without a report: got %s", got)
	}
	report := strings.TrimSuffix(alone, ".snapshot") + ".report.json"
	if err := syscall.Mkfifo(report, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := sabine(t, dir, "inspect", alone); r.status != 1 || !strings.Contains(r.err, report+": not a regular file") {
		t.Errorf("a pipe in the report's place: got %d %s", r.status, r.err)
	}
}

// verify cannot compare texts that were built with different text analysis rules.
func TestVerifyNamesWhatItDidNotCompare(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	file, err := snapshot.Open(filepath.Join(dir, "snapshots", current(t, dir)))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	draft := sealed.Of(file)
	meta := draft.Content(indexes.KindMeta)
	*meta = bytes.Replace(*meta, []byte(`"rules":2`), []byte(`"rules":7`), 1)
	content := draft.Seal()
	path := filepath.Join(t.TempDir(), fmt.Sprintf("%x.snapshot", sha256.Sum256(content)))
	replace(t, path, content)
	got := must(t, dir, "verify", "--deep", path)
	for _, part := range []string{": ok, ", "15 products", "version 7 of the text analysis, but this program has version 2", "not compared",
		"(terms, prefixes, "} {
		if !strings.Contains(got, part) {
			t.Errorf("the message lacks %q: %s", part, got)
		}
	}
	if got := must(t, dir, "verify", path); strings.Contains(got, "not compared") {
		t.Errorf("without --deep: %s", got)
	}
}

// TestVerifyCommand checks that every kind of damage to a snapshot is reported with its location.
func TestVerifyCommand(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	name := current(t, dir)
	whole := []byte(readFile(t, filepath.Join(dir, "snapshots", name)))
	if got := must(t, dir, "verify", "--deep"); !strings.Contains(got, ": ok, ") || !strings.Contains(got, "15 products") {
		t.Errorf("got %s", got)
	}
	type section struct {
		name   string
		offset int64
	}
	var last section
	in := &answer{body: must(t, dir, "inspect", "--json")}
	for _, s := range in.json("sections").Array() {
		if s.Get("bytes").Int() > 0 {
			last = section{s.Get("name").String(), s.Get("offset").Int()}
		}
	}
	tests := []struct {
		rule    string
		damage  func(b []byte) []byte
		message []string
	}{
		{"a bit of the first section; the message has the section and its offset", func(b []byte) []byte {
			b[2048] ^= 1
			return b
		}, []string{"section bodies", "bodies", "byte 2048", "checksum"}},
		{"the last byte", func(b []byte) []byte {
			b[len(b)-1] ^= 0x80
			return b
		}, []string{"section", fmt.Sprintf("byte %d", last.offset), last.name}},
		{"the magic", func(b []byte) []byte { b[0] = 'X'; return b }, []string{"byte 0", "magic"}},
		{"the section table", func(b []byte) []byte { b[40] ^= 1; return b }, []string{"byte"}},
		{"another format version; both are named", func(b []byte) []byte {
			b[8] = 9
			return b
		}, []string{"version 9.0", "version 8"}},
		{"a truncated file", func(b []byte) []byte { return b[:len(b)-1] }, []string{"byte"}},
		{"a missing header", func(b []byte) []byte { return b[:100] }, []string{"byte 100"}},
		{"an additional byte", func(b []byte) []byte { return append(b, 0) }, []string{"byte"}},
		{"nothing left", func([]byte) []byte { return nil }, []string{"byte 0"}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			replace(t, path, tt.damage(append([]byte(nil), whole...)))
			r := sabine(t, dir, "verify", path)
			if r.status != 1 || r.out != "" {
				t.Errorf("got %d %s", r.status, r.out)
			}
			for _, part := range append(tt.message, path) {
				if !strings.Contains(r.err, part) {
					t.Errorf("the message lacks %q: %s", part, r.err)
				}
			}
		})
	}
	t.Run("content that does not match the name", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), strings.Repeat("0", 64)+".snapshot")
		replace(t, path, whole)
		if r := sabine(t, dir, "verify", path); r.status != 1 || !strings.Contains(r.err, "SHA-256") {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
}

func TestDiffCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	buildOf := func(lines ...string) string {
		writeFile(t, filepath.Join(dir, "c.ndjson"), strings.Join(lines, ""))
		must(t, dir, "build", "c.ndjson")
		return filepath.Join("snapshots", current(t, dir))
	}
	before := buildOf(product(t, 1, "Eins"), product(t, 2, "Zwei"), product(t, 3, "Drei"))
	after := buildOf(product(t, 1, "Eins"), product(t, 4, "Vier"), record(t, map[string]any{
		"id": "10000000-0000-4000-8000-000000000003", "slug": "produkt-3", "label": "Drei, neu", "manufacturer": "Werk",
		"alpha_w": 0.5, "fire_class": "A1",
	}))
	t.Run("a table: added, removed, and changed with the changed fields", func(t *testing.T) {
		r := sabine(t, dir, "diff", before, after)
		for _, want := range []string{
			`(?m)^added +10000000-0000-4000-8000-000000000004 +Vier *$`,
			`(?m)^removed +10000000-0000-4000-8000-000000000002 +Zwei *$`,
			`(?m)^changed +10000000-0000-4000-8000-000000000003 +Drei, neu +.*alpha_w.*fire_class.*label`,
		} {
			if !regexp.MustCompile(want).MatchString(r.out) {
				t.Errorf("it lacks %s:\n%s", want, r.out)
			}
		}
		if r.status != 0 || strings.Count(r.out, "\n") != 3 || !strings.Contains(r.err, "1 added, 1 removed, 1 changed") {
			t.Errorf("got %d\n%s%s", r.status, r.out, r.err)
		}
	})
	t.Run("--json: the response of the API with the names of the fields", func(t *testing.T) {
		key := createKey(t, dir, "A")
		api := start(t, dir).getAs(t, key, "/v1/changes?since="+strings.TrimSuffix(filepath.Base(before), ".snapshot"))
		out := must(t, dir, "diff", before, after, "--json")
		const fields = `,"fields":["alpha_w","alpha_w_min","fire_class","label"]`
		if api.status != 200 || strings.Count(out, fields+"}") != 1 || strings.Replace(out, fields, "", 1) != api.body+"\n" {
			t.Errorf("got  %swant %d %s", out, api.status, api.body)
		}
	})
	t.Run("--json of a file whose name is not a hash", func(t *testing.T) {
		writeFile(t, filepath.Join(dir, "a.snapshot"), readFile(t, filepath.Join(dir, after)))
		if out := must(t, dir, "diff", "a.snapshot", after, "--json"); !strings.HasPrefix(out, `{"from":null,"to":"`) ||
			!strings.HasSuffix(out, `"added":[],"changed":[],"removed":[]}`+"\n") {
			t.Errorf("got %s", out)
		}
	})
	t.Run("--exit-code is 1 when they differ", func(t *testing.T) {
		if r := sabine(t, dir, "diff", "--exit-code", before, after); r.status != 1 || r.out == "" {
			t.Errorf("got %d", r.status)
		}
	})
	t.Run("--exit-code is 0 when they do not differ", func(t *testing.T) {
		if r := sabine(t, dir, "diff", after, after, "--exit-code"); r.status != 0 || r.out != "" {
			t.Errorf("got %d %s", r.status, r.out)
		}
	})
}
