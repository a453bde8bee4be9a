package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"sabine/bench"
	"sabine/bench/queries"
	"sabine/bench/step"
	"sabine/indexes/snapshot"
)

// A catalogue contains all records. Each generation contains a subset of the records.
type catalogue struct {
	text      bench.Catalogue
	classes   []queries.Class    // questions made from the products
	published []queries.Product  // all published products
	texts     []string           // query texts for searches
	leaving   []*queries.Product // published products; a generation omits the first ones
}

const (
	asked        = 60 // number of products in questions, and of query texts
	wholeExports = 2  // number of questions at the end of the list that export everything and are not in the load
)

// omitted returns the number of published products that a generation omits. It is different for each
// generation, as is the number of remaining products.
func omitted(number int) int { return 20 + 7*number }

func newCatalogue(products, generations int) *catalogue {
	text := step.Must(bench.NewCatalogue(products))
	all, classes, err := text.Questions()
	step.Check(err)
	c := &catalogue{text: text, classes: classes, published: all}
	for _, class := range classes {
		for i := range min(3, len(class.Questions)) {
			if text := class.Questions[i].Text; class.Kind.IsText() && text != "" && len(c.texts) < asked {
				c.texts = append(c.texts, text)
			}
		}
	}
	for _, place := range rand.New(rand.NewPCG(queries.Seed, 1)).Perm(len(all)) {
		c.leaving = append(c.leaving, &c.published[place])
	}
	if most := omitted(generations); most+asked > len(all) {
		step.Check(fmt.Errorf("%d published products: the last of %d generations omits %d: use a larger -products",
			len(all), generations, most))
	}
	return c
}

// name returns the commercial name of all products in a generation. It makes the bodies of each generation
// different.
func name(number int) string { return fmt.Sprintf("Generation %d", number) }

// write writes a generation's records to path and returns the number of published products.
func (c *catalogue) write(number int, path string) (published int) {
	left := map[string]bool{}
	for _, p := range c.leaving[:omitted(number)] {
		left[p.ID] = true
	}
	file := step.Must(os.Create(path))
	out := bufio.NewWriterSize(file, 1<<20)
	for line := range bytes.Lines(c.text) {
		if !left[gjson.GetBytes(line, "id").String()] {
			_, _ = out.Write(named(line, name(number))) // Flush returns its error
		}
	}
	step.Check(errors.Join(out.Flush(), file.Close()))
	return len(c.published) - len(left)
}

func named(record []byte, name string) []byte {
	field := fmt.Appendf(nil, `"commercial_name":%q,`, name)
	if old := gjson.GetBytes(record, "commercial_name"); old.Exists() {
		return slices.Concat(record[:old.Index], field[len(`"commercial_name":`):len(field)-1],
			record[old.Index+len(old.Raw):])
	}
	return slices.Concat([]byte("{"), field, record[1:])
}

func (c *catalogue) omits(number int, p *queries.Product) bool {
	return slices.Contains(c.leaving[:omitted(number)], p)
}

// lasting returns the last products of leaving, which no generation omits.
func (c *catalogue) lasting() []*queries.Product { return c.leaving[len(c.leaving)-asked/2:] }

// A question is a request with one correct answer for each generation.
type question struct {
	class  string
	path   string
	body   string           // body of a POST; "" for a GET
	keyed  bool             // whether it counts towards an account's budget
	coding string           // Accept-Encoding; "" for none
	tag    string           // If-None-Match of all requests; "" for none
	detail *queries.Product // requested product; nil for none
	total  string           // key of the number of all published products in the answer; "" for none
}

// API paths.
const (
	detailPath = "/api/v1/materials/"
	searchPath = detailPath + "search"
	exportPath = "/api/v1/export"
	public     = "/api/public/"
	agentPath  = "/mcp"
)

var codings = [...]string{"", "gzip", "zstd"}

