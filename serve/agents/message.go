package agents

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/tidwall/gjson"
)

// A Message is a JSON-RPC message of a client in the form that the library takes. The library decodes the
// number of an id into an int64, so the message carries an id of its own, and Restore puts the client's id
// into the answer byte for byte.
type Message struct {
	jsonrpc.Message
	Text []byte // that Message was decoded from
	id   []byte // as the client wrote it; nil if the message has none
	own  string // random, so that it occurs nowhere else in an answer
}

// ParseMessage decodes a message. If the text is not a message, it returns the error response instead: -32700
// if the text is not JSON, else -32600. Of members that occur twice the last one counts, as in the library.
func ParseMessage(text []byte) (m *Message, refusal []byte) {
	m = &Message{own: rand.Text()}
	object := gjson.ParseBytes(text)
	switch {
	case !utf8.Valid(text):
		return nil, m.Refusal(jsonrpc.CodeParseError, "the message is not UTF-8")
	case !json.Valid(text):
		return nil, m.Refusal(jsonrpc.CodeParseError, "the message is not JSON")
	case object.IsArray():
		return nil, m.Refusal(jsonrpc.CodeInvalidRequest, "batches are not supported: send each message by itself")
	case !object.IsObject():
		return nil, m.Refusal(jsonrpc.CodeInvalidRequest, "the message is not an object")
	}
	last := map[string]gjson.Result{} // members by name
	m.Text = []byte{'{'}
	object.ForEach(func(key, value gjson.Result) bool {
		last[key.Str] = value
		if len(m.Text) > 1 {
			m.Text = append(m.Text, ',')
		}
		m.Text = append(append(m.Text, key.Raw...), ':')
		if key.Str == "id" {
			m.Text = append(m.Text, m.quoted()...)
		} else {
			m.Text = append(m.Text, value.Raw...)
		}
		return true
	})
	id, method := last["id"], last["method"]
	if id.Exists() && !isID(id) {
		return nil, m.Refusal(jsonrpc.CodeInvalidRequest, "the id is neither a string nor a number")
	}
	if id.Exists() {
		m.id = []byte(id.Raw)
	}
	if method.Type != gjson.String && (method.Exists() || !last["result"].Exists() && !last["error"].Exists()) {
		return nil, m.Refusal(jsonrpc.CodeInvalidRequest, "the message has no method that is a string")
	}
	m.Text = append(m.Text, '}')
	var err error
	if m.Message, err = jsonrpc.DecodeMessage(m.Text); err != nil {
		return nil, m.Refusal(jsonrpc.CodeInvalidRequest, "the message is not JSON-RPC 2.0: "+clip(err.Error(), maxText))
	}
	return m, nil
}

// isID reports whether a value may be an id. JSON-RPC advises against fractions, and the protocol forbids
// null.
func isID(v gjson.Result) bool { return v.Type == gjson.String || v.Type == gjson.Number }

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
	text = bytes.Replace(text, append(m.quoted(), uncoded...), append(m.quoted(), coded...), 1)
	return bytes.ReplaceAll(text, m.quoted(), m.id)
}

func (m *Message) quoted() []byte { return []byte(`"` + m.own + `"`) }

// Refusal returns the error response to the message. The id is not marshalled, which would escape characters
// of HTML in it.
func (m *Message) Refusal(code int, reason string) []byte {
	id := "null"
	if m.id != nil {
		id = string(m.id)
	}
	text, err := json.Marshal(reason)
	if err != nil {
		panic(err) // a string
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, text)
}
