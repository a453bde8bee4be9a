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

// A catalogue is the records that every generation is made of.
type catalogue struct {
	text      bench.Catalogue
	classes   []queries.Class    // questions made of it
	published []queries.Product  // of them
	texts     []string           // what people ask for
	leaving   []*queries.Product // the published in the order in which later generations omit them
}

const (
	asked        = 60 // products that questions are about, and texts
	wholeExports = 2  // the last questions, whose answers are of any length: the load does not ask them
)

// omitted is how many published products a generation omits: more than the one before, so that each has
// another total.
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
		step.Check(fmt.Errorf("%d published products are too few: the last of %d generations omits %d", len(all),
			generations, most))
	}
	return c
}

// name is what every product of a generation has as its commercial name, so that no two bodies are alike.
func name(number int) string { return fmt.Sprintf("Generation %d", number) }

// write writes the catalogue of a generation and returns how many of its products are published.
func (c *catalogue) write(number int, path string) (published int) {
	left := map[string]bool{}
	for _, p := range c.leaving[:omitted(number)] {
		left[p.ID] = true
	}
	file := step.Must(os.Create(path))
	out := bufio.NewWriterSize(file, 1<<20)
	for line := range bytes.Lines(c.text) {
		if !left[gjson.GetBytes(line, "id").String()] {
			_, _ = out.Write(named(line, name(number))) // Flush has its error
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

// lasting returns some products that no generation omits.
func (c *catalogue) lasting() []*queries.Product { return c.leaving[len(c.leaving)-asked/2:] }

// A question is a request whose right answer is known for every generation.
type question struct {
	class  string
	path   string
	body   string           // of a POST; "": a GET
	keyed  bool             // it costs an account's budget
	coding string           // that is accepted; "": none
	tag    string           // the If-None-Match of one that is always asked with it
	detail *queries.Product // the one that is asked for, nil for none
	// total is the place in the answer of the number of all published products, "" when it does not tell it.
	total string
}

// Where a server answers.
const (
	detailPath = "/api/v1/materials/"
	searchPath = detailPath + "search"
	exportPath = "/api/v1/export"
	public     = "/api/public/"
	agentPath  = "/mcp"
)

var codings = [...]string{"", "gzip", "zstd"}

// questions returns those of every class that a server answers the same way whatever it served before: all
// but /v1/changes, whose answer depends on the generations that its folder still has.
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
	for _, p := range lasting[:asked/10] { // by labels that few products have
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

// isWhole reports whether an entry has all octaves from 125 to 4000 Hz, which a room needs.
func isWhole(e queries.Entry) bool { return !slices.Contains(e.Levels[1:7], queries.NoLevel) }

// A generation is one build of a catalogue, and what is right to answer from it.
type generation struct {
	number   int
	hash     string
	products int
	answers  []*answer // by question, without their bodies and headers
}

// shown is what X-Snapshot says of a generation.
func (g *generation) shown() string { return g.hash[:16] }

func (g *generation) file() string { return snapshot.FileName(g.hash) }

// A move is one of the pointer to the generation in force.
type move struct {
	to       *generation
	rollback bool
	at       time.Time // zero until who moved it has told
	back     time.Time // when the store was back that went after the move; zero: it did not go
}

// A history is how the pointer moved, and how far each server has followed it. A generation that was rolled
// back to is the aim of two moves.
type history struct {
	mu      sync.Mutex
	moves   []move
	servers [][]time.Time // by server: when it was first seen at each of the moves, so far
}

// announce adds a move that is about to be made: servers may follow it before its publisher has ended.
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

// reached returns how many moves a server has followed.
func (h *history) reached(server int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.servers[server])
}

// made returns how many moves were announced, and whether every server has followed all.
func (h *history) made() (moves int, followed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	behind := func(seen []time.Time) bool { return len(seen) < len(h.moves) }
	return len(h.moves), !slices.ContainsFunc(h.servers, behind)
}

// place returns the generation of an answer that shows a hash. The server had followed so many moves when it
// was asked, so that none but the last of these, or a later one, can be it.
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
	return nil, fmt.Errorf("server %d shows the snapshot %q: it went back to it from move %d, or it was not published",
		server, shown, first)
}

// possible returns the generations that an answer which shows no hash may be of.
func (h *history) possible(reached int) (all []*generation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.moves[max(0, reached-1):] {
		all = append(all, m.to)
	}
	return all
}

// followings returns how long servers took to follow the moves of a kind, and how many of these steps were
// missed; the first move was made before there were servers. A delay counts from the move, or from the return
// of the store that went before the server's step.
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

// judge holds the answer of a server, which had followed so many moves when it was asked, against what its
// generation has to answer. It returns what is wrong, and of which sort, "" when nothing is.
func (h *history) judge(server, question, reached int, known string, a *answer, now time.Time) (sort, why string) {
	if a.shown == "" {
		possible := h.possible(reached)
		for _, g := range possible {
			if want := g.answers[question]; want.shown == "" && want.fault(a, known) == "" {
				return "", ""
			}
		}
		return wrong, "no generation in force answers so: " + possible[len(possible)-1].answers[question].fault(a, known)
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
