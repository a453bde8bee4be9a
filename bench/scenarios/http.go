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
	status   int    // status of every answer
	total    string // key of the number of hits in the body; "" if there is none
	requests []question
}

// details contains the classes of requests for one product with an API key. In classes that begin with
// "detail, ", the server compresses or composes each body. All other bodies are stored.
var details = []struct {
	name, query, coding, tag string // measure replaces the tag
	status                   int
}{
	{"detail", "", "", "", http.StatusOK},
	{"detail gzip", "", "gzip", "", http.StatusOK},
	{"detail not modified", "", "", "any", http.StatusNotModified},
	{"detail, zstd", "", "zstd", "", http.StatusOK},
	{"detail, geometry", "?include=geometry", "", "", http.StatusOK},
	{"detail, geometry gzip", "?include=geometry", "gzip", "", http.StatusOK},
}

// detailClasses requests the same random products in every run. Their bodies do not fit into a core's caches.
func detailClasses(g *runtime.Generation) (all []class) {
	order := rand.New(rand.NewPCG(1, 1)).Perm(g.Products())
	for _, d := range details {
		c := class{name: d.name, status: d.status}
		for _, n := range order[:min(20_000, len(order))] {
			path := detailPath + g.ID(column.Doc(n)).String() + d.query
			c.requests = append(c.requests, question{path: path, keyed: true, coding: d.coding, tag: d.tag})
		}
		all = append(all, c)
	}
	return all
}

// searchClasses returns the searches for the texts in all questions: public searches, searches with an API
// key with and without facets, and searches with an API key and facets for each class.
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

// otherClasses returns the classes of questions that are neither details nor text searches.
func otherClasses(questions []question) (all []class) {
	for _, name := range []string{"need", "batch", "comparison", "room"} {
		requests := slices.DeleteFunc(slices.Clone(questions), func(q question) bool { return q.class != name })
		all = append(all, class{name: name, status: http.StatusOK, requests: requests})
	}
	return all
}

const other = "other" // name of the sabine that -against and -beside describe

// A side is a program to measure, with its snapshots and its flags of serve.
type side struct {
	name, program, snapshots string
	flags                    []string
}

// playHTTP measures every class and prints the figures for sabine and the bare handler. If -against or
// -beside is set, it prints the figures for two sabines.
func playHTTP(r *run) record {
	wanted := step.Must(regexp.Compile(r.class))
	sides := []side{{results.Sabine, r.sabine, r.path("snapshots"), nil}}
	if r.against+r.beside != "" {
		sides = append(sides, side{other, cmp.Or(r.against, r.sabine), r.path(other), strings.Fields(r.beside)})
	}
	r.buildSides(sides)
	catalogue := newCatalogue(r.products, 0)
	g := step.Must(runtime.Open(r, sides[0].file()))
	products, classes := g.Products(), slices.Concat(detailClasses(g), searchClasses(catalogue.classes),
		otherClasses(catalogue.questions()))
	step.Check(g.Close())
	// An older program does not read a key file that a newer program has written.
	r.accounts = []string{r.createKey(sides[len(sides)-1].program, "load")}
	var sabines []*server
	for _, s := range sides {
		sabines = append(sabines, r.startSabine(&s))
	}
	out := step.Must(results.Append(r.out))
	for i := range classes {
		if wanted.MatchString(classes[i].name) {
			step.Check(out.Add(r.measure(sabines, &classes[i], products)...))
		}
	}
	step.Check(out.Close())
	return nil
}

func printFigures(figures []results.Line) {
	now, then := figures[0], figures[1]
	if then.Engine == other { // different body sizes show that the programs do different work
		printRow(fmt.Sprintf("%s, requests per CPU second (%d, %d bytes)", now.Class, then.BodyBytes, now.BodyBytes),
			perSecond(then.CPU), perSecond(now.CPU))
		return
	}
	for _, f := range figures {
		fmt.Printf("%-28s %-6s %7.0f/s %3.0f %%  p99 %8v  cpu %6.1f µs  %d bytes, median total %d\n", f.Class, f.Engine,
			f.PerSecond, 100*now.PerSecond/f.PerSecond, f.P99, float64(f.CPU)/1000, f.BodyBytes, f.MedianTotal)
	}
}

