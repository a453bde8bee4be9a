package serve

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// What net/http itself writes when it refuses a request before any handler sees it, a bad escape in the path or a header
// that is too large: a status line, these fields and a line of text, in one write to the connection.
var (
	refusalStart  = []byte("HTTP/1.1 ")
	refusalFields = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
)

// maxRefusalStatus is how long a refusal's status line may be.
const maxRefusalStatus = 256

// Write sends bytes to the client, and a refusal of net/http in the form of the API.
func (c *sweptConn) Write(p []byte) (int, error) {
	if !bytes.HasPrefix(p, refusalStart) || !bytes.Contains(p[:min(len(p), maxRefusalStatus)], refusalFields) {
		return c.Conn.Write(p)
	}
	status, text, _ := bytes.Cut(p[len(refusalStart):bytes.Index(p, refusalFields)], []byte(" "))
	if _, err := c.Conn.Write(c.listener.refusal(string(status), string(text))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// refusal is the response to a request that net/http could not read: the error object, and the fields that every
// response of the API carries.
func (s *Server) refusal(status, text string) []byte {
	p := problem{invalidRequest, "the server cannot read the request: " + text}
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
	fmt.Fprintf(&b, "HTTP/1.1 %s %s\r\n", status, text)
	_ = h.Write(&b) // a buffer takes everything
	fmt.Fprintf(&b, "\r\n%s", body)
	return b.Bytes()
}
