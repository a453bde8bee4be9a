package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"
	"golang.org/x/time/rate"

	"sabine/bench/step"
)

// A pace is a writer that accepts at most a given number of bytes per second.
type pace struct {
	context.Context
	*rate.Limiter
}

func (p pace) Write(b []byte) (int, error) { return len(b), p.WaitN(p, len(b)) }

// export downloads a complete export at a rate in bytes per second. All of the export must come from one
// generation, even if the server switches to other generations meanwhile.
func (s *soak) export(ctx context.Context, perSecond rate.Limit) {
	n, began, reached := len(s.questions)-1-rand.IntN(wholeExports), time.Now(), s.history.reached(0)
	moves, _ := s.history.made()
	a, err := stream(ctx, s.address, &s.questions[n], s.account(), "", pace{ctx, rate.NewLimiter(perSecond, 1<<20)})
	if ctx.Err() != nil {
		return
	}
	s.judge(0, n, reached, "", a, err, time.Now(), false)
	s.happened("whole exports", time.Since(began))
	if now, _ := s.history.made(); now > moves {
		s.happened("of these, across switches", 0)
	}
}

// converse runs an agent's session. Each answer must come from one generation that was in use.
func (s *soak) converse(context.Context) {
	if err := step.Try(s.session); err != nil {
		s.fault(failed, "agent session: %v", err)
	}
	s.happened("agent sessions", 0)
}

func (s *soak) session() {
	ctx, cancel := context.WithTimeout(s, 30*time.Second)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "soak", Version: "1"}, nil)
	transport := &mcp.StreamableClientTransport{Endpoint: "http://" + s.address + agentPath}
	session := step.Must(client.Connect(ctx, transport, nil))
	defer func() { _ = session.Close() }() // the error is ignored, because the server stores no sessions
	step.Must(session.ListTools(ctx, nil))
	ids := s.catalogue.lasting()
	for _, call := range []mcp.CallToolParams{
		{Name: "search_materials", Arguments: map[string]any{"limit": 3}},
		{Name: "get_material", Arguments: map[string]any{"id": ids[0].ID}},
		{Name: "get_material", Arguments: map[string]any{"id": ids[1].ID}},
	} {
		reached := s.history.reached(0)
		r := step.Must(session.CallTool(ctx, &call))
		b := step.Must(json.Marshal(r.StructuredContent))
		if fault := toolFault(string(b), s.history.possible(reached)); r.IsError || fault != "" {
			s.fault(wrong, "%s: %s: %.500s", call.Name, fault, b)
		}
	}
}

var generationNames = regexp.MustCompile(`"Generation [0-9]+"`)

// toolFault describes the fault in a tool's answer, which contains product names or the number of products.
// It returns "" for a correct answer.
func toolFault(answer string, possible []*generation) string {
	names := generationNames.FindAllString(answer, -1)
	slices.Sort(names)
	names = slices.Compact(names)
	total := gjson.Get(answer, "total")
	if len(names) > 1 || len(names) == 0 && !total.Exists() {
		return fmt.Sprintf("expected the names of one generation, got %q", names)
	}
	for _, g := range possible {
		if (len(names) == 0 || names[0] == `"`+name(g.number)+`"`) && (!total.Exists() || int(total.Int()) == g.products) {
			return ""
		}
	}
	return "no generation in use has this answer"
}

func (s *soak) follow(context.Context) {
	known := s.generations()
	since := known[len(known)-1]
	q := question{path: "/api/v1/changes?since=" + since.hash, keyed: true, coding: "gzip"}
	reached, began := s.history.reached(0), time.Now()
	a, err := ask(s, s.address, &q, s.account(), "")
	if err != nil || a.status != http.StatusOK {
		s.fault(failed, "%s: %v, %v", q.path, a, err)
		return
	}
	g, err := s.history.place(0, reached, a.shown, time.Now())
	if err != nil {
		s.fault(misplaced, "%s: %v", q.path, err)
		return
	}
	text, err := a.text()
	counts := gjson.GetMany(text, "from", "to", "added.#", "changed.#", "removed.#")
	fewer := since.products - g.products // each generation is a subset of the previous one
	changed := min(since.products, g.products)
	if since == g {
		changed = 0
	}
	want := fmt.Sprint([]any{since.hash, g.hash, max(0, -fewer), changed, max(0, fewer)}, nil)
	if got := fmt.Sprint(counts, err); got != want {
		s.fault(wrong, "%s: got %s, want %s", q.path, got, want)
	}
	s.happened("changes since a generation", time.Since(began))
}