// perSecond returns the number of requests that a core handles per second if each takes d.
func perSecond(d time.Duration) float64 { return float64(time.Second) / float64(d) }

func printRow(what string, then, now float64) {
	fmt.Printf("| %-62s | %9.1f | %9.1f | %6.3f |\n", what, then, now, now/then)
}

// buildSides builds each side's snapshots. It alternates the builds of two sides and compares them. It runs
// before the catalogue is in memory, since a process inherits the peak memory of the process that starts it.
func (r *run) buildSides(sides []side) {
	source := r.path("catalogue.ndjson")
	file := step.Must(os.Create(source))
	step.Check(synthetic.Generate(file, r.products, queries.Seed))
	step.Check(file.Close())
	turns := 2*len(sides) - 1
	builds := make([][]results.Line, len(sides))
	for range turns {
		for i := range sides {
			builds[i] = append(builds[i], sides[i].build(r, source))
		}
	}
	step.Check(os.Remove(source))
	if now := median(builds[0]); len(sides) > 1 {
		then := median(builds[1])
		fmt.Printf("| %-62s | %9s | %9s | ratio  |\n|---|--:|--:|--:|\n", fmt.Sprint(r.products, " products"), other, "now")
		printRow("build, s", then.Seconds, now.Seconds)
		printRow("build, peak memory, MB", float64(then.PeakRSS)/1e6, float64(now.PeakRSS)/1e6)
		printRow("file, MB", float64(then.IndexBytes)/1e6, float64(now.IndexBytes)/1e6)
	}
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

func (s *side) file() string {
	return append(step.Must(filepath.Glob(filepath.Join(s.snapshots, "*.snapshot"))), "no snapshot in "+s.snapshots)[0]
}

// measure sends the requests of a class to sabine and to the bare handler in turn, or to two sabines at the
// same time. The first line is sabine's. If the other sabine does not answer the class, there are no lines.
func (r *run) measure(sabines []*server, c *class, products int) (figures []results.Line) {
	const turns = 5
	own := r.tagged(sabines[0], c)
	like, bodyBytes, medianTotal := r.sample(sabines[0], own)
	engines, drive, bytes := slices.Clone(sabines), r.driveTogether, [2]int{bodyBytes, bodyBytes}
	r.writeRequests(results.Sabine, own.requests)
	if len(sabines) == 1 {
		engines, drive = append(engines, r.startBare(like)), r.driveInTurn
		defer func() { step.Check(engines[1].stop(syscall.SIGTERM)) }()
	} else if err := step.Try(func() {
		own = r.tagged(sabines[1], c)
		_, bytes[1], _ = r.sample(sabines[1], own)
	}); err != nil {
		log.Printf("%s is not compared: the other program: %v", c.name, err)
		return nil
	}
	r.writeRequests(engines[1].name, own.requests)
	var all [2][]results.Line
	for n := range turns + 1 {
		for i, turn := range drive(engines) {
			if n > 0 { // the first turn only warms the caches
				all[i] = append(all[i], turn)
			}
		}
	}
	for i, e := range engines {
		line := median(all[i])
		line.Key = results.Key{Suite: results.HTTP, Engine: e.name, Class: c.name, Products: products}
		line.BodyBytes, line.MedianTotal = bytes[i], medianTotal
		figures = append(figures, line)
	}
	printFigures(figures)
	return figures
}

// tagged returns a copy of a class with a server's tags, since the tags differ between programs.
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

// A constant is one of sabine's answers to a class. The bare handler sends it in answer to all requests.
type constant struct {
	Status int
	Header http.Header // only the fields in bareFields
	Body   []byte
}

// bareFields are the header fields that any server sends, except Date, which net/http adds. Content-Encoding
// is only sent with compressed bodies, which a client cannot read without it.
var bareFields = []string{"Content-Type", "Content-Length", "Etag", "Cache-Control", "Content-Encoding"}

// sample sends up to about 1000 requests of a class, evenly spread. It returns the answer whose body size is
// nearest to the mean, the mean size, and the median number of hits, or 0 if the answers contain no number.
func (r *run) sample(sabine *server, c *class) (like *constant, bodyBytes, medianTotal int) {
	const sampled = 1000
	step.Check(os.Truncate(sabine.log(), 0)) // after some classes the log contains millions of lines
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
