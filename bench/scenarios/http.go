package main

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/tidwall/gjson"

	"sabine/bench"
	"sabine/bench/queries"
	"sabine/bench/results"
	"sabine/bench/step"
	"sabine/indexes/column"
	"sabine/runtime"
)

type class struct {
	name     string
	status   int    // of every answer
	total    string // the key of the body that says how many products matched; "" when there is none
	requests []question
}

// details are the classes that ask for products, with an API key. The bodies of those whose names begin with
// "detail, " are compressed or put together for each request; those of the others are stored.
var details = []struct{ name, query, coding string }{
	{"detail", "", ""},
	{"detail gzip", "", "gzip"},
	{notModified, "", ""},
	{"detail, zstd", "", "zstd"},
	{"detail, geometry", "?include=geometry", ""},
	{"detail, geometry gzip", "?include=geometry", "gzip"},
}

// notModified is the class whose requests have the tag, and nginx's too: all engines are sent the same.
const notModified = "detail not modified"

// detailClasses asks for products at random, the same ones every time: with their bodies, more than the
// caches of a core hold.
func detailClasses(g *runtime.Generation) (all []class) {
	order := rand.New(rand.NewPCG(1, 1)).Perm(g.Products())
	for _, d := range details {
		c := class{name: d.name, status: http.StatusOK}
		for _, n := range order[:min(20_000, len(order))] {
			product := g.Detail(column.Doc(n))
			path := detailPath + gjson.GetBytes(product.Body, "id").String() + d.query
			q := question{path: path, keyed: true, coding: d.coding}
			if d.name == notModified {
				c.status, q.tag = http.StatusNotModified, `"`+product.ETag+`", `+nginxTag
			}
			c.requests = append(c.requests, q)
		}
		all = append(all, c)
	}
	return all
}

// searchClasses asks the questions about a text, with facets: all of them of the public, all of them with an
// API key, and then class by class.
func searchClasses(questions []queries.Class) []class {
	open := class{name: "public search", status: http.StatusOK, total: "total"}
	keyed := class{name: "search", status: http.StatusOK, total: "total_count"}
	var each []class
	for _, c := range questions {
		if !c.Kind.IsText() || len(c.Questions) == 0 {
			continue
		}
		one := class{name: keyed.name + ", " + c.Name, status: keyed.status, total: keyed.total}
		for _, q := range c.Questions {
			text := url.QueryEscape(q.Text)
			open.requests = append(open.requests, question{path: public + "search?q=" + text})
			one.requests = append(one.requests, question{path: searchPath + "?facets=true&q=" + text, keyed: true})
		}
		keyed.requests = append(keyed.requests, one.requests...)
		each = append(each, one)
	}
	return append([]class{open, keyed}, each...)
}

// playHTTP measures every class and prints its figures, each with sabine's share of it.
func playHTTP(r *run) record {
	for _, tool := range []string{"wrk", "nginx", "taskset"} {
		_, err := exec.LookPath(tool)
		step.Check(err, "make bench-http installs it")
	}
	wanted := step.Must(regexp.Compile(r.class))
	catalogue := step.Must(bench.NewCatalogue(r.products))
	_, questions, err := catalogue.Questions()
	step.Check(err)
	path := step.Must(catalogue.Build(r.path("snapshots")))
	g := step.Must(runtime.Open(r, path))
	products, classes := g.Products(), append(detailClasses(g), searchClasses(questions)...)
	step.Check(g.Close())
	r.accounts = []string{r.createKey("load")}
	sabine := r.startSabine(results.Sabine)
	out := step.Must(results.Append(r.out))
	for i := range classes {
		if !wanted.MatchString(classes[i].name) {
			continue
		}
		figures := r.measure(sabine, &classes[i], products)
		for _, f := range figures {
			fmt.Printf("%-28s %-6s %7.0f/s %3.0f %%  p99 %8v  cpu %6.1f µs %3.0f %%  %d bytes, median total %d\n", f.Class,
				f.Engine, f.PerSecond, 100*figures[0].PerSecond/f.PerSecond, f.P99, float64(f.CPU)/1000,
				100*float64(f.CPU)/float64(figures[0].CPU), f.BodyBytes, f.MedianTotal)
		}
		step.Check(out.Add(figures...))
	}
	step.Check(out.Close())
	return nil
}

