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

// A Message is a client's JSON-RPC message, changed for the library. The library decodes numeric ids into
// int64, which can change them. Therefore Message has an internal id, and Restore replaces it by the client's
// id in the response, byte for byte.
type Message struct {
	jsonrpc.Message
	Text     []byte          // JSON of the message, with the internal id
	id       json.RawMessage // the id as the client wrote it; nil if there is none
	internal json.RawMessage // a random string that occurs nowhere else in the response
}

// ParseMessage decodes a message. If the text is not a message, it returns the error response: -32700 if the
// text is not JSON, and otherwise -32600. The last of duplicate members is used, as in the library.
func ParseMessage(text []byte) (m *Message, refusal []byte) {
	m = &Message{internal: fmt.Appendf(nil, "%q", rand.Text())}
	var members map[string]json.RawMessage
	err := json.Unmarshal(text, &members)
	switch {
	case !utf8.Valid(text):
		return nil, m.Refusal(jsonrpc.CodeParseError, "the message is not UTF-8")
	case !json.Valid(text):
		return nil, m.Refusal(jsonrpc.CodeParseError, "the message is not JSON")
	case bytes.HasPrefix(bytes.TrimSpace(text), []byte{'['}):
		return nil, m.Refusal(jsonrpc.CodeInvalidRequest, "batches are unsupported: send each message separately")
	case err != nil || members == nil:
		return nil, m.Refusal(jsonrpc.CodeInvalidRequest, "the message is not an object")
	}
	if id, ok := members["id"]; ok {
		if !isID(id) {
			return nil, m.Refusal(jsonrpc.CodeInvalidRequest, "the id is neither a string nor a number")
		}
		m.id, members["id"] = id, m.internal
	}
	method, isRequest := members["method"]
	isResponse := members["result"] != nil || members["error"] != nil
	if isRequest && method[0] != '"' || !isRequest && !isResponse {
		return nil, m.Refusal(jsonrpc.CodeInvalidRequest, "the method is missing or not a string")
	}
	if m.Text, err = json.Marshal(members); err == nil {
		m.Message, err = jsonrpc.DecodeMessage(m.Text)
	}
	if err != nil {
		return nil, m.Refusal(jsonrpc.CodeInvalidRequest, "the message is not JSON-RPC 2.0: "+clip(err.Error(), maxText))
	}
	return m, nil
}

// isID reports whether a value is a valid id: a string or a number. JSON-RPC discourages fractions but allows
// them. The Model Context Protocol forbids null.
func isID(value json.RawMessage) bool { return strings.IndexByte(`"-0123456789`, value[0]) >= 0 }

// Call returns the method that the message calls. ok is false for a notification or a response.
func (m *Message) Call() (method string, ok bool) {
	r, ok := m.Message.(*jsonrpc.Request)
	if !ok || !r.IsCall() {
		return "", false
	}
	return r.Method, true
}

// Restore inserts the client's id into the library's response to the message. If the response is an error
// without a code, it inserts the code -32600.
func (m *Message) Restore(text []byte) []byte {
	const uncoded, coded = `,"error":{"code":0,`, `,"error":{"code":-32600,`
	text = bytes.Replace(text, []byte(string(m.internal)+uncoded), []byte(string(m.internal)+coded), 1)
	return bytes.ReplaceAll(text, m.internal, m.id)
}

// Refusal returns an error response to the message. The id is copied, because json.Marshal would escape <, >
// and & in it.
func (m *Message) Refusal(code int, reason string) []byte {
	id := "null"
	if m.id != nil {
		id = string(m.id)
	}
	text, _ := json.Marshal(reason) // never fails for a string
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, text)
}
