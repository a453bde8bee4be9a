package main_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"
)

// An agent is an MCP client that has started the program.
type agent struct {
	*mcp.ClientSession
	process *exec.Cmd
	log     *logBuffer
}

// startAgent starts sabine mcp in a folder with the given protocol version.
func startAgent(t *testing.T, dir, version string) *agent {
	t.Helper()
	a := &agent{process: command{dir: dir}.process(context.Background(), t, []string{"mcp"}), log: new(logBuffer)}
	a.process.Stderr = a.log
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: a.process},
		&mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("%v: %s", err, a.log)
	}
	a.ClientSession = session
	t.Cleanup(func() { // closes standard input, which ends the program
		if err := session.Close(); err != nil || a.process.ProcessState.ExitCode() != 0 {
			t.Errorf("it ended with %v: %s", err, a.log)
		}
		checkLog(t, a.log.String())
	})
	return a
}

// found calls search_materials. It returns the number of products and the text of the answer.
func (a *agent) found(t *testing.T) (total int, text string) {
	t.Helper()
	r, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "search_materials", Arguments: map[string]any{"limit": 1}})
	if err != nil {
		t.Fatalf("%v: %s", err, a.log)
	}
	text = r.Content[0].(*mcp.TextContent).Text
	if r.IsError {
		return -1, text
	}
	return int(r.StructuredContent.(map[string]any)["total"].(float64)), text
}

func TestMCPCommand(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	for _, version := range mcp.SupportedProtocolVersions() {
		a := startAgent(t, dir, version)
		if tools, err := a.ListTools(t.Context(), nil); err != nil || len(tools.Tools) != 5 {
			t.Errorf("%s: %v, %v", version, tools, err)
		}
		if total, text := a.found(t); total < 10 {
			t.Errorf("%s: %s", version, text)
		}
		r, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_material",
			Arguments: map[string]any{"id": "akustikpaneel-fichte-40"}})
		if err != nil || r.IsError || r.StructuredContent.(map[string]any)["geometry"] == nil {
			t.Errorf("%s: the whole detail: %+v, %v", version, r, err)
		}
	}
}

func TestMCPFollowsCURRENT(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := startAgent(t, dir, "")
	if total, text := a.found(t); total != -1 || !strings.Contains(text, "run sabine build") {
		t.Errorf("without a snapshot: %d, %s", total, text)
	}
	for _, products := range []int{3, 5} {
		buildLabelled(t, dir, "Vlies", products)
		eventually(t, patience, "the new snapshot answers", func() bool {
			total, _ := a.found(t)
			return total == products
		})
	}
}

func TestMCPOnlyWritesMessagesToStandardOutput(t *testing.T) {
	t.Parallel()
	const call = `{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n"
	dir := builtFolder(t)
	r := command{dir: dir, stdin: strings.NewReader(call)}.run(t, "mcp")
	if r.status != 0 || strings.Count(r.out, "\n") != 1 ||
		gjson.Get(r.out, "result.serverInfo.name").String() != "sabine" {
		t.Errorf("got %d %s %s", r.status, r.out, r.err)
	}
	const ping = `{"jsonrpc":"2.0","id":7,"method":"ping"}` + "\n"
	if r := (command{dir: dir,
		stdin: strings.NewReader(call + ping +
			`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"search_materials"}}` +
			"\n")}).run(t, "mcp"); strings.Count(r.out, "\n") != 3 {
		t.Errorf("what is asked before the end is answered: got %s", r.out)
	}
	long := `{"jsonrpc":"2.0","id":9,"method":"` + strings.Repeat("x", 2<<20) + "\"}\n"
	r = command{dir: dir, stdin: strings.NewReader(call + long + strings.Replace(ping, "7", "7.0", 1))}.run(t, "mcp")
	if r.status != 0 || !strings.Contains(r.out, `{"jsonrpc":"2.0","id":9,"error":{"code":-32600,`) ||
		!strings.HasSuffix(r.out, `{"jsonrpc":"2.0","id":7.0,"result":{}}`+"\n") {
		t.Errorf("a long line is answered and skipped: got %d %.1000s %.300s", r.status, r.out, r.err)
	}
	if r := sabine(t, dir, "mcp", "--snapshots", filepath.Join(dir, "snapshots", current(t, dir))); r.status != 1 {
		t.Errorf("a file for a folder: got %d %s", r.status, r.err)
	}
}

func TestMCPEndsBySignal(t *testing.T) {
	t.Parallel()
	a := startAgent(t, builtFolder(t), "")
	if err := a.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := a.Wait(); err != nil {
		t.Logf("the session: %v", err)
	}
}
