package main_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestCodePageShowsEveryPackage checks that the table in docs/code.md contains each package.
func TestCodePageShowsEveryPackage(t *testing.T) {
	t.Parallel()
	const root = "../.."
	_, table, _ := strings.Cut(readFile(t, filepath.Join(root, "docs/code.md")), "\n| Room |")
	table, _, _ = strings.Cut(table, "\n\n")
	shown := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\S+)` \\| .+ \\|$").FindAllStringSubmatch(table, -1) {
		shown[row[1]] = true
	}
	list := exec.Command("go", "list", "./...")
	list.Dir = root
	packages, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(packages)) {
		if name = strings.TrimPrefix(name, "sabine/"); !shown[name] {
			t.Errorf("the table does not show %s", name)
		}
	}
	for name := range shown { // bench/peers is a separate module
		if sources, _ := filepath.Glob(filepath.Join(root, name, "*.go")); len(sources) == 0 {
			t.Errorf("the table shows %s, which is no package", name)
		}
	}
}

// TestExamplesWorkOnTheSample runs the examples in README.md, docs and the help that read a snapshot, with
// the sample catalogue.
func TestExamplesWorkOnTheSample(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, dir, "build", "--sample")
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "bin"), 0o755),
		os.Symlink(program, filepath.Join(dir, "bin/sabine"))); err != nil {
		t.Fatal(err)
	}
	const reading = "(?:search|show|inspect|verify|export|room) "
	var examples []string
	for _, page := range pages(t) {
		examples = append(examples, regexp.MustCompile(`(?m)^bin/sabine `+reading+`(?:.*\\\n)*.*$`).FindAllString(
			readFile(t, page), -1)...)
	}
	for _, name := range []string{"search", "show", "export", "room"} {
		help := must(t, dir, name, "--help")
		found := regexp.MustCompile(`(?m)^ {6}sabine `+reading+`(?:.*\\\n)*.*$`).FindAllString(help, -1)
		if len(found) == 0 {
			t.Errorf("sabine %s --help shows no example", name)
		}
		for _, example := range found {
			examples = append(examples, "bin/"+strings.TrimSpace(example))
		}
	}
	for _, example := range examples {
		shell := exec.Command("sh", "-c", example)
		shell.Dir = dir
		shell.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "SABINE_") })
		if out, err := shell.CombinedOutput(); err != nil || strings.Contains(example, " search ") &&
			bytes.Contains(out, []byte("0 of 0 products")) || bytes.Contains(out, []byte("no area")) {
			t.Errorf("%s\n%v\n%s", example, err, out)
		}
	}
	if len(examples) < 10 {
		t.Errorf("found %d examples: %q", len(examples), examples)
	}
}

// TestAReleaseRefusesUncommittedFiles checks that an uncommitted file stops a release before any build.
func TestAReleaseRefusesUncommittedFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(name string, args ...string) (string, error) {
		c := exec.Command(name, args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := run("git", "init"); err != nil {
		t.Skipf("not tested without git: %v\n%s", err, out)
	}
	if err := os.Mkdir(filepath.Join(dir, "scripts"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "scripts/release"), readFile(t, "../../scripts/release"))
	writeFile(t, filepath.Join(dir, "catalogue.json"), "{}")
	out, err := run("bash", "scripts/release", "0.0.1", filepath.Join(dir, "bin"))
	if err == nil || !strings.Contains(out, "\n?? catalogue.json\n") || !strings.Contains(out, "0.0.1-rc.1") {
		t.Errorf("got %v\n%s", err, out)
	}
}

// TestOperationsPageExplainsEachAlert checks that the headings of the operations page match the alerts that
// link to them.
func TestOperationsPageExplainsEachAlert(t *testing.T) {
	t.Parallel()
	rules, err := os.ReadFile("../../deploy/prometheus/alerts.yaml")
	page, fault := os.ReadFile("../../docs/operations.md")
	if err != nil || fault != nil {
		t.Fatal(err, fault)
	}
	var alerts, links, headings []string
	for _, m := range regexp.MustCompile(`(?m)- alert: (\w+)$`).FindAllSubmatch(rules, -1) {
		alerts = append(alerts, string(m[1]))
	}
	for _, m := range regexp.MustCompile(`runbook_url: \S+/operations\.md#(\w+)`).FindAllSubmatch(rules, -1) {
		links = append(links, string(m[1]))
	}
	for _, m := range regexp.MustCompile(`(?m)^### (\w+)$`).FindAllSubmatch(page, -1) {
		headings = append(headings, string(m[1]))
	}
	if lower := strings.Fields(strings.ToLower(strings.Join(alerts, " "))); len(alerts) == 0 ||
		!slices.Equal(links, lower) {
		t.Errorf("the alerts are %v, their links %v", alerts, links)
	}
	if slices.Sort(alerts); !slices.Equal(slices.Sorted(slices.Values(headings)), alerts) {
		t.Errorf("the alerts are %v, the headings %v", alerts, headings)
	}
}

// TestPromisesAreShownByTests checks that tests and Makefile targets exist if the page of promises, or the
// list of tests that only make check runs, names them.
func TestPromisesAreShownByTests(t *testing.T) {
	t.Parallel()
	const root = "../.."
	page, err := os.ReadFile(filepath.Join(root, "docs/promises.md"))
	left, fault := os.ReadFile(filepath.Join(root, "docs/tests.md"))
	makefile, failure := os.ReadFile(filepath.Join(root, "Makefile"))
	if err := errors.Join(err, fault, failure); err != nil {
		t.Fatal(err)
	}
	for _, row := range regexp.MustCompile(`(?m)^\| .*$`).FindAllString(string(page), -1) {
		if cells := strings.Split(row, " | "); cells[0] != "| Promise" && !strings.Contains(cells[1], "`") {
			t.Errorf("nothing shows this promise: %s", row)
		}
	}
	named := regexp.MustCompile("`([a-z0-9/]+)\\.((?:Test|Fuzz|Benchmark)\\w+)`").FindAllStringSubmatch(string(page), -1)
	for _, m := range regexp.MustCompile("(?m)^\\| `(Test\\w+)[^`]*` \\| ([a-z0-9/]+) \\|").FindAllStringSubmatch(
		string(left), -1) {
		named = append(named, []string{m[0], m[2], m[1]})
	}
	for _, m := range named {
		sources, _ := filepath.Glob(filepath.Join(root, m[1], "*_test.go"))
		if !slices.ContainsFunc(sources, func(path string) bool {
			source, err := os.ReadFile(path)
			return err == nil && strings.Contains(string(source), "\nfunc "+m[2]+"(")
		}) {
			t.Errorf("%s has no %s", m[1], m[2])
		}
	}
	for _, m := range regexp.MustCompile("`make ([a-z-]+)`").FindAllStringSubmatch(string(page), -1) {
		if !strings.Contains(string(makefile), "\n"+m[1]+":") {
			t.Errorf("the Makefile has no target %s", m[1])
		}
	}
}
