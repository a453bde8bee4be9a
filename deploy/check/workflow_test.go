package check

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"
	"github.com/rhysd/actionlint"
)

const workflowPath = deploy + "/github/catalogue.yml"

func TestWorkflowIsGitHubs(t *testing.T) {
	shellcheck, _ := exec.LookPath("shellcheck")
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{Shellcheck: shellcheck})
	if err != nil {
		t.Fatal(err)
	}
	faults, err := linter.Lint(workflowPath, []byte(read(t, workflowPath)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
}

func TestArchiveIsThatOfARelease(t *testing.T) {
	script := read(t, "../../scripts/release")
	for _, line := range []string{`name=sabine-$version-${target/\//-}`, `"$folder/$name.tar.gz"`, `-c "$name"`, `SHA256SUMS`} {
		if !strings.Contains(script, line) {
			t.Errorf("scripts/release names its archives otherwise than the workflow does: expected %s", line)
		}
	}
}

// A rehearsal runs the workflow as GitHub does: its commands as they stand, by bash, on a catalogue and a store of the test.
// The network is left out: curl and gh are stubs that write down what they were asked.
type rehearsal struct {
	t        *testing.T
	flow     *actionlint.Workflow
	contexts contexts
	env      map[string]string // replaces that of the workflow
	folder   string            // has the catalogue, the stubs, their record, and what the jobs share
	store    string            // the folder of the store
	log      bytes.Buffer      // all that the commands printed
	results  map[string]status // of the jobs
}

const signPassword = "a password that is nowhere to be seen"

// rehearse makes a rehearsal with a store that has a catalogue of a hundred records in force, of which one is not published,
// and a catalogue of the first of them.
func rehearse(t *testing.T, records int) *rehearsal {
	t.Helper()
	flow, faults := actionlint.Parse([]byte(read(t, workflowPath)))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	r := &rehearsal{t: t, flow: flow, folder: t.TempDir(), results: map[string]status{}}
	r.store = r.folder + "/store"
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := private.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	write(t, r.folder+"/sign.key", string(key))
	lines := strings.SplitAfter(run(t, sabine(t), "generate", "100"), "\n")
	write(t, r.folder+"/before/all.ndjson", strings.Join(lines[:100], ""))
	write(t, r.folder+"/catalogue/all.ndjson", strings.Join(lines[:records], ""))
	run(t, sabine(t), "build", r.folder+"/before", "--snapshots", r.folder+"/first")
	run(t, sabine(t), "publish", "--snapshots", r.folder+"/first", "--store", "file://"+r.store, "--sign", r.folder+"/sign.key")
	r.env = map[string]string{"SHA256": r.release()}
	r.contexts = contexts{
		"github": map[string]any{
			"event_name": "schedule", "ref": "refs/heads/main", "repository": "example/catalogue", "token": "token", "event": map[string]any{},
		},
		"vars":    map[string]any{"CATALOGUE_READ": "file://" + r.store, "CATALOGUE_STORE": "file://" + r.store, "STORE_NAME": "", "SIGN_PUBLIC": public.String()},
		"secrets": map[string]any{"SIGN_KEY": string(key), "SIGN_PASSWORD": signPassword},
		"inputs":  map[string]any{},
	}
	return r
}

// pullRequest makes the event a pull request from a repository.
func (r *rehearsal) pullRequest(from string) {
	github := r.contexts["github"].(map[string]any)
	github["event_name"], github["ref"] = "pull_request", "refs/pull/7/merge"
	github["event"] = map[string]any{"pull_request": map[string]any{
		"number": 7, "head": map[string]any{"repo": map[string]any{"full_name": from}},
	}}
}

// release makes the stubs, and an archive laid out as scripts/release does, which curl delivers. It returns its SHA-256.
func (r *rehearsal) release() string {
	name := "sabine-1.0.0-linux-amd64"
	write(r.t, r.folder+"/"+name+"/sabine", "#!/bin/sh\nexec "+sabine(r.t)+` "$@"`+"\n")
	write(r.t, r.folder+"/stubs/curl", `#!/bin/bash
echo "curl $*" >>"$RECORD"
while [ $# -gt 1 ]; do
	[ "$1" != --output ] || cp "`+r.folder+`/$(basename "${@: -1}")" "$2"
	shift
done
`)
	write(r.t, r.folder+"/stubs/gh", `#!/bin/bash
echo "gh $*" >>"$RECORD"
cat "${@: -1}" >>"$RECORD"
`)
	for _, path := range []string{name + "/sabine", "stubs/curl", "stubs/gh"} {
		if err := os.Chmod(r.folder+"/"+path, 0o755); err != nil {
			r.t.Fatal(err)
		}
	}
	archive := r.folder + "/" + name + ".tar.gz"
	run(r.t, "tar", "-C", r.folder, "-czf", archive, name)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(read(r.t, archive))))
}

