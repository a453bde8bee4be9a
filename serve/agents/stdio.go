package agents

import (
	"bufio"
	"bytes"
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

// maxLineBytes is the maximum length of a line, excluding its line feed.
const maxLineBytes = 1 << 20

// Lines returns a transport with one message per line, which agents use for programs that they start. It is
// the library's transport with a different reader and writer. Those of the library have three defects: they
// end the session at a line that is too long or is not a message, rewrite ids, and do not answer all calls
// after the end of the input. A script may send all its calls and then close the input.
func Lines(in io.Reader, out io.Writer) mcp.Transport {
	read, write := io.Pipe()
	l := &lines{out: out}
	buffered := bufio.NewReaderSize(in, maxLineBytes+1) // 1 more, for the line feed
	go func() { write.CloseWithError(l.forward(buffered, write)) }()
	return &mcp.IOTransport{Reader: read, Writer: l}
}

// lines is the reader and the writer for one session.
type lines struct {
	unanswered sync.WaitGroup

	mu      sync.Mutex
	out     io.Writer
	pending []*Message // unanswered calls, in order of arrival
}

// Close does not close the output, because it belongs to the program.
func (*lines) Close() error { return nil }

// forward reads lines and passes their messages to the library. At the end of the input, it waits until all
// calls are answered, and returns the error that ended the input.
func (l *lines) forward(in *bufio.Reader, messages io.Writer) error {
	for {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			m := &Message{id: leadingID(line)}
			l.refuse(m.Refusal(jsonrpc.CodeInvalidRequest, fmt.Sprintf("the line has more than %d bytes", maxLineBytes)))
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = in.ReadSlice('\n')
			}
		} else if line = bytes.TrimSpace(line); len(line) > 0 {
			if message := l.accept(line); message != nil {
				if _, err := messages.Write(message); err != nil {
					return err
				}
			}
		}
		if err != nil {
			l.unanswered.Wait()
			return err
		}
	}
}

// accept returns the message in a line, changed for the library. If the line is not a message, it writes an
// error response and returns nil.
func (l *lines) accept(line []byte) []byte {
	m, refusal := ParseMessage(line)
	if m == nil {
		l.refuse(refusal)
		return nil
	}
	if _, ok := m.Call(); ok {
		l.unanswered.Add(1)
		l.mu.Lock()
		l.pending = append(l.pending, m)
		l.mu.Unlock()
	} else if r, ok := m.Message.(*jsonrpc.Request); ok && r.Method == "notifications/cancelled" {
		return l.cancellation([]byte(gjson.GetBytes(r.Params, "requestId").Raw))
	}
	return append(m.Text, '\n')
}

// cancellation returns the notification that cancels the last unanswered call with a client's id, or nil if
// there is none. The notification contains the internal id, which the library knows.
func (l *lines) cancellation(id []byte) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range slices.Backward(l.pending) {
		if bytes.Equal(m.id, id) {
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`+"\n",
				m.internal)
		}
	}
	return nil
}

// Write writes a line from the library, with the client's ids.
func (l *lines) Write(line []byte) (int, error) {
	// A notification has no id, but a subscription's notification contains the id of the call in its parameters.
	text, answered := line, gjson.GetBytes(line, "id").Raw
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, m := range l.pending {
		if answered != "" && answered != string(m.internal) {
			continue
		}
		text = m.Restore(text)
		if answered != "" {
			l.pending = slices.Delete(l.pending, i, i+1)
			defer l.unanswered.Done()
			break
		}
	}
	if _, err := l.out.Write(text); err != nil {
		return 0, err
	}
	return len(line), nil
}

// refuse writes an error response. It ignores write errors: a client that stops reading also stops writing,
// which ends the input.
func (l *lines) refuse(response []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.out.Write(append(response, '\n'))
}

// leadingID returns the id at the beginning of a message, or nil if there is no complete id.
func leadingID(text []byte) []byte {
	id := gjson.GetBytes(text, "id")
	if id.Exists() && id.Index+len(id.Raw) < len(text) && json.Valid([]byte(id.Raw)) && isID([]byte(id.Raw)) {
		return []byte(id.Raw)
	}
	return nil
}
