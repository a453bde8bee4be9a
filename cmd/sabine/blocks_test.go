package main_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestCommandsOfREADME runs the sh blocks of README.md, and of the pages that require its server, in a new
// copy of the tree. A block that starts another server stops the previous server.
func TestCommandsOfREADME(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := exec.Command("sh", "-c", `git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "$0"`, dir)
	files.Dir = root
	if out, err := files.CombinedOutput(); err != nil {
		t.Skipf("not tested without git: %v\n%s", err, out)
	}
	blocks := blocksOf(readFile(t, "../../README.md"))
	blocks = append(blocks, block{commands: "bin/sabine build --sample\n"})
	for _, name := range []string{"api", "search", "agents"} {
		blocks = append(blocks, blocksOf(readFile(t, "../../docs/"+name+".md"))...)
	}
	for i := range blocks {
		text := strings.ReplaceAll(blocks[i].commands, "make test", "make -n test") // make test would run this test
		blocks[i].commands = regexp.MustCompile(`(?m)^(make run|bin/sabine serve) `).ReplaceAllString(text, "start $0")
	}
	runBlocks(t, dir, `
curl() { command curl -fsS "$@"; }
start() {
	[ -z "${server:-}" ] || { kill "$server"; wait "$server" || true; }
	"$@" & server=$!
	until bin/sabine health --ready; do kill -0 "$server"; sleep 0.2; done
}
`, blocks)
}

// TestWalkthrough runs the walkthrough in docs/operations.md in an empty folder, with the program in PATH.
func TestWalkthrough(t *testing.T) {
	for _, program := range []string{"minisign", "openssl", "curl", "redis-server"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("not tested without %s: %v", program, err)
		}
	}
	_, page, _ := strings.Cut(readFile(t, "../../docs/operations.md"), "\n## Walkthrough")
	page, _, _ = strings.Cut(page, "\n## ")
	blocks := blocksOf(page)
	if len(blocks) < 12 {
		t.Fatalf("found %d blocks", len(blocks))
	}
	runBlocks(t, t.TempDir(), "", blocks)
}

// A block is an sh block in a page, with the following text block, which contains lines of the output.
type block struct{ commands, prints string }

func blocksOf(page string) []block {
	var blocks []block
	for _, m := range regexp.MustCompile("(?ms)^```(sh|text)\n(.*?)^```$").FindAllStringSubmatch(page, -1) {
		switch last := len(blocks) - 1; {
		case m[1] == "sh":
			blocks = append(blocks, block{commands: m[2]})
		case last >= 0:
			blocks[last].prints += m[2]
		}
	}
	return blocks
}

// runBlocks runs blocks in one shell, after the commands in begin, and compares their output. It replaces the
// ports in the pages with free ports.
func runBlocks(t *testing.T, dir, begin string, blocks []block) {
	t.Helper()
	api, admin, counters := freeTens(t), freeTens(t), freeTens(t)
	ports := strings.NewReplacer(":808", ":"+api, ":909", ":"+admin, ":6379", ":"+counters+"0",
		"--port 6379", "--port "+counters+"0")
	const mark = "== block "
	var script strings.Builder
	script.WriteString("set -eu\ntrap 'kill $(jobs -p) 2>/dev/null; wait' EXIT\n" + begin)
	for i, b := range blocks {
		// The mark must be on a new line, even after a response without a newline at the end.
		fmt.Fprintf(&script, "printf '\\n%s%d\\n'\n%s", mark, i, ports.Replace(b.commands))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute) // a command can wait for a failed server
	defer cancel()
	shell := exec.CommandContext(ctx, "bash", "-c", script.String())
	shell.Dir = dir
	shell.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "SABINE_") }),
		"PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"),
		"SABINE_ADDR=127.0.0.1:"+api+"0", "SABINE_ADMIN_ADDR=127.0.0.1:"+admin+"0")
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	shell.Cancel = func() error { return syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) }
	shell.WaitDelay = 20 * time.Second
	printed, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	_, rest, _ := strings.Cut(string(printed), mark)
	for i, text := range strings.Split(rest, "\n"+mark) {
		lines := strings.Split(withoutFigures(text), "\n")
		for line := range strings.Lines(withoutFigures(blocks[i].prints)) {
			at := slices.Index(lines, strings.TrimSuffix(line, "\n"))
			if at < 0 {
				t.Errorf("%s does not print, after the lines before it, %q:\n%s", blocks[i].commands, line, text)
				break
			}
			lines = lines[at+1:]
		}
	}
}

// withoutFigures replaces hashes, times, large numbers, decimals, file addresses and what is left of a budget
// of 60 requests with fixed text, because they differ between runs. It also merges blanks.
func withoutFigures(text string) string {
	text = regexp.MustCompile(`file://\S+|Remaining: 5\d|\d{4}-\d\d-\d\dT\S+|[0-9a-f]{8,}|\d{5,}|\d+\.\d+`).ReplaceAllString(text, "#")
	return regexp.MustCompile(` +`).ReplaceAllString(strings.ReplaceAll(text, "\r", ""), " ")
}

// freeTens returns all but the last digit of four free ports, whose last digits are 0 to 3.
func freeTens(t *testing.T) string {
	t.Helper()
next:
	for {
		tens := fmt.Sprint(1000 + rand.IntN(2000))
		for _, last := range "0123" {
			l, err := net.Listen("tcp", "127.0.0.1:"+tens+string(last))
			if err != nil {
				continue next
			}
			_ = l.Close()
		}
		return tens
	}
}
