package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/julienschmidt/httprouter"
)

// bareCommand is the first argument with which this program starts itself as the bare handler.
const bareCommand = "bare"

// lineBuffer is how many bytes of access log are written at once, at most.
const lineBuffer = 32 << 10

// bare serves a constant answer until it is killed. It does what every handler with this contract has to do
// and no more: a route, the header fields without a detour, a request's id of its own, one line of access
// log.
func bare(address, answerFile, logFile string) error {
	text, err := os.ReadFile(answerFile)
	if err != nil {
		return err
	}
	var a answer
	if err := json.Unmarshal(text, &a); err != nil {
		return fmt.Errorf("%s: %w", answerFile, err)
	}
	log, err := os.OpenFile(logFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	server := http.Server{ // with sabine's limits: nobody serves without any
		Addr: address, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: 2 * time.Minute,
		Handler:     bareHandler(&a, &lineWriter{b: bufio.NewWriterSize(log, lineBuffer)}),
	}
	return server.ListenAndServe()
}

// bareHandler gives an answer to whatever the classes ask.
func bareHandler(a *answer, log io.Writer) http.Handler {
	router := httprouter.New()
	for _, path := range []string{detailPath + ":id", publicPath} {
		router.GET(path, func(w http.ResponseWriter, _ *http.Request, _ httprouter.Params) { a.write(w, log) })
	}
	return router
}

func (a *answer) write(w http.ResponseWriter, log io.Writer) {
	began := time.Now()
	id := newID()
	h := w.Header()
	for name, values := range a.Header {
		h[name] = values
	}
	h["X-Request-Id"] = []string{id}
	w.WriteHeader(a.Status)
	if len(a.Body) > 0 {
		_, _ = w.Write(a.Body) // a client that has gone away is counted by wrk
	}
	line := make([]byte, 0, 320)
	line = began.AppendFormat(append(line, `{"time":"`...), time.RFC3339Nano)
	line = append(append(line, `","level":"INFO","msg":"request","request_id":"`...), id...)
	line = append(append(line, `",`...), a.Logged[0]...)
	line = strconv.AppendFloat(append(line, `"duration_ms":`...), float64(time.Since(began).Microseconds())/1000, 'f', -1,
		64)
	line = strconv.AppendInt(append(line, `,"bytes":`...), int64(len(a.Body)), 10)
	line = append(append(append(line, ','), a.Logged[1]...), '\n')
	_, _ = log.Write(line)
}

// A lineWriter writes lines many at a time, as sabine does.
type lineWriter struct {
	mu sync.Mutex
	b  *bufio.Writer
}

func (l *lineWriter) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(line)
}

// newID returns a random UUID.
func newID() string {
	var id uuid.UUID
	binary.NativeEndian.PutUint64(id[:8], rand.Uint64())
	binary.NativeEndian.PutUint64(id[8:], rand.Uint64())
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id.String()
}
