package main

import (
	"cmp"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/tidwall/gjson"

	"sabine/bench/queries"
	"sabine/bench/results"
	"sabine/bench/step"
	"sabine/dataset/synthetic"
	"sabine/indexes/column"
	"sabine/runtime"
)

type class struct {
	name     string
	status   int    // of every answer
	total    string // key of the number of hits in the body, "" when the body has none
	requests []question
}

// details are the classes of requests for one product, with an API key. For names that begin with "detail, "
// the server compresses or composes each body; the bodies of the others are stored.
var details = []struct{ name, query, coding string }{
	{"detail", "", ""},
	{"detail gzip", "", "gzip"},
	{notModified, "", ""},
	{"detail, zstd", "", "zstd"},
	{"detail, geometry", "?include=geometry", ""},
	{"detail, geometry gzip", "?include=geometry", "gzip"},
}

// notModified is the class whose requests have the tag of the product, and nginx's tag too, since all engines
// get the same requests.
const notModified = "detail not modified"

// detailClasses requests the same random products in every run. Their bodies exceed the caches of a core.
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

// searchClasses returns the searches for the texts of all questions: public ones, ones with an API key with
// and without facets, and then those with facets class by class.
func searchClasses(questions []queries.Class) []class {
	open := class{name: "public search", status: http.StatusOK, total: "total"}
	keyed := class{name: "search", status: http.StatusOK, total: "total_count"}
	plain := class{name: "search without facets", status: keyed.status, total: keyed.total}
	var each []class
	for _, c := range questions {
		if !c.Kind.IsText() || len(c.Questions) == 0 {
			continue
		}
		one := class{name: keyed.name + ", " + c.Name, status: keyed.status, total: keyed.total}
		for _, q := range c.Questions {
			text := url.QueryEscape(q.Text)
			open.requests = append(open.requests, question{path: public + "search?q=" + text})
			plain.requests = append(plain.requests, question{path: searchPath + "?q=" + text, keyed: true})
			one.requests = append(one.requests, question{path: searchPath + "?facets=true&q=" + text, keyed: true})
		}
		keyed.requests = append(keyed.requests, one.requests...)
		each = append(each, one)
	}
	return append([]class{open, keyed, plain}, each...)
}

// otherClasses returns classes of questions that are neither details nor searches for a text.
func otherClasses(questions []question) (all []class) {
	for _, name := range []string{"need", "batch", "comparison", "room"} {
		requests := slices.DeleteFunc(slices.Clone(questions), func(q question) bool { return q.class != name })
		all = append(all, class{name: name, status: http.StatusOK, requests: requests})
	}
	return all
}

// A side is a program that is measured, with its snapshots and its flags of serve.
type side struct {
	name, program, snapshots string
	flags                    []string
}

// playHTTP measures every class and prints its figures: those of sabine, the bare handler and nginx, or those
// of two sabines if -against or -beside describe the other one.
func playHTTP(r *run) record {
	for _, tool := range []string{"wrk", "nginx", "taskset"} {
		_, err := exec.LookPath(tool)
		step.Check(err, "make bench-http installs it")
	}
	wanted := step.Must(regexp.Compile(r.class))
	sides := []side{{results.Sabine, r.sabine, r.path("snapshots"), nil}}
	switch {
	case r.against != "":
		sides = append(sides, side{"other", r.against, r.path("other"), strings.Fields(r.beside)})
	case r.beside != "":
		sides = append(sides, side{"other", r.sabine, sides[0].snapshots, strings.Fields(r.beside)})
	}
	r.buildSides(sides)
	catalogue := newCatalogue(r.products, 0)
	g := step.Must(runtime.Open(r, sides[0].file()))
	products, classes := g.Products(), slices.Concat(detailClasses(g), searchClasses(catalogue.classes),
		otherClasses(catalogue.questions()))
	step.Check(g.Close())
	// An older program does not read the key file of a newer one.
	r.accounts = []string{r.createKey(sides[len(sides)-1].program, "load")}
	var sabines []*server
	for _, s := range sides {
		sabines = append(sabines, r.startSabine(&s))
	}
	out := step.Must(results.Append(r.out))
	for i := range classes {
		if wanted.MatchString(classes[i].name) {
			figures := r.measure(sabines, &classes[i], products)
			printFigures(figures)
			step.Check(out.Add(figures...))
		}
	}
	step.Check(out.Close())
	return nil
}

func printFigures(figures []results.Line) {
	if len(figures) == 2 { // the bodies show whether both programs do the same work
		now, other := figures[0], figures[1]
		printRow(fmt.Sprintf("%s, requests/s (%d, %d bytes)", now.Class, other.BodyBytes, now.BodyBytes), other.PerSecond,
			now.PerSecond)
		return
	}
	for _, f := range figures {
		fmt.Printf("%-28s %-6s %7.0f/s %3.0f %%  p99 %8v  cpu %6.1f µs %3.0f %%  %d bytes, median total %d\n", f.Class,
			f.Engine, f.PerSecond, 100*figures[0].PerSecond/f.PerSecond, f.P99, float64(f.CPU)/1000,
			100*float64(f.CPU)/float64(figures[0].CPU), f.BodyBytes, f.MedianTotal)
	}
}

// printRow prints a row of the table that compares two sabines.
func printRow(what string, other, now float64) {
	fmt.Printf("| %-62s | %9.1f | %9.1f | %6.3f |\n", what, other, now, now/other)
}

