package agents

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A Message is a JSON-RPC message of a client in the form that the library takes. The library decodes the
// number of an id into an int64, so the message carries an id of its own, and Restore puts the client's id
// into the answer byte for byte.
type Message struct {
	jsonrpc.Message
	Text []byte          // that Message was decoded from
	id   json.RawMessage // as the client wrote it; nil if the message has none
	own  json.RawMessage // a random text, so that it occurs nowhere else in an answer
}

// ParseMessage decodes a message. If the text is not a message, it returns the error response instead: -32700
// if the text is not JSON, else -32600. Of members that occur twice the last one counts, as in the library.
func ParseMessage(text []byte) (m *Message, refusal []byte) {
	m = &Message{own: fmt.Appendf(nil, "%q", rand.Text())}
	var members map[string]json.RawMessage
	err := json.Unmarshal(text, &members)
	switch {
	case !utf8.Valid(text):
		return nil, m.Refusal(jsonrpc.CodeParseError, "the message is not UTF-8")
	case !json.Valid(text):
		return nil, m.Refusal(jsonrpc.CodeParseError, "the message is not JSON")
	case bytes.HasPrefix(bytes.TrimSpace(text), []byte{'['}):
		return nil, m.Refusal(jsonrpc.CodeInvalidRequest, "batches are not supported: send each message by itself")
	case err != nil || members == nil:
		return nil, m.Refusal(jsonrpc.CodeInvalidRequest, "the message is not an object")
	}
	if id, ok := members["id"]; ok {
		if !isID(id) {
			return nil, m.Refusal(jsonrpc.CodeInvalidRequest, "the id is neither a string nor a number")
		}
		m.id, members["id"] = id, m.own
	}
	method, ok := members["method"]
	if ok && method[0] != '"' || !ok && members["result"] == nil && members["error"] == nil {
		return nil, m.Refusal(jsonrpc.CodeInvalidRequest, "the message has no method that is a string")
	}
	if m.Text, err = json.Marshal(members); err == nil {
		m.Message, err = jsonrpc.DecodeMessage(m.Text)
	}
	if err != nil {
		return nil, m.Refusal(jsonrpc.CodeInvalidRequest, "the message is not JSON-RPC 2.0: "+clip(err.Error(), maxText))
	}
	return m, nil
}

// isID reports whether a value may be an id. JSON-RPC advises against fractions, and the protocol forbids
// null.
func isID(value json.RawMessage) bool { return strings.IndexByte(`"-0123456789`, value[0]) >= 0 }

// Call returns the method that the message calls; ok is false for a notification and a response.
func (m *Message) Call() (method string, ok bool) {
	r, ok := m.Message.(*jsonrpc.Request)
	if !ok || !r.IsCall() {
		return "", false
	}
	return r.Method, true
}

// Restore puts the client's id into what the library wrote about the message. An error without a code becomes
// -32600.
func (m *Message) Restore(text []byte) []byte {
	const uncoded, coded = `,"error":{"code":0,`, `,"error":{"code":-32600,`
	text = bytes.Replace(text, []byte(string(m.own)+uncoded), []byte(string(m.own)+coded), 1)
	return bytes.ReplaceAll(text, m.own, m.id)
}

// Refusal returns the error response to the message. The id is not marshalled, which would escape characters
// of HTML in it.
func (m *Message) Refusal(code int, reason string) []byte {
	id := "null"
	if m.id != nil {
		id = string(m.id)
	}
	text, _ := json.Marshal(reason) // a text always has a form in JSON
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, text)
}
