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

// maxLineBytes is how long a message on a line may be.
const maxLineBytes = 1 << 20

// Lines returns a transport of messages, one a line, as agents speak to programs that they start. It is the
// library's, whose reader and writer are ours. They keep the limit of a line, the ids and the answers after
// the end of the input: alone, the library ends at a line that is too long or is not a message, writes ids
// anew, and leaves to chance which calls are answered after the end, which a script may send at once.
func Lines(in io.Reader, out io.Writer) mcp.Transport {
	read, write := io.Pipe()
	l := &lines{out: out}
	whole := bufio.NewReaderSize(in, maxLineBytes+1) // with the end of the line
	go func() { write.CloseWithError(l.pass(whole, write)) }()
	return &mcp.IOTransport{Reader: read, Writer: l}
}

// lines are both ends of one session.
type lines struct {
	calls sync.WaitGroup // without an answer

	mu      sync.Mutex
	out     io.Writer
	waiting []*Message // the same calls, in the order in which they came
}

// Close leaves the output open: it is the program's.
func (*lines) Close() error { return nil }

// pass writes the messages of lines for the library. It returns the error that ends the input, after the last
// answer to the last message.
func (l *lines) pass(in *bufio.Reader, messages io.Writer) error {
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
			l.calls.Wait()
			return err
		}
	}
}

// accept returns the message of a line as the library reads it, or answers a line that is not one.
func (l *lines) accept(line []byte) []byte {
	m, refusal := ParseMessage(line)
	if m == nil {
		l.refuse(refusal)
		return nil
	}
	if _, ok := m.Call(); ok {
		l.calls.Add(1)
		l.mu.Lock()
		l.waiting = append(l.waiting, m)
		l.mu.Unlock()
	} else if r, ok := m.Message.(*jsonrpc.Request); ok && r.Method == "notifications/cancelled" {
		return l.cancellation([]byte(gjson.GetBytes(r.Params, "requestId").Raw))
	}
	return append(m.Text, '\n')
}

// cancellation returns the notification that cancels the last call with an id that has no answer, by the id
// that the library knows; none if there is no such call.
func (l *lines) cancellation(id []byte) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range slices.Backward(l.waiting) {
		if bytes.Equal(m.id, id) {
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`+"\n", m.own)
		}
	}
	return nil
}

// Write writes a line of the library, with the ids of the client.
func (l *lines) Write(line []byte) (int, error) {
	text, answered := line, gjson.GetBytes(line, "id").Raw // "" for a notification: that of a subscription names its call
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, m := range l.waiting {
		if answered != "" && answered != string(m.own) {
			continue
		}
		text = m.Restore(text)
		if answered != "" {
			l.waiting = slices.Delete(l.waiting, i, i+1)
			defer l.calls.Done()
			break
		}
	}
	if _, err := l.out.Write(text); err != nil {
		return 0, err
	}
	return len(line), nil
}

// refuse writes an error response. A client that no longer reads will not write either, so its end is noticed
// there.
func (l *lines) refuse(response []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.out.Write(append(response, '\n'))
}

// leadingID returns the id of the beginning of a message, nil if it is not whole there.
func leadingID(text []byte) []byte {
	id := gjson.GetBytes(text, "id")
	if id.Exists() && id.Index+len(id.Raw) < len(text) && json.Valid([]byte(id.Raw)) && isID([]byte(id.Raw)) {
		return []byte(id.Raw)
	}
	return nil
}
