package agents

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"
)

// maxLineBytes is how long a message on a line may be.
const maxLineBytes = 1 << 20

// Lines returns a transport of messages, one a line, as agents speak to programs that they start. When what comes in has
// ended, what was asked is still answered, which the library alone leaves to chance: a script may close its end at once. A
// line that is no message is answered and passed over, where the library would end.
func Lines(in io.Reader, out io.Writer) mcp.Transport {
	to := &shared{Writer: out}
	from := &messages{lines: bufio.NewReaderSize(in, maxLineBytes), out: to}
	return lines{mcp.IOTransport{Reader: io.NopCloser(from), Writer: to, MaxLineLength: -1}} // from has its own
}

type lines struct{ mcp.IOTransport }

func (t lines) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.IOTransport.Connect(ctx)
	return &patient{Connection: c, waiting: map[jsonrpc.ID]bool{}, closed: make(chan struct{})}, err
}

// A patient connection ends when every call has its answer.
type patient struct {
	mcp.Connection
	mu      sync.Mutex
	waiting map[jsonrpc.ID]bool // calls without an answer
	last    chan struct{}       // closed behind the last answer; nil while more may come in
	closed  chan struct{}
	close   sync.Once
}

func (p *patient) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := p.Connection.Read(ctx)
	p.mu.Lock()
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		p.waiting[r.ID] = true
	}
	var last chan struct{}
	if errors.Is(err, io.EOF) && len(p.waiting) > 0 {
		last = make(chan struct{})
		p.last = last
	}
	p.mu.Unlock()
	if last != nil {
		select {
		case <-last:
		case <-p.closed:
		case <-ctx.Done():
		}
	}
	return m, err
}

func (p *patient) Write(ctx context.Context, m jsonrpc.Message) error {
	err := p.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		p.mu.Lock()
		defer p.mu.Unlock()
		if delete(p.waiting, r.ID); p.last != nil && len(p.waiting) == 0 {
			close(p.last)
			p.last = nil
		}
	}
	return err
}

func (p *patient) Close() error {
	p.close.Do(func() { close(p.closed) })
	return p.Connection.Close()
}

// messages reads the lines that are messages, and answers the others.
type messages struct {
	lines *bufio.Reader
	out   io.Writer
	line  []byte // what is left of the last one
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.line) == 0 {
		line, err := m.lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return 0, fmt.Errorf("a line has more than %d bytes", maxLineBytes)
		}
		switch line = bytes.TrimSpace(line); {
		case len(line) == 0:
			if err != nil {
				return 0, err
			}
		case !m.refuses(line):
			m.line = append(bytes.Clone(line), '\n')
		}
	}
	n := copy(p, m.line)
	m.line = m.line[n:]
	return n, nil
}

// refuses answers a line that is no message, by its id where it has one, so that nobody waits for an answer to it.
func (m *messages) refuses(line []byte) bool {
	code, reason, id := jsonrpc.CodeInvalidRequest, "", "null"
	if !utf8.Valid(line) || !json.Valid(line) {
		code, reason = jsonrpc.CodeParseError, "the line is no JSON"
	} else if line[0] == '[' {
		reason = "batches are not taken: send each message by itself"
	} else if _, err := jsonrpc.DecodeMessage(line); err != nil {
		reason = "the line is no message of JSON-RPC 2.0: " + clip(err.Error(), maxText)
		if given := gjson.GetBytes(line, "id"); given.Type == gjson.String || given.Type == gjson.Number {
			id = given.Raw
		}
	} else {
		return false
	}
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "error": map[string]any{"code": code, "message": reason}})
	if err != nil {
		panic(err) // texts, and a number that was JSON
	}
	_, _ = m.out.Write(append(answer, '\n')) // who does not listen will not ask again
	return true
}

// A shared writer takes one line at a time, and is not closed by who writes to it.
type shared struct {
	io.Writer
	mu sync.Mutex
}

func (s *shared) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Writer.Write(line)
}

func (*shared) Close() error { return nil }