// mistaken contains requests that must be refused, with the expected statuses.
var mistaken = []struct {
	question
	key    string // "" for one of the load's keys
	status int
}{
	{question{path: detailPath + "no-such-product", keyed: true}, "", 404},
	{question{path: searchPath + "?page=x", keyed: true}, "", 400},
	{question{path: searchPath + "?absorption_min=501:0.5", keyed: true}, "", 400},
	{question{path: "/api/v1/materials?ids=", keyed: true}, "", 400},
	{question{path: searchPath, keyed: true}, "sab_nobody-made-this-key", 401},
	{question{path: searchPath}, "", 401},
	{question{path: "/api/v1/changes?since=0123456789abcdef", keyed: true}, "", 410},
	{question{path: "/api/v1/nothing"}, "", 404},
	{question{path: public + "search", body: "{}"}, "", 405},
	{question{path: public + "compare-products"}, "", 400},
	{question{path: agentPath, body: "{"}, "", 400},
	{question{path: agentPath}, "", 405},
}

func (s *soak) mistake(context.Context) {
	m := &mistaken[rand.IntN(len(mistaken))]
	a, err := ask(s, s.address, &m.question, cmp.Or(m.key, s.account()), "")
	if err != nil || a.status != m.status || a.code() == "" {
		s.fault(failed, "%s: expected %d, got %v, %v", m.path, m.status, a, err)
	}
	s.happened("wrong requests", 0)
}

const (
	patience = 45 * time.Second // the server waits at most 30 s for a slow reader
	slowEach = 4                // number of simultaneous clients of each slow kind
	buffered = 32 << 20         // more than two kernels buffer for an unread answer, but less than an export
)

// A slowClient sends first immediately and then drip every second. If drip is "", it does not read, and sends
// nothing more.
type slowClient struct {
	name, first, drip string
	atATime           int
	keeps             time.Duration // time for which the connection must stay open; 0 if the server must close it
}

// slowClients lists all kinds. Idle connections end before the server's limit of two minutes.
var slowClients = []slowClient{
	{"clients that drip a header", "GET / HTTP/1.1\r\nHost: soak.example\r\nX-Slow: ", "x", slowEach, 0},
	{"clients that drip a body",
		"POST /mcp HTTP/1.1\r\nHost: soak.example\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n", " ",
		slowEach, 0},
	{"clients that do not read",
		"GET " + exportPath + " HTTP/1.1\r\nHost: soak.example\r\nAuthorization: Bearer KEY\r\n\r\n", "", slowEach, 0},
	{"idle connections", "GET /api/v1/nothing HTTP/1.1\r\nHost: soak.example\r\n\r\n", "", 300, 100 * time.Second},
}

// dawdle runs a slow client. If the client's keeps is 0, the server must close the connection.
func (s *soak) dawdle(ctx context.Context, client *slowClient) {
	began := time.Now()
	c, err := net.Dial("tcp", s.address)
	if err == nil {
		_, err = io.WriteString(c, strings.Replace(client.first, "KEY", s.account(), 1))
	}
	if err != nil {
		s.fault(failed, "%s: %v", client.name, err)
		pause(ctx, time.Second)
		return
	}
	pause(ctx, client.keeps)
	for client.drip != "" && err == nil && ctx.Err() == nil && time.Since(began) < patience {
		pause(ctx, time.Second)
		_, err = io.WriteString(c, client.drip)
		err = errors.Join(err, ended(c, time.Millisecond))
	}
	if client.drip == "" && client.keeps == 0 {
		pause(ctx, patience)
		err = ended(c, time.Second)
	}
	c.Close()
	switch {
	case client.keeps > 0:
		s.happened(client.name, 0)
	case ctx.Err() != nil:
	case err == nil:
		s.fault(careless, "%s keep their connection for %v", client.name, patience)
	default:
		s.happened(client.name, time.Since(began))
	}
}

// ended returns an error if the server has closed a connection. It skips what the server has sent. It returns
// nil if nothing more arrives within the given time. It also returns nil after more bytes than can be
// buffered, because the server must still be sending.
func ended(c net.Conn, within time.Duration) error {
	skipped := make([]byte, 64<<10)
	for bytes := 0; bytes < buffered; {
		_ = c.SetReadDeadline(time.Now().Add(within)) // fails only if the connection is closed
		n, err := c.Read(skipped)
		bytes += n
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}