// run runs all jobs that the event lets run, each after those that it needs.
func (r *rehearsal) run() {
	for len(r.results) < len(r.flow.Jobs) {
		for id, job := range r.flow.Jobs {
			now := success
			for _, need := range job.Needs {
				if now == success {
					now = r.results[need.Value]
				}
			}
			if _, done := r.results[id]; done || now == "" {
				continue
			}
			r.results[id] = skipped
			if r.contexts.holds(r.t, job.If, now) {
				r.results[id] = r.job(job)
			}
		}
	}
}

// job runs the steps of a job in a workspace of its own.
func (r *rehearsal) job(job *actionlint.Job) status {
	home := r.t.TempDir()
	for _, folder := range []string{"workspace", "temp"} {
		if err := os.Mkdir(home+"/"+folder, 0o755); err != nil {
			r.t.Fatal(err)
		}
	}
	steps, now := map[string]any{}, success
	inside := maps.Clone(r.contexts)
	inside["steps"] = steps
	for _, step := range job.Steps {
		outcome := skipped
		if inside.holds(r.t, step.If, now) {
			outcome = r.step(inside, home, job, step)
		}
		if outcome == failure {
			now = failure
		}
		if step.ID != nil {
			steps[step.ID.Value] = map[string]any{"outcome": string(outcome), "outputs": outputs(r.t, home+"/output")}
		}
	}
	return now
}

// step runs one step.
func (r *rehearsal) step(inside contexts, home string, job *actionlint.Job, step *actionlint.Step) status {
	script, ok := step.Exec.(*actionlint.ExecRun)
	if !ok {
		return r.use(inside, home, step.Exec.(*actionlint.ExecAction))
	}
	path := "/usr/bin:/bin"
	if added, err := os.ReadFile(home + "/path"); err == nil {
		path = strings.ReplaceAll(strings.TrimSpace(string(added)), "\n", ":") + ":" + path
	}
	env := map[string]string{
		"PATH": r.folder + "/stubs:" + path, "HOME": home, "RUNNER_TEMP": home + "/temp", "RECORD": r.folder + "/record", "CI": "true",
		"GITHUB_OUTPUT": home + "/output", "GITHUB_PATH": home + "/path", "GITHUB_STEP_SUMMARY": r.folder + "/summary",
	}
	for _, set := range []*actionlint.Env{r.flow.Env, job.Env, step.Env} {
		if set != nil {
			for _, variable := range set.Vars {
				env[variable.Name.Value] = inside.expand(r.t, variable.Value)
			}
		}
	}
	maps.Copy(env, r.env)
	if r.flow.Defaults.Run.Shell.Value != "bash" {
		r.t.Fatal("expected bash as the shell of all steps")
	}
	write(r.t, home+"/script", inside.expand(r.t, script.Run))
	command := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", home+"/script") // as GitHub calls it
	command.Dir, command.Stdout, command.Stderr = home+"/workspace", &r.log, &r.log
	for name, value := range env {
		command.Env = append(command.Env, name+"="+value)
	}
	if err := command.Run(); err != nil {
		fmt.Fprintf(&r.log, "%s: %v\n", step.Name.Value, err)
		return failure
	}
	return success
}

// use does what an action does: files come and go.
func (r *rehearsal) use(inside contexts, home string, action *actionlint.ExecAction) status {
	name, _, _ := strings.Cut(action.Uses.Value, "@")
	workspace, artifact := home+"/workspace", func() string { return r.folder + "/artifact-" + action.Inputs["name"].Value.Value }
	switch name {
	case "actions/checkout":
		run(r.t, "cp", "-r", r.folder+"/catalogue", workspace)
	case "actions/upload-artifact":
		path := filepath.Join(workspace, inside.expand(r.t, action.Inputs["path"].Value))
		if _, err := os.Stat(path); err == nil { // else the action warns that there is nothing
			run(r.t, "cp", "-r", path, artifact())
		}
	case "actions/download-artifact":
		run(r.t, "cp", "-r", artifact(), filepath.Join(workspace, inside.expand(r.t, action.Inputs["path"].Value)))
	default:
		r.t.Fatalf("%s is not known here", name)
	}
	return success
}

