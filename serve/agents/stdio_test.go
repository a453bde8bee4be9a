package agents_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/serve"
	"sabine/serve/agents"
)

// TestALineThatIsNoMessageEndsNothing has lines before and behind a call that is answered all the same.
func TestALineThatIsNoMessageEndsNothing(t *testing.T) {
	t.Parallel()
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	const ping = `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	server := agents.NewServer(func(_ context.Context, work func(agents.Catalogue) error) error { return work(serve.Tools(sample, true)) }, "test")
	for _, tt := range []struct {
		rule, line string
		id, code   string // of the answer; "" for none
	}{
		{"nothing", "", "", ""},
		{"blanks", " \t\r", "", ""},
		{"the return of Windows", `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\r", "", ""},
		{"words", "this is not JSON", "null", "-32700"},
		{"half a message", `{"jsonrpc":"2.0"`, "null", "-32700"},
		{"no UTF-8", "\xff\xfe", "null", "-32700"},
		{"two messages", `{"jsonrpc":"2.0","method":"x"}{"jsonrpc":"2.0","method":"x"}`, "null", "-32700"},
		{"null", "null", "null", "-32600"},
		{"a batch", "[" + ping + "]", "null", "-32600"},
		{"another version, of which the id is known", `{"jsonrpc":"1.0","id":"a","method":"ping"}`, `"a"`, "-32600"},
		{"an id that is none", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "null", "-32600"},
	} {
		var out bytes.Buffer
		err := server.Run(t.Context(), agents.Lines(strings.NewReader(hello+"\n"+tt.line+"\n"+ping), &out))
		if err != nil {
			t.Errorf("%s: %v", tt.rule, err)
		}
		answers := map[string]string{} // codes by ids
		for line := range strings.Lines(out.String()) {
			answers[gjson.Get(line, "id").Raw] = gjson.Get(line, "error.code").Raw
		}
		want := map[string]string{"1": "", "2": ""}
		if tt.id != "" {
			want[tt.id] = tt.code
		}
		if len(answers) != len(want) {
			t.Errorf("%s: got %s", tt.rule, out.String())
		}
		for id, code := range want {
			if got, ok := answers[id]; !ok || got != code {
				t.Errorf("%s: the answer to %s has the code %q, want %q: %s", tt.rule, id, got, code, out.String())
			}
		}
	}
	if err := server.Run(t.Context(), agents.Lines(strings.NewReader(hello+"\n"+strings.Repeat("x", 2<<20)+"\n"+ping), io.Discard)); err == nil {
		t.Error("a line of 2 MiB is read")
	}
}
