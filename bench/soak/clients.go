package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"

	"sabine/bench/trial"
)

// export takes whole exports, so many bytes a second: each is of one generation, whatever is switched
// meanwhile.
func (s *soak) export(ctx context.Context, t *site, pace float64) error {
	for n := 0; ctx.Err() == nil; n++ {
		i := n % len(t.exports)
		q, reached, moves, began, bytes := &t.exports[i], t.history.Reached(0), t.history.Last(), time.Now(), 0
		a, err := trial.Stream(ctx, t.Address, q, s.account(), func(n int) {
			bytes += n
			pause(ctx, time.Until(began.Add(time.Duration(float64(bytes)/pace*float64(time.Second)))))
		})
		if ctx.Err() != nil {
			return nil
		}
		if err != nil || a.Status != http.StatusOK {
			s.tally.fault(failed, "%s: %v, %v", q.Path, a, err)
			continue
		}
		if g, err := t.history.Place(0, reached, a.Shown, time.Now()); err != nil {
			s.tally.fault(misplaced, "%s: %v", q.Path, err)
		} else if fault := t.exactExport(g, i).Fault(a, ""); fault != "" {
			s.tally.fault(wrong, "%s of generation %d, %d bytes: %s", q.Path, g.Number, bytes, fault)
		}
		s.tally.happened("whole exports", time.Since(began))
		if t.history.Last() > moves {
			s.tally.happened("of these, across switches", 0)
		}
	}
	return nil
}

// converse holds sessions of an agent: each answer is of one generation, and of one that was in force.
func (s *soak) converse(ctx context.Context, t *site) error {
	for ; ctx.Err() == nil; pause(ctx, 500*time.Millisecond) {
		if err := s.session(t); err != nil {
			s.tally.fault(failed, "a session of an agent: %v", err)
		}
		s.tally.happened("sessions of agents", 0)
	}
	return nil
}

func (s *soak) session(t *site) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "soak", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: "http://" + t.Address + "/mcp"}, nil)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }() // there is nothing to close at a server that keeps no sessions
	if _, err := session.ListTools(ctx, nil); err != nil {
		return err
	}
	ids := t.catalogue.Lasting()
	for _, call := range []mcp.CallToolParams{
		{Name: "search_materials", Arguments: map[string]any{"limit": 3}},
		{Name: "get_material", Arguments: map[string]any{"id": ids[0]}},
		{Name: "get_material", Arguments: map[string]any{"id": ids[1]}},
	} {
		reached := t.history.Reached(0)
		r, err := session.CallTool(ctx, &call)
		if err != nil {
			return err
		}
		b, err := json.Marshal(r.StructuredContent)
		if err != nil {
			return err
		}
		if fault := toldFault(string(b), t.history.Possible(reached)); r.IsError || fault != "" {
			s.tally.fault(wrong, "%s: %s: %.500s", call.Name, fault, b)
		}
	}
	return nil
}

var generationNames = regexp.MustCompile(`"Generation [0-9]+"`)

// toldFault returns what is wrong with the answer of a tool: it tells the names of products, or how many
// there are.
func toldFault(told string, possible []*trial.Generation) string {
	names := generationNames.FindAllString(told, -1)
	slices.Sort(names)
	names = slices.Compact(names)
	total := gjson.Get(told, "total")
	if len(names) > 1 || len(names) == 0 && !total.Exists() {
		return fmt.Sprintf("expected the names of one generation, got %q", names)
	}
	for _, g := range possible {
		if (len(names) == 0 || names[0] == fmt.Sprintf(`"Generation %d"`, g.Number)) &&
			(!total.Exists() || int(total.Int()) == g.Products) {
			return ""
		}
	}
	return "it is of no generation that was in force"
}

// follow asks what has changed between generations.
func (s *soak) follow(ctx context.Context, t *site) error {
	for ; ctx.Err() == nil; pause(ctx, 5*time.Second) {
		known := t.generations()
		since := known[len(known)-1]
		q := trial.Question{Path: "/api/v1/changes?since=" + since.Hash, Keyed: true, Coding: "gzip"}
		reached, began := t.history.Reached(0), time.Now()
		a, err := trial.Ask(context.WithoutCancel(ctx), t.Address, &q, s.account(), "")
		if err != nil || a.Status != http.StatusOK {
			s.tally.fault(failed, "%s: %v, %v", q.Path, a, err)
			continue
		}
		g, err := t.history.Place(0, reached, a.Shown, time.Now())
		if err != nil {
			s.tally.fault(misplaced, "%s: %v", q.Path, err)
			continue
		}
		text, err := a.Text()
		told := gjson.GetMany(text, "from", "to", "added.#", "changed.#", "removed.#")
		fewer := since.Products - g.Products // a later generation has a part of the products of an earlier one
		changed := min(since.Products, g.Products)
		if since == g {
			changed = 0
		}
		if got, want := fmt.Sprint(told, err), fmt.Sprint([]any{since.Hash, g.Hash, max(0, -fewer), changed, max(0, fewer)},
			nil); got != want {
			s.tally.fault(wrong, "%s: got %s, want %s", q.Path, got, want)
		}
		s.tally.happened("changes since a generation", time.Since(began))
	}
	return nil
}

// mistaken are requests that must be refused, and how. key is "" where one of the load's is sent.
var mistaken = []struct {
	trial.Question
	key    string
	status int
}{
	{trial.Question{Path: "/api/v1/materials/no-such-product", Keyed: true}, "", 404},
	{trial.Question{Path: "/api/v1/materials/search?page=x", Keyed: true}, "", 400},
	{trial.Question{Path: "/api/v1/materials/search?absorption_min=501:0.5", Keyed: true}, "", 400},
	{trial.Question{Path: "/api/v1/materials?ids=", Keyed: true}, "", 400},
	{trial.Question{Path: "/api/v1/materials/search", Keyed: true}, "sab_nobody-made-this-key", 401},
	{trial.Question{Path: "/api/v1/materials/search"}, "", 401},
	{trial.Question{Path: "/api/v1/changes?since=0123456789abcdef", Keyed: true}, "", 410},
	{trial.Question{Path: "/api/v1/nothing"}, "", 404},
	{trial.Question{Path: "/api/public/search", Body: "{}"}, "", 405},
	{trial.Question{Path: "/api/public/compare-products"}, "", 400},
	{trial.Question{Path: "/mcp", Body: "{"}, "", 400},
	{trial.Question{Path: "/mcp"}, "", 405},
}

// mistake sends requests that are wrong.
func (s *soak) mistake(ctx context.Context, t *site) error {
	for n := 0; ctx.Err() == nil; n++ {
		m := &mistaken[n%len(mistaken)]
		key := m.key
		if key == "" {
			key = s.account()
		}
		a, err := trial.Ask(context.WithoutCancel(ctx), t.Address, &m.Question, key, "")
		if err != nil || a.Status != m.status || a.Code() == "" {
			s.tally.fault(failed, "%s: expected %d, got %v, %v", m.Path, m.status, a, err)
		}
		s.tally.happened("wrong requests", 0)
		pause(ctx, 20*time.Millisecond)
	}
	return nil
}