// measure lets the engines take turns at a class; sabine's figure is the first.
func (r *run) measure(sabine *server, c *class, products int) (figures []results.Line) {
	const turns = 5
	like, bodyBytes, medianTotal := r.sample(sabine, c)
	engines := []*server{sabine}
	if r.beside != "" { // which answers every request anew
		engines = append(engines, r.startSabine("beside", strings.Fields(r.beside)...))
	} else {
		engines = append(engines, r.startBare(like), r.startNginx(like))
		r.expect(engines[1], &c.requests[0], like)
		r.expect(engines[2], &c.requests[0], like)
	}
	r.writeRequests(c.requests)
	all := make([][]results.Line, len(engines))
	for n := range turns + 1 {
		for i, e := range engines {
			if turn := r.drive(e); n > 0 { // the first one warms
				all[i] = append(all[i], turn)
			}
		}
	}
	for i, e := range engines {
		line := median(all[i])
		line.Key = results.Key{Suite: results.HTTP, Engine: e.name, Class: c.name, Products: products}
		line.BodyBytes, line.MedianTotal = bodyBytes, medianTotal
		figures = append(figures, line)
		if i > 0 {
			step.Check(e.stop(syscall.SIGTERM))
		}
	}
	return figures
}

// A constant is one of sabine's answers to a class: the bare handler and nginx give it to all its requests.
type constant struct {
	Status int
	Header http.Header // without what differs from request to request, and what net/http adds
	Body   []byte
	Logged [2]string // of its line in the log: what stands before its duration and bytes, and after them
}

// sample asks a spread of a class's requests. It returns the answer whose body is nearest to the mean size,
// that size, and the median of the numbers of matches, 0 when answers have none.
func (r *run) sample(sabine *server, c *class) (like *constant, bodyBytes, medianTotal int) {
	const sampled = 1000
	step.Check(os.Truncate(sabine.log(), 0)) // else it holds the millions of lines of the classes before
	var answers []*answer
	var totals []int
	for i := 0; i < len(c.requests); i += max(1, len(c.requests)/sampled) {
		a, err := ask(r, sabine.address, &c.requests[i], r.accounts[0], "")
		if err == nil && a.status != c.status {
			err = fmt.Errorf("%s: GET %s: expected status %d, got %v", c.name, c.requests[i].path, c.status, a)
		}
		step.Check(err)
		answers = append(answers, a)
		bodyBytes += len(a.body)
		if c.total != "" {
			totals = append(totals, int(gjson.GetBytes(a.body, c.total).Int()))
		}
	}
	bodyBytes /= len(answers)
	distance := func(a *answer) int { return max(len(a.body)-bodyBytes, bodyBytes-len(a.body)) }
	a := slices.MinFunc(answers, func(a, b *answer) int { return cmp.Compare(distance(a), distance(b)) })
	like = &constant{a.status, a.header, a.body, r.logged(sabine, a.header.Get("X-Request-Id"))}
	a.header.Del("X-Request-Id")
	a.header.Del("Date")
	return like, bodyBytes, quantile(totals, 0.5)
}

// logged returns the parts of a request's line in sabine's log, see constant. The line comes some
// milliseconds after the answer.
func (r *run) logged(sabine *server, id string) (parts [2]string) {
	line := regexp.MustCompile(`"request_id":"` + id + `",(.*)"duration_ms":.*("client":.*)\n`)
	step.Check(await(r, startTime, func() error {
		found := line.FindSubmatch(step.Must(os.ReadFile(sabine.log())))
		if found == nil {
			return fmt.Errorf("expected a line of the request %s in %s", id, sabine.log())
		}
		parts = [2]string{string(found[1]), string(found[2])}
		return nil
	}))
	return parts
}

func (r *run) expect(e *server, q *question, want *constant) {
	a := step.Must(ask(r, e.address, q, r.accounts[0], ""))
	has := func(name string, _ []string) bool { return a.header.Get(name) != "" }
	lacks := maps.Clone(want.Header)
	if maps.DeleteFunc(lacks, has); a.status != want.Status || len(a.body) != len(want.Body) || len(lacks) > 0 {
		step.Check(fmt.Errorf("%s: GET %s: expected status %d and %d bytes, got %v, without the fields %v", e.name, q.path,
			want.Status, len(want.Body), a, lacks))
	}
}
