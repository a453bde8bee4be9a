package serve

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// What net/http itself writes when it refuses a request before any handler sees it, a bad escape in the path or a header
// that is too large: a status line, these fields and a line of text without its end, in one write to the connection. A long
// body is written in pieces, and one may begin with anything that a client has sent or a catalogue holds. Of JSON, none has
// the end of a line in it. Of an export in rows, a piece is longer than any refusal, unless it is the last, which ends with a
// row or, in chunks, with the empty one: nothing else looks like a refusal.
var (
	refusalStart  = []byte("HTTP/1.")
	refusalFields = []byte("Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
	lineEnd       = []byte("\r\n")
	headerEnd     = []byte("\r\n\r\n")
	lastChunk     = []byte("\r\n0\r\n\r\n")
)

// maxRefusalLine is how long a refusal's status line may be.
const maxRefusalLine = 256

// maxRefusal is how long a refusal may be: net/http's reasons repeat nothing that a client has sent.
const maxRefusal = 1 << 10

// refusalReasons say why, where net/http gives no reason behind the status.
var refusalReasons = map[int]string{
	http.StatusBadRequest:                  "its first line, as by a blank or a bad escape in the address, or a field of its header is malformed",
	http.StatusExpectationFailed:           "only 100-continue is known as its Expect",
	http.StatusRequestHeaderFieldsTooLarge: fmt.Sprintf("its first line and its header have more than %d bytes", maxHeaderBytes),
	http.StatusNotImplemented:              "only chunked is known as its Transfer-Encoding",
}

// Write sends bytes to the client, and a refusal of net/http in the form of the listener.
func (c *boundedConn) Write(p []byte) (int, error) {
	status, reason := readRefusal(p)
	if status == 0 || c.listener.refusal == nil {
		return c.Conn.Write(p)
	}
	if _, err := c.Conn.Write(c.listener.refusal(status, reason)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// readRefusal returns the status of a refusal and what net/http says of its reason; 0 when the bytes are something else.
// 417 comes without text, in the fields of an answer of the API, which never has that status.
func readRefusal(p []byte) (status int, reason string) {
	line, fields, _ := bytes.Cut(p[:min(len(p), maxRefusalLine)], lineEnd)
	code, started := bytes.CutPrefix(line, refusalStart)
	if !started || len(code) < len("0 400") || len(p) > maxRefusal {
		return 0, ""
	}
	status, _ = strconv.Atoi(string(code[len("0 "):len("0 400")])) // 0 where there is no number
	bare := status == http.StatusExpectationFailed && bytes.HasSuffix(p, headerEnd) && !bytes.HasSuffix(p, lastChunk)
	text := bytes.HasPrefix(fields, refusalFields) && !bytes.HasSuffix(p, lineEnd)
	if !bare && !text {
		return 0, ""
	}
	_, said, _ := bytes.Cut(code, []byte(": "))
	return status, string(said)
}

// refusal is the response to a request that net/http could not read: the error object, and the fields that every
// response of the API carries.
func (s *Server) refusal(status int, reason string) []byte {
	if reason == "" {
		reason = refusalReasons[status]
	}
	p := problem{invalidRequest, "the server cannot read the request: " + reason}
	body := p.appendTo(nil)
	h := http.Header{}
	s.sign(h, newID())
	budget := s.limits.Full(time.Now())
	budget.Header(h)
	h["Cache-Control"] = cacheError
	h["Content-Type"] = applicationJSON
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	h["Connection"] = closes
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	_ = h.Write(&b) // a buffer takes everything
	fmt.Fprintf(&b, "\r\n%s", body)
	return b.Bytes()
}
