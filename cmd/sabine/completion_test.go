package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCompletion runs real shells with the program's scripts and compares their completions.
func TestCompletion(t *testing.T) {
	t.Parallel()
	scripts, dir := t.TempDir(), t.TempDir() // dir is empty, because fish also completes file names
	for _, shell := range []string{"bash", "fish", "zsh"} {
		writeFile(t, filepath.Join(scripts, shell), must(t, "", "completion", shell))
	}
	tests := []struct {
		rule string
		line string // words separated by blanks; the shell completes the last word
		want []string
	}{
		{"commands", "sabine se", []string{"search", "serve"}},
		{"all commands", "sabine ", []string{"build", "completion", "diff", "export", "generate", "health", "import",
			"inspect", "keys", "list", "mcp", "publish", "pull", "report", "rollback", "room", "schema", "search", "serve",
			"show", "verify", "version"}},
		{"subcommands", "sabine keys re", []string{"resume", "revoke"}},
		{"subcommands of subcommands", "sabine keys account ", []string{"disable", "enable"}},
		{"flags", "sabine search --alpha", []string{"--alpha-w-max", "--alpha-w-min"}},
		{"all flags", "sabine show --", []string{"--help", "--json", "--snapshots"}},
		{"flags after arguments", "sabine search Vlies --lim", []string{"--limit"}},
		{"flags after flags with values", "sabine search --limit 5 --fa", []string{"--facets"}},
		{"flags of subcommands", "sabine keys create --ac", []string{"--account"}},
		{"formats", "sabine import ", []string{"api", "csv", "pyroomacoustics", "table", "template"}},
		{"flags after a format", "sabine import table --s", []string{"--sheet", "--source-kind"}},
		{"files after a format", "sabine import table ", nil},
		{"shells", "sabine completion ", []string{"bash", "fish", "zsh"}},
		{"words are not evaluated", "sabine $(touch${IFS}evil) --v", []string{"--version"}},
	}
	for _, test := range tests {
		t.Run("bash: "+test.rule, func(t *testing.T) {
			got := offered(t, dir, "bash", `source "$1"; shift
				COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
				_sabine "$1" "${!#}"
				printf '%s\n' "${COMPREPLY[@]}"`, slices.Concat([]string{filepath.Join(scripts, "bash")}, strings.Split(test.line, " "))...)
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
		t.Run("zsh: "+test.rule, func(t *testing.T) {
			if _, err := exec.LookPath("zsh"); err != nil {
				t.Skip("this machine has no zsh")
			}
			got := offered(t, dir, "zsh", `compdef() {}; _files() {}
				compadd() { print -l -- ${(M)${(P)2}:#${words[CURRENT]}*} }
				source $1; shift
				words=("$@") CURRENT=$#
				_sabine`, slices.Concat([]string{"zsh", filepath.Join(scripts, "zsh")}, strings.Split(test.line, " "))...)
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
		t.Run("fish: "+test.rule, func(t *testing.T) {
			if _, err := exec.LookPath("fish"); err != nil {
				t.Skip("this machine has no fish")
			}
			if got := offered(t, dir, "fish", `source $argv[1]; complete --do-complete $argv[2]`,
				filepath.Join(scripts, "fish"), test.line); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "evil")); err == nil {
		t.Error("a word of the line was run as a command")
	}
}

// offered runs a shell script with the program in PATH. It returns the printed words, sorted.
func offered(t *testing.T, dir, shell, script string, args ...string) []string {
	t.Helper()
	first := []string{"-c", script}
	if shell == "bash" {
		first = append(first, "bash") // $0 of the script
	}
	p := exec.Command(shell, slices.Concat(first, args)...)
	p.Dir = dir
	p.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"))
	out, err := p.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	words := strings.Fields(string(out))
	slices.Sort(words)
	return words
}
