package agents

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"
)

// maxLineBytes is how long a message on a line may be.
const maxLineBytes = 1 << 20

// Lines returns a transport of messages, one a line, as agents speak to programs that they start. After the
// end of the input every call is still answered, which the library alone leaves to chance: a script may close
// its end at once. A line that is not a message, or is too long, is answered and skipped, where the library
// would end.
func Lines(in io.Reader, out io.Writer) mcp.Transport { return &lines{in, out} }

type lines struct {
	in  io.Reader
	out io.Writer
}

func (t *lines) Connect(context.Context) (mcp.Connection, error) {
	c := &connection{out: t.out, received: make(chan jsonrpc.Message), failed: io.EOF, closed: make(chan struct{})}
	go c.receive(bufio.NewReaderSize(t.in, maxLineBytes+1)) // with the end of the line
	return c, nil
}

// A connection is one session over lines.
type connection struct {
	received chan jsonrpc.Message // closed after the last answer to the last message
	failed   error                // why nothing follows; set before received is closed
	closed   chan struct{}
	close    sync.Once
	calls    sync.WaitGroup // without an answer

	mu      sync.Mutex
	out     io.Writer
	waiting []*Message // the same calls, in the order in which they came
}

func (*connection) SessionID() string { return "" }

func (c *connection) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}

// Read returns the next message.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m, ok := <-c.received:
		if !ok {
			return nil, c.failed
		}
		return m, nil
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// receive reads messages until the input ends or the connection is closed.
func (c *connection) receive(in *bufio.Reader) {
	defer close(c.received)
	for {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			m := &Message{id: leadingID(line)}
			_ = c.send(m.Refusal(jsonrpc.CodeInvalidRequest, fmt.Sprintf("the line has more than %d bytes", maxLineBytes)))
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = in.ReadSlice('\n')
			}
		} else if line = bytes.TrimSpace(line); len(line) > 0 && !c.deliver(line) {
			return
		}
		if err != nil {
			c.failed = err
			c.calls.Wait()
			return
		}
	}
}

// deliver hands a message on, or answers a line that is not one. It reports whether the connection is still
// open.
func (c *connection) deliver(line []byte) bool {
	m, refusal := ParseMessage(line)
	if m == nil {
		_ = c.send(refusal)
		return true
	}
	if _, ok := m.Call(); ok {
		c.calls.Add(1)
		c.mu.Lock()
		c.waiting = append(c.waiting, m)
		c.mu.Unlock()
	} else if r, ok := m.Message.(*jsonrpc.Request); ok && r.Method == "notifications/cancelled" {
		c.redirect(r)
	}
	select {
	case c.received <- m.Message:
		return true
	case <-c.closed:
		return false
	}
}

// redirect makes a cancellation name the call as the library knows it: the last one with this id that has no
// answer.
func (c *connection) redirect(r *jsonrpc.Request) {
	id := []byte(gjson.GetBytes(r.Params, "requestId").Raw)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range slices.Backward(c.waiting) {
		if bytes.Equal(m.id, id) {
			r.Params = fmt.Appendf(nil, `{"requestId":%s}`, m.quoted())
			return
		}
	}
}

// Write sends a message of the library.
func (c *connection) Write(_ context.Context, message jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	response, answers := message.(*jsonrpc.Response)
	c.mu.Lock()
	for i, m := range c.waiting {
		if answers && response.ID.Raw() != m.own {
			continue
		}
		text = m.Restore(text) // a notification too: that of a subscription names its call
		if answers {
			c.waiting = slices.Delete(c.waiting, i, i+1)
			defer c.calls.Done()
			break
		}
	}
	c.mu.Unlock()
	return c.send(text)
}

// send writes a line.
func (c *connection) send(text []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.out.Write(append(text, '\n'))
	return err
}

// leadingID returns the id of the beginning of a message, nil if there is none before the first member that
// does not end.
func leadingID(text []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(text))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil
	}
	for {
		name, err := d.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil
		}
		if name == "id" {
			if whole := d.InputOffset() < int64(len(text)); whole && isID(gjson.ParseBytes(value)) {
				return value
			}
			return nil
		}
	}
}