// buildSides builds the snapshots of the sides. It compares the builds of two programs by turns. It runs
// before the catalogue is in memory, since a process inherits the peak memory of the process that starts it.
func (r *run) buildSides(sides []side) {
	source := r.path("catalogue.ndjson")
	file := step.Must(os.Create(source))
	step.Check(synthetic.Generate(file, r.products, queries.Seed))
	step.Check(file.Close())
	if r.against == "" {
		sides[0].build(r, source)
	} else {
		var builds [2][]results.Line
		for range 3 {
			for i := range sides {
				builds[i] = append(builds[i], sides[i].build(r, source))
			}
		}
		now, other := median(builds[0]), median(builds[1])
		fmt.Printf("| %-62s | %9s | %9s | %6s |\n|---|--:|--:|--:|\n", fmt.Sprintf("%d products", r.products), "other", "now",
			"ratio")
		printRow("build, s", other.Seconds, now.Seconds)
		printRow("build, peak memory, MB", float64(other.PeakRSS)/1e6, float64(now.PeakRSS)/1e6)
		printRow("file, MB", float64(other.IndexBytes)/1e6, float64(now.IndexBytes)/1e6)
	}
	step.Check(os.Remove(source))
}

func (s *side) build(r *run, source string) results.Line {
	step.Check(os.RemoveAll(s.snapshots))
	c := exec.CommandContext(r, s.program, "build", source, "--out", s.snapshots)
	began := time.Now()
	printed, err := c.CombinedOutput()
	step.Check(err, s.program, "build", string(printed))
	return results.Line{Seconds: time.Since(began).Seconds(), IndexBytes: step.Must(os.Stat(s.file())).Size(),
		PeakRSS: c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10}
}

// file returns the path of the snapshot.
func (s *side) file() string {
	return append(step.Must(filepath.Glob(filepath.Join(s.snapshots, "*.snapshot"))), "no snapshot in "+s.snapshots)[0]
}

// measure sends the requests of a class to the engines by turns. The first line is sabine's. There are no
// lines if the other sabine does not answer the class.
func (r *run) measure(sabines []*server, c *class, products int) (figures []results.Line) {
	const turns = 5
	otherBytes := 0
	engines := slices.Clone(sabines)
	if len(sabines) > 1 {
		other := r.tagged(sabines[1], c)
		if err := step.Try(func() { _, otherBytes, _ = r.sample(sabines[1], other) }); err != nil {
			log.Printf("%s is not compared: the other program: %v", c.name, err)
			return nil
		}
		r.writeRequests(sabines[1].name, other.requests)
		c = r.tagged(sabines[0], c)
	}
	like, bodyBytes, medianTotal := r.sample(sabines[0], c)
	r.writeRequests(sabines[0].name, c.requests)
	if len(sabines) == 1 {
		engines = append(engines, r.startBare(like), r.startNginx(like))
		r.expect(engines[1], &c.requests[0], like)
		r.expect(engines[2], &c.requests[0], like)
		r.writeRequests(results.Bare, c.requests)
		r.writeRequests(results.Nginx, c.requests)
	}
	all := make([][]results.Line, len(engines))
	for n := range turns + 1 {
		for i, e := range engines {
			if turn := r.drive(e); n > 0 { // the first turn warms
				all[i] = append(all[i], turn)
			}
		}
	}
	for i, e := range engines {
		line := median(all[i])
		line.Key = results.Key{Suite: results.HTTP, Engine: e.name, Class: c.name, Products: products}
		line.BodyBytes, line.MedianTotal = bodyBytes, medianTotal
		figures = append(figures, line)
		if i >= len(sabines) {
			step.Check(e.stop(syscall.SIGTERM))
		}
	}
	if len(sabines) > 1 {
		figures[1].BodyBytes = otherBytes
	}
	return figures
}

// tagged returns a copy of a class with the tags that a server gives, since they differ between programs.
func (r *run) tagged(e *server, c *class) *class {
	tagged := *c
	tagged.requests = slices.Clone(c.requests)
	for i := range tagged.requests {
		if q := &tagged.requests[i]; q.tag != "" {
			q.tag = ""
			q.tag = step.Must(ask(r, e.address, q, r.accounts[0], "")).tag
		}
	}
	return &tagged
}

// A constant is one of sabine's answers to a class. The bare handler and nginx answer all its requests so.
type constant struct {
	Status int
	Header http.Header // of bareFields
	Body   []byte
}

// bareFields are the header fields that any server sends, with Date, which net/http and nginx add.
// Content-Encoding is there only for a compressed body, which a client could not read without it.
var bareFields = []string{"Content-Type", "Content-Length", "Etag", "Cache-Control", "Content-Encoding"}

// sample sends some requests of a class, evenly spread. It returns the answer whose body is nearest to the
// mean size, the mean size, and the median number of hits, 0 if the answers have none.
func (r *run) sample(sabine *server, c *class) (like *constant, bodyBytes, medianTotal int) {
	const sampled = 1000
	step.Check(os.Truncate(sabine.log(), 0)) // it has millions of lines after some classes
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
	like = &constant{a.status, http.Header{}, a.body}
	for _, name := range bareFields {
		if values := a.header[name]; values != nil {
			like.Header[name] = values
		}
	}
	return like, bodyBytes, quantile(totals, 0.5)
}

// expect ends the run unless a server answers with the status, the length and the header fields of a
// constant.
func (r *run) expect(e *server, q *question, want *constant) {
	a := step.Must(ask(r, e.address, q, r.accounts[0], ""))
	for name := range want.Header {
		if a.header[name] == nil {
			step.Check(fmt.Errorf("%s: GET %s: expected the header field %s, got %v", e.name, q.path, name, a.header))
		}
	}
	if a.status != want.Status || len(a.body) != len(want.Body) {
		step.Check(fmt.Errorf("%s: GET %s: expected status %d and %d bytes, got %v", e.name, q.path, want.Status,
			len(want.Body), a))
	}
}
