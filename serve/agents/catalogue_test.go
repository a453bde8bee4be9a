package agents_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/snapshot"
	"sabine/runtime"
	"sabine/serve"
	"sabine/serve/agents"
)

// sample is the sample catalogue, compiled once.
var sample *runtime.Generation

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "sabine-agents-")
	if err == nil {
		defer os.RemoveAll(dir)
		sample, err = open(dir, dataset.Sample())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer sample.Close()
	return m.Run()
}

// open compiles records into a folder and opens them.
func open(dir string, inputs []dataset.Input) (*runtime.Generation, error) {
	folder := snapshot.Folder{Dir: dir}
	if _, err := compiler.Build(context.Background(), compiler.Options{Folder: folder, Inputs: inputs}); err != nil {
		return nil, err
	}
	name, err := folder.Current()
	if err != nil {
		return nil, err
	}
	return runtime.Open(context.Background(), folder.Path(name))
}

// compiled returns a catalogue with the given records, one per line.
func compiled(t *testing.T, records string) *runtime.Generation {
	t.Helper()
	g, err := open(t.TempDir(), []dataset.Input{{Name: "records.ndjson", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(records)), nil
	}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	return g
}

// A session is a client that is connected to a server with the tools.
type session struct{ *mcp.ClientSession }

// connect returns a session for a generation. full means that the client may see data that needs a key.
func connect(t testing.TB, g *runtime.Generation, full bool) session {
	t.Helper()
	source := func(_ context.Context, work func(agents.Catalogue) error) error { return work(serve.Tools(g, full)) }
	here, there := mcp.NewInMemoryTransports()
	server, err := agents.NewServer(source, "test").Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Close()
		_ = server.Wait()
	})
	return session{client}
}

// compact marshals a value like the server, without unnecessary escapes.
func compact(t testing.TB, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// call calls a tool with arguments in JSON and returns its answer.
func (s session) call(t testing.TB, tool, arguments string) (structured gjson.Result, text string, failed bool) {
	t.Helper()
	r, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	return gjson.ParseBytes(compact(t, r.StructuredContent)), r.Content[0].(*mcp.TextContent).Text, r.IsError
}