// questions returns questions in every class whose answers depend only on the current generation. The answer
// from /v1/changes is excluded, since it also depends on the other generations in the folder.
func (c *catalogue) questions() (all []question) {
	add := func(class, path, coding string) *question {
		keyed := path == agentPath || strings.HasPrefix(path, "/api/v1/") && class != "description"
		all = append(all, question{class: class, path: path, coding: coding, keyed: keyed})
		return &all[len(all)-1]
	}
	call := func(tool, arguments string) {
		add("agent", agentPath, "").body = fmt.Sprintf(
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
	}
	add("listing", searchPath+"?limit=5&facets=true", "").total = "total_count"
	add("public listing", public+"search", "").total = "total"
	add("description", "/api/v1/openapi.json", "gzip")
	add("page", "/", "")
	add("page", "/room", "gzip")
	lasting := c.lasting()
	for i, text := range c.texts {
		q := url.QueryEscape(text)
		add("search", searchPath+"?facets=true&q="+q, codings[i%3])
		add("public search", public+"search?q="+q, codings[(i+1)%3])
		if i%5 == 0 {
			need := fmt.Sprintf("?facets=true&include=acoustics&absorption_min=500:0.%d,1000:0.%d", 3+i/5%6, 2+i/5%6)
			add("need", searchPath+need, codings[i/5%3])
			add("public need", public+"search?depth_max=200&sort=distance_asc&curve=250:0.6,500:0.9&q="+q, "")
		}
		if i%10 == 0 {
			call("search_materials", fmt.Sprintf(`{"query":%q}`, text))
			call("find_by_absorption", fmt.Sprintf(`{"query":%q,"absorption_min":{"500":0.5}}`, text))
			call("compare_materials", fmt.Sprintf(`{"ids":[%q,%q]}`, lasting[i/10].ID, lasting[i/10+1].ID))
		}
	}
	for i, p := range slices.Concat(c.leaving[:asked/2], lasting) {
		add("detail", detailPath+p.ID, codings[i%3]).detail = p
		add("public detail", public+"materials/"+url.PathEscape(cmp.Or(p.Slug, p.ID)), codings[(i+1)%3]).detail = p
	}
	for _, p := range lasting[:asked/10] { // labels that few products have
		add("export", exportPath+"?format=csv&q="+url.QueryEscape(p.Labels[0].Text), "")
	}
	for i := 0; i+3 <= len(lasting); i += 3 {
		ids := []string{lasting[i].ID, lasting[i+1].ID, lasting[i+2].ID, c.leaving[i].ID}
		add("batch", "/api/v1/materials?ids="+strings.Join(ids, ","), "")
		add("comparison", public+"compare-products?id="+strings.Join(ids, "&id="), "")
	}
	for _, p := range lasting {
		if slices.ContainsFunc(p.Absorption, isWhole) {
			add("room", public+"reverberation?volume=200&surface="+p.ID+":40"+
				"&surface=125:0.02,250:0.03,500:0.03,1000:0.04,2000:0.05,4000:0.05:150", "")
		}
	}
	add("whole export", exportPath, "")
	add("whole export", exportPath+"?format=csv", "zstd")
	return all
}

// isWhole reports whether an entry contains all octaves from 125 to 4000 Hz, as the room calculation
// requires.
func isWhole(e queries.Entry) bool { return !slices.Contains(e.Levels[1:7], queries.NoLevel) }

// A generation is one build of a catalogue, with the correct answers.
type generation struct {
	number   int
	hash     string
	products int
	answers  []*answer // indexed by question, without bodies and headers
}

func (g *generation) shown() string { return g.hash[:16] }

func (g *generation) file() string { return snapshot.FileName(g.hash) }

// A move is a change of the pointer to another generation.
type move struct {
	to       *generation
	rollback bool
	at       time.Time // zero until the publisher has reported the move
	back     time.Time // end of the store outage after the move; zero for none
}

// A history contains the moves of the pointer and how many of them each server has followed. After a
// rollback, two moves have the same generation.
type history struct {
	mu      sync.Mutex
	moves   []move
	servers [][]time.Time // time of the first answer from each move's generation, by server and move
}

// announce adds a move before it is made, since a server can follow before the publisher has ended.
func (h *history) announce(to *generation, rollback bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.moves = append(h.moves, move{to: to, rollback: rollback})
}

func (h *history) last(change func(*move)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change(&h.moves[len(h.moves)-1])
}

func (h *history) reached(server int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.servers[server])
}

// made returns the number of announced moves, and whether every server has followed all of them.
func (h *history) made() (moves int, followed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	late := func(seen []time.Time) bool { return len(seen) < len(h.moves) }
	return len(h.moves), !slices.ContainsFunc(h.servers, late)
}

// place returns the generation that an answer's X-Snapshot names. Before the request, the server had followed
// reached moves, so the generation must belong to the last of these moves or to a later move.
func (h *history) place(server, reached int, shown string, now time.Time) (*generation, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	first := max(0, reached-1)
	for n := first; n < len(h.moves); n++ {
		if h.moves[n].to.shown() != shown {
			continue
		}
		for len(h.servers[server]) <= n {
			h.servers[server] = append(h.servers[server], now)
		}
		return h.moves[n].to, nil
	}
	return nil, fmt.Errorf("server %d answers from %q: it went back to it from move %d, or it was not published", server,
		shown, first)
}

// possible returns the generations that can have given an answer without X-Snapshot.
func (h *history) possible(reached int) (all []*generation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.moves[max(0, reached-1):] {
		all = append(all, m.to)
	}
	return all
}

// followings returns the delays of servers after rollbacks or after other moves, and the number of moves not
// followed. It ignores the first move, which precedes the start of the servers. A delay begins with the move,
// or with the end of a store outage if the server followed after that.
func (h *history) followings(rollback bool) (moves int, delays []time.Duration, missed int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for n, m := range h.moves {
		if n == 0 || m.rollback != rollback {
			continue
		}
		moves++
		for _, seen := range h.servers {
			if len(seen) <= n {
				missed++
				continue
			}
			from := m.at
			if m.back.Before(seen[n]) && m.back.After(m.at) {
				from = m.back
			}
			delays = append(delays, seen[n].Sub(from))
		}
	}
	return moves, delays, missed
}

// judge compares a server's answer with the correct one of its generation. The server had followed reached
// moves before the request. judge returns the kind and description of a fault, or "" for a correct answer.
func (h *history) judge(server, question, reached int, known string, a *answer, now time.Time) (kind, why string) {
	if a.shown == "" {
		possible := h.possible(reached)
		for _, g := range possible {
			if want := g.answers[question]; want.shown == "" && want.fault(a, known) == "" {
				return "", ""
			}
		}
		return wrong, "no generation in use has this answer: " + possible[len(possible)-1].answers[question].fault(a, known)
	}
	g, err := h.place(server, reached, a.shown, now)
	if err != nil {
		return misplaced, err.Error()
	}
	if why := g.answers[question].fault(a, known); why != "" {
		return wrong, fmt.Sprintf("generation %d: %s", g.number, why)
	}
	return "", ""
}