// outputs reads what the steps of a job have said by GITHUB_OUTPUT.
func outputs(t *testing.T, path string) map[string]any {
	t.Helper()
	all := map[string]any{}
	if b, err := os.ReadFile(path); err == nil {
		for line := range strings.Lines(string(b)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			all[name] = value
		}
	}
	return all
}

// inForce returns the number of products that the store has in force, as a server with the public key is told.
func (r *rehearsal) inForce() int {
	r.t.Helper()
	folder := r.t.TempDir()
	run(r.t, sabine(r.t), "pull", "--snapshots", folder, "--store", "file://"+r.store, "--trust", r.contexts["vars"].(map[string]any)["SIGN_PUBLIC"].(string))
	var found struct{ Products int }
	if err := json.Unmarshal([]byte(run(r.t, sabine(r.t), "inspect", "--snapshots", folder, "--json")), &found); err != nil {
		r.t.Fatal(err)
	}
	return found.Products
}

// recorded returns what the stubs were asked.
func (r *rehearsal) recorded() string { return read(r.t, r.folder+"/record") }

func TestWorkflow(t *testing.T) {
	tests := []struct {
		rule    string
		records int
		event   func(r *rehearsal)
		build   status
		publish status
		inForce int
		comment []string // parts of it; none: nothing is commented
	}{
		{rule: "at night what was built is published", records: 95, event: func(*rehearsal) {},
			build: success, publish: success, inForce: 94},
		{rule: "a catalogue that has shrunk too much is refused, and what is in force stays", records: 60, event: func(*rehearsal) {},
			build: failure, publish: skipped, inForce: 99},
		{rule: "a person may allow more", records: 60,
			event: func(r *rehearsal) {
				r.contexts["github"].(map[string]any)["event_name"] = "workflow_dispatch"
				r.contexts["inputs"] = map[string]any{"max_drop": 50}
			},
			build: success, publish: success, inForce: 59},
		{rule: "or none at all", records: 95,
			event: func(r *rehearsal) {
				r.contexts["github"].(map[string]any)["event_name"] = "workflow_dispatch"
				r.contexts["inputs"] = map[string]any{"max_drop": 0}
			},
			build: failure, publish: skipped, inForce: 99},
		{rule: "another branch publishes nothing", records: 95,
			event: func(r *rehearsal) {
				github := r.contexts["github"].(map[string]any)
				github["event_name"], github["ref"] = "workflow_dispatch", "refs/heads/feature"
			},
			build: success, publish: skipped, inForce: 99},
		{rule: "a pull request is told what would change, and publishes nothing", records: 95,
			event: func(r *rehearsal) { r.pullRequest("example/catalogue") },
			build: success, publish: skipped, inForce: 99, comment: []string{"gh pr comment 7 ", "0 added, 5 removed, 0 changed", "products  94"}},
		{rule: "a pull request is told what the guard refuses", records: 60,
			event: func(r *rehearsal) { r.pullRequest("example/catalogue") },
			build: failure, publish: skipped, inForce: 99, comment: []string{"0 added, 40 removed", "shrank too much: from 99 to 59"}},
		{rule: "a pull request of a fork, whose token may not comment, is built all the same", records: 95,
			event: func(r *rehearsal) { r.pullRequest("somebody/fork") },
			build: success, publish: skipped, inForce: 99},
		{rule: "a release of other bytes is not run", records: 95,
			event: func(r *rehearsal) { r.env = nil },
			build: failure, publish: skipped, inForce: 99},
		{rule: "a store without a generation fails, and is not taken for one that everything is allowed in", records: 95,
			event: func(r *rehearsal) {
				r.contexts["vars"].(map[string]any)["CATALOGUE_READ"] = "file://" + r.folder + "/empty"
			},
			build: failure, publish: skipped, inForce: 99},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			r := rehearse(t, tt.records)
			tt.event(r)
			r.run()
			if got := r.inForce(); r.results["build"] != tt.build || r.results["publish"] != tt.publish || got != tt.inForce {
				t.Errorf("expected build %s, publish %s, %d products in force, got %v, %d:\n%s", tt.build, tt.publish, tt.inForce, r.results, got, &r.log)
			}
			asked := r.recorded()
			if (tt.comment != nil) != strings.Contains(asked, "gh ") {
				t.Errorf("comments: %s", asked)
			}
			for _, part := range tt.comment {
				if !strings.Contains(asked, part) {
					t.Errorf("expected a comment with %q, got %s", part, asked)
				}
			}
			if seen := asked + r.log.String(); strings.Contains(seen, signPassword) || strings.Contains(seen, read(t, r.folder+"/sign.key")) {
				t.Error("a secret was printed")
			}
		})
	}
}
