package agents_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"sabine/serve"
	"sabine/serve/agents"
)

// hello is the message that begins a session. Its id is 1.
const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// maxLine is the maximum length of a line in bytes, excluding its line feed.
const maxLine = 1 << 20

// A call after an invalid line is answered.
func TestAnInvalidLineDoesNotEndTheSession(t *testing.T) {
	t.Parallel()
	const ping = `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	server := agents.NewServer(func(_ context.Context, work func(agents.Catalogue) error) error {
		return work(serve.Tools(sample, true))
	}, "test")
	for _, tt := range []struct {
		rule, line string
		id, code   string // expected in the response; "" for no response
	}{
		{"nothing", "", "", ""},
		{"blanks", " \t\r", "", ""},
		{"a carriage return", `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\r", "", ""},
		{"words", "this is not JSON", "null", "-32700"},
		{"half a message", `{"jsonrpc":"2.0"`, "null", "-32700"},
		{"invalid UTF-8", "\xff\xfe", "null", "-32700"},
		{"two messages", `{"jsonrpc":"2.0","method":"x"}{"jsonrpc":"2.0","method":"x"}`, "null", "-32700"},
		{"null", "null", "null", "-32600"},
		{"a batch", "[" + ping + "]", "null", "-32600"},
		{"another version, with an id", `{"jsonrpc":"1.0","id":"a","method":"ping"}`, `"a"`, "-32600"},
		{"an invalid id", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "null", "-32600"},
		{"an unknown method", `{"jsonrpc":"2.0","id":3,"method":"nonsense"}`, "3", "-32601"},
		{"every error has a code", `{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":7}}`, "3",
			"-32600"},
		{"a line of the maximum length", long(`{"jsonrpc":"2.0","method":"notifications/initialized"`, maxLine), "", ""},
		{"a line that is one byte too long", long(`{"jsonrpc":"2.0","method":"notifications/initialized"`, maxLine+1), "null", "-32600"},
		{"a long line that begins with its id", long(`{"jsonrpc":"2.0","id":"a\u0062","method":"ping"`, 5*maxLine), `"a\u0062"`,
			"-32600"},
		{"a long line with an incomplete id", `{"id":` + strings.Repeat("1", 2*maxLine) + "}", "null", "-32600"},
		{"a long line with an invalid id", long(`{"id":[]`, 2*maxLine), "null", "-32600"},
		{"a long line with an id that is not JSON", long(`{"id":1x2`, 2*maxLine), "null", "-32600"},
		{"a long line that is not a message", strings.Repeat("x", 2*maxLine), "null", "-32600"},
	} {
		var out bytes.Buffer
		err := server.Run(t.Context(), agents.Lines(strings.NewReader(hello+"\n"+tt.line+"\n"+ping), &out))
		if err != nil {
			t.Errorf("%s: %v", tt.rule, err)
		}
		answers := map[string]string{} // error codes by id
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
	var out bytes.Buffer
	if err := server.Run(t.Context(), agents.Lines(strings.NewReader(hello+"\n"+long(`{"id":5`, 2*maxLine)),
		&out)); err != nil || !strings.Contains(out.String(), `"id":5,"error":{"code":-32600,`) {
		t.Errorf("a long last line without an end: %v: %s", err, out.String())
	}
}

func TestAnUnreadableResourceIsAnInternalError(t *testing.T) {
	t.Parallel()
	server := agents.NewServer(func(context.Context, func(agents.Catalogue) error) error {
		return errors.New("no catalogue is loaded")
	}, "test")
	const read = `{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"sabine://catalogue"}}`
	var out bytes.Buffer
	if err := server.Run(t.Context(), agents.Lines(strings.NewReader(hello+"\n"+read), &out)); err != nil {
		t.Fatal(err)
	}
	if want := `"id":2,"error":{"code":-32603,"message":"no catalogue is loaded"}`; !strings.Contains(out.String(), want) {
		t.Errorf("got %s, want %s", out.String(), want)
	}
}

// long inserts spaces before the end of an object until it has the given length.
func long(object string, length int) string {
	return object + strings.Repeat(" ", length-len(object)-1) + "}"
}

// A line of 1 GiB is read without allocating memory for it.
func TestAnEndlessLineNeedsNoMemory(t *testing.T) {
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	server := agents.NewServer(nil, "test")
	if err := server.Run(t.Context(), agents.Lines(io.MultiReader(strings.NewReader(hello+"\n"),
		io.LimitReader(blanks{}, 1<<30)), io.Discard)); err != nil {
		t.Error(err)
	}
	goruntime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 16<<20 {
		t.Errorf("%d bytes were allocated", got)
	}
}

