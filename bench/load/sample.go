package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/tidwall/gjson"
)

// An answer is one of sabine's to a class: what the bare handler and nginx give to every request of it.
type answer struct {
	Status int         `json:"status"`
	Header http.Header `json:"header"` // without what differs from request to request, and what net/http adds
	Body   []byte      `json:"body"`
	// of its line in the log: what stands before its duration and bytes, and behind them
	Logged [2]string `json:"logged"`
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

// ask sends one request and returns the response with its body read.
func (e *engine) ask(ctx context.Context, r *request) (*http.Response, []byte, error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+e.address+r.path, nil)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range r.header {
		q.Header.Set(f.name, f.value)
	}
	resp, err := client.Do(q)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp, body, err
}

// sample asks a spread of a class's requests. Every answer must have the class's status.
func (e *engine) sample(ctx context.Context, c *class) (*sample, error) {
	if err := os.Truncate(e.log, 0); err != nil { // else it holds the millions of lines of the classes before
		return nil, err
	}
	var answers []answer
	var ids []string
	var totals []int
	sum := 0
	for i := 0; i < len(c.requests); i += max(1, len(c.requests)/sampled) {
		r := &c.requests[i]
		resp, body, err := e.ask(ctx, r)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != c.status {
			return nil, fmt.Errorf("%s: GET %s: expected status %d, got %d: %.200s", e.name, r.path, c.status, resp.StatusCode,
				body)
		}
		ids = append(ids, resp.Header.Get("X-Request-Id"))
		for _, name := range []string{"X-Request-Id", "Date"} {
			resp.Header.Del(name)
		}
		answers = append(answers, answer{Status: c.status, Header: resp.Header, Body: body})
		sum += len(body)
		if c.total != "" {
			totals = append(totals, int(gjson.GetBytes(body, c.total).Int()))
		}
	}
	s := &sample{bodyBytes: sum / len(answers)}
	distance := func(i int) int { return max(len(answers[i].Body)-s.bodyBytes, s.bodyBytes-len(answers[i].Body)) }
	nearest := 0
	for i := range answers {
		if distance(i) < distance(nearest) {
			nearest = i
		}
	}
	s.answer = answers[nearest]
	var err error
	if s.Logged, err = e.logged(ids[nearest]); err != nil {
		return nil, err
	}
	if len(totals) > 0 {
		s.medianTotal = middle(totals)
	}
	return s, nil
}

// expect asks one request and checks that the engine gives the answer.
func (e *engine) expect(ctx context.Context, r *request, a *answer) error {
	resp, body, err := e.ask(ctx, r)
	if err != nil {
		return err
	}
	if resp.StatusCode != a.Status || len(body) != len(a.Body) {
		return fmt.Errorf("%s: GET %s: expected status %d and %d bytes, got %d and %d",
			e.name, r.path, a.Status, len(a.Body), resp.StatusCode, len(body))
	}
	for name := range a.Header {
		if resp.Header.Get(name) == "" {
			return fmt.Errorf("%s: GET %s: expected a field %s, as sabine has it", e.name, r.path, name)
		}
	}
	return nil
}
