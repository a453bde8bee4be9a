package agents

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLineBytes is how long a message on a line may be.
const maxLineBytes = 1 << 20

// Lines returns a transport of messages, one a line, as agents speak to programs that they start. When what comes in has
// ended, what was asked is still answered, which the library alone leaves to chance: a script may close its end at once.
func Lines(in io.Reader, out io.Writer) mcp.Transport {
	return lines{mcp.IOTransport{Reader: io.NopCloser(in), Writer: unclosed{out}, MaxLineLength: maxLineBytes}}
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

// An unclosed writer is not closed by who writes to it.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
