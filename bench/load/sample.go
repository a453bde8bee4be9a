package main

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"sabine/bench/trial"
)

// An answer is one of sabine's to a class: what the bare handler and nginx give to every request of it.
type answer struct {
	Status int         `json:"status"`
	Header http.Header `json:"header"` // without what differs from request to request, and what net/http adds
	Body   []byte      `json:"body"`
	// of its line in the log: what stands before its duration and bytes, and after them
	Logged [2]string `json:"logged"`

	id string
}

// A sample is what sabine answered to some requests of a class.
type sample struct {
	answer          // the one whose body is nearest to the mean size
	bodyBytes   int // the mean
	medianTotal int // of the numbers of matches; 0 when answers have none
}

// sampled is how many requests of a class make a sample.
const sampled = 1000

// client asks as the requests say and undoes no coding.
var client = http.Client{Transport: &http.Transport{DisableCompression: true}}

// ask sends one request and returns the answer, without what the log says of it.
func (l *load) ask(e *trial.Server, r *request) *answer {
	q, err := http.NewRequestWithContext(l, http.MethodGet, "http://"+e.Address+r.path, nil)
	l.Check(err)
	q.Header = r.header.Clone()
	resp, err := client.Do(q)
	l.Check(err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	l.Check(err)
	a := &answer{Status: resp.StatusCode, Header: resp.Header, Body: body, id: resp.Header.Get("X-Request-Id")}
	a.Header.Del("X-Request-Id")
	a.Header.Del("Date")
	return a
}

// sample asks a spread of a class's requests. Every answer must have the class's status.
func (l *load) sample(sabine *trial.Server, c *class) *sample {
	l.Check(os.Truncate(sabine.Log(), 0)) // else it holds the millions of lines of the classes before
	var answers []*answer
	var totals []int
	var s sample
	for i := 0; i < len(c.requests); i += max(1, len(c.requests)/sampled) {
		a := l.ask(sabine, &c.requests[i])
		if a.Status != c.status {
			l.Check(fmt.Errorf("%s: GET %s: expected status %d, got %d: %.200s", c.name, c.requests[i].path, c.status,
				a.Status, a.Body))
		}
		answers = append(answers, a)
		s.bodyBytes += len(a.Body)
		if c.total != "" {
			totals = append(totals, int(gjson.GetBytes(a.Body, c.total).Int()))
		}
	}
	s.bodyBytes /= len(answers)
	distance := func(a *answer) int { return max(len(a.Body)-s.bodyBytes, s.bodyBytes-len(a.Body)) }
	s.answer = *slices.MinFunc(answers, func(a, b *answer) int { return cmp.Compare(distance(a), distance(b)) })
	s.Logged = l.logged(sabine, s.id)
	s.medianTotal = trial.Quantile(totals, 0.5)
	return &s
}

// logged returns the parts of a request's line in sabine's log, see answer. The line comes some milliseconds
// after the answer.
func (l *load) logged(sabine *trial.Server, id string) (parts [2]string) {
	l.Check(trial.Await(l, trial.StartTime, func() error {
		log, err := os.ReadFile(sabine.Log())
		_, line, _ := strings.Cut(string(log), `"request_id":"`+id+`",`)
		before, rest, _ := strings.Cut(line, `"duration_ms":`)
		_, after, _ := strings.Cut(rest, `"client":`)
		after, _, ended := strings.Cut(after, "\n")
		if err == nil && !ended {
			err = fmt.Errorf("expected a line of the request %s in %s", id, sabine.Log())
		}
		parts = [2]string{before, `"client":` + after}
		return err
	}))
	return parts
}

// expect asks one request and checks that the engine gives the answer.
func (l *load) expect(e *trial.Server, r *request, want *answer) {
	got := l.ask(e, r)
	if got.Status != want.Status || len(got.Body) != len(want.Body) {
		l.Check(fmt.Errorf("%s: GET %s: expected status %d and %d bytes, got %d and %d", e.Name, r.path, want.Status,
			len(want.Body), got.Status, len(got.Body)))
	}
	for name := range want.Header {
		if got.Header.Get(name) == "" {
			l.Check(fmt.Errorf("%s: GET %s: expected a field %s, as sabine has it", e.Name, r.path, name))
		}
	}
}