type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// A lineSession is a session over lines. Its source reports each call and waits for release.
type lineSession struct {
	in      *io.PipeWriter
	out     *bufio.Scanner
	called  chan context.Context // contexts of the calls that reached the source
	release chan struct{}
}

func newLineSession(t *testing.T) *lineSession {
	in, write := io.Pipe()
	read, out := io.Pipe()
	k := &lineSession{write, bufio.NewScanner(read), make(chan context.Context), make(chan struct{})}
	server := agents.NewServer(func(ctx context.Context, _ func(agents.Catalogue) error) error {
		k.called <- ctx
		select {
		case <-k.release:
			return errors.New("released")
		case <-ctx.Done():
			return ctx.Err()
		}
	}, "test")
	ended := make(chan error)
	go func() {
		ended <- server.Run(context.WithoutCancel(t.Context()), agents.Lines(in, out))
		_ = out.Close()
	}()
	t.Cleanup(func() {
		close(k.release)
		_ = write.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	k.send(t, hello)
	k.answer(t)
	return k
}

func (k *lineSession) send(t *testing.T, line string) {
	t.Helper()
	if _, err := io.WriteString(k.in, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

func (k *lineSession) answer(t *testing.T) string {
	t.Helper()
	if !k.out.Scan() {
		t.Fatalf("no answer: %v", k.out.Err())
	}
	return k.out.Text()
}

// call returns the message that calls a tool.
func call(id string) string {
	return `{"jsonrpc":"2.0","id":` + id +
		`,"method":"tools/call","params":{"name":"get_material","arguments":{"id":"x"}}}`
}

// Each id is used by two concurrent calls. Decoding as numbers would change many of the ids.
func TestIDsOfLinesComeBackUnchanged(t *testing.T) {
	t.Parallel()
	k := newLineSession(t)
	for _, id := range []string{`1`, `1.0`, `1e3`, `-0`, `0.1`, `9007199254740993`, `1E400`,
		`123456789012345678901234567890`, `"1"`, `"\u0031"`, `"<&>"`} {
		for range 2 {
			k.send(t, call(id))
			<-k.called
		}
		for range 2 {
			k.release <- struct{}{}
			if got, want := k.answer(t), `{"jsonrpc":"2.0","id":`+id+`,"result":{`; !strings.HasPrefix(got, want) {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	}
}

// The library would treat the ids of these calls as equal.
func TestACancellationReachesItsCall(t *testing.T) {
	t.Parallel()
	k := newLineSession(t)
	ids := []string{`7`, `7.0`, `"7"`, `7e0`}
	calls := map[string]context.Context{}
	for _, id := range ids {
		k.send(t, call(id))
		calls[id] = <-k.called
	}
	k.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":70}}`) // an unknown id
	for i, id := range ids {
		k.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"enough","requestId":`+id+`}}`)
		select {
		case <-calls[id].Done():
		case <-time.After(10 * time.Second):
			t.Fatalf("the call %s goes on", id)
		}
		if got, want := k.answer(t), `{"jsonrpc":"2.0","id":`+id+`,`; !strings.HasPrefix(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
		for _, other := range ids[i+1:] {
			if err := calls[other].Err(); err != nil {
				t.Errorf("the cancellation of %s ends %s: %v", id, other, err)
			}
		}
	}
}

// FuzzParseMessage parses random texts: the result is a message or a JSON-RPC error.
func FuzzParseMessage(f *testing.F) {
	for _, seed := range []string{
		hello, "", "[]", "7", `{"id":1`, `{"jsonrpc":"2.0","id":1E400,"method":"ping"}`,
		`{"id":1,"jsonrpc":"2.0","\u0069d":"\ud800","method":""}`,
		`{"jsonrpc":"2.0","id":{},"method":null}`, `{"jsonrpc":"2.0","id":null,"result":null}`, "{\"id\":\"\xff\"}",
		strings.Repeat(`{"params":`, 2000),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, refusal := agents.ParseMessage(text)
		if m == nil {
			if code := gjson.GetBytes(refusal, "error.code").Int(); !gjson.ValidBytes(refusal) || code != -32700 &&
				code != -32600 {
				t.Errorf("%q: got %s", text, refusal)
			}
			return
		}
		if answer := m.Refusal(-32601, "x"); !gjson.ValidBytes(answer) || !gjson.ValidBytes(m.Text) {
			t.Errorf("%q: got %s of %s", text, answer, m.Text)
		}
	})
}
