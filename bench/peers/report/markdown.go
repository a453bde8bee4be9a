package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A document is Markdown; it keeps the first error of writing.
type document struct {
	w   io.Writer
	err error
}

func (d *document) printf(format string, args ...any) {
	if d.err == nil {
		_, d.err = fmt.Fprintf(d.w, format, args...)
	}
}

// heading begins a section.
func (d *document) heading(title string) { d.printf("\n## %s\n\n", title) }

// table writes rows under columns; the first left columns are text, the others figures. Without rows it says so.
func (d *document) table(left int, columns []string, rows [][]string) {
	if len(rows) == 0 {
		d.printf("Not measured yet.\n")
		return
	}
	d.printf("| %s |\n|", strings.Join(columns, " | "))
	for i := range columns {
		if i < left {
			d.printf("---|")
		} else {
			d.printf("--:|")
		}
	}
	d.printf("\n")
	for _, row := range rows {
		d.printf("| %s |\n", strings.Join(row, " | "))
	}
}

// picture shows one of the plots, if it was made.
func (d *document) picture(plots []string, name, says string) {
	if slices.Contains(plots, name) {
		d.printf("\n![%s](%s/%s)\n", says, plotFolder, name)
	}
}

// write writes all of the report that is made of lines.
func (r *results) write(w io.Writer, plots []string) error {
	d := &document{w: w}
	d.printf("# Speed, measured against what users would pick instead\n\n")
	d.printf("<!-- make bench-report writes this file of bench/results.ndjson and bench/notes.md. -->\n\n")
	if m := r.machine; m != (machineLine{}) {
		d.printf("%s, %d cores, %s. ", m.Processor, m.Cores, m.Go)
	}
	d.printf("%s\n", r.period())
	d.printf(`
A generated catalogue is built into an index by each engine, and the engines answer the same question: they are given the text
that somebody might type and nothing else, and return the first page of 20 with the exact number of all hits and, where facets are asked for, the
counts of the six families. What a hit is, the API defines: all words in any field, as they are, by their stems, as parts of compounds, the last one as a
beginning, by synonyms, or a whole name; if nothing has them, with typing errors; then similar names; then most of the words. The peers
index all that as terms, which sabine's analyser makes, and search them as cleverly as we know how to. A table below tells how often their number of hits is the same as
ours. Ranking is by the same buckets, but coarser. Beside that stands what the fastest peer needs when it is told what kind of text it is, and so asks for
that alone: that a text is the beginning of a name, say, which no server knows.

The questions are made of the catalogue's own products, class by class, by a fixed seed, so that every run asks the same. Each engine works in a process of its own and
answers all questions of a class in a row, as a server under load does; the engines take turns, one round unmeasured and three measured, or one
where a round takes more than a second. A measured round goes through the questions over and over for 200 ms, and its first time through does not count unless it takes longer. A class of which an engine does not come to the end in three seconds has fewer questions, for all. Over HTTP the
server has one core and wrk the other; the bare handler and nginx send a constant body of the size of ours, with the same header fields.
Where a table has a ratio, both of its sides are from one run, but for those between catalogues of different sizes, of which each has a run of its own;
single times differ between machines.

Repeat it with ` + "`make bench-peers bench-http bench-report`" + `; for the growth, with ` + "`BENCH_ENGINES=sabine BENCH_PRODUCTS=1000000 make bench-peers`" + `
and the same with 10000.
`)
	if missing := r.missing(); len(missing) > 0 {
		d.printf("\nWhat this report leaves out:\n\n")
		for _, sentence := range missing {
			d.printf("- %s\n", sentence)
		}
	}
	d.heading("The bars")
	d.writeBars(r.bars())
	d.heading("Latency")
	d.writeLatency(r.classes(middle))
	d.picture(plots, latencyPlot, "p50 by class and engine")
	d.heading("Quality of the answers")
	d.writeQuality(r.classes(middle))
	d.heading("Growth")
	d.writeGrowth(r.growth())
	d.picture(plots, growthPlot, "p50 by number of products")
	d.heading("HTTP")
	d.writeLoads(r.loads())
	d.picture(plots, httpPlot, "requests a second by class and server")
	d.heading("Build")
	d.writeBuilds(r)
	d.picture(plots, buildPlot, "source read per second by engine")
	d.heading("Opening a snapshot, and memory")
	d.writeOpens(r.opens)
	d.heading("What a snapshot's bytes are")
	d.writeSections(r)
	return d.err
}

// period tells from when the lines are.
func (r *results) period() string {
	var days []string
	for _, l := range r.searches {
		days = append(days, l.Date)
	}
	for _, l := range r.builds {
		days = append(days, l.Date)
	}
	if len(days) == 0 {
		return ""
	}
	first, last := day(slices.Min(days)), day(slices.Max(days))
	if first == last {
		return "Measured on " + first + "."
	}
	return "Measured from " + first + " to " + last + "."
}

func day(date string) string { return date[:min(len(date), len("2006-01-02"))] }

func (d *document) writeBars(bars []bar) {
	var rows [][]string
	for _, b := range bars {
		rows = append(rows, []string{b.what, b.limit, b.measured, string(b.verdict)})
	}
	d.table(4, []string{"What", "Bar", "Measured", "Met?"}, rows)
	d.printf("\nThe bar of allocations, none for a detail, at most five for a strict search, three more with facets and two more "+
		"for each word that has to be stemmed (one that no product has, or an inflected form of a listed synonym), "+
		"is held by the tests of package `runtime`. Strict classes: %s. Loose ones, which typos and trigrams may answer: %s.\n",
		strings.Join(strictClasses, ", "), strings.Join(looseClasses, ", "))
}

func (d *document) writeLatency(classes []class) {
	if len(classes) > 0 {
		d.printf("%s products; p50 / p99 in milliseconds. The ratio is that of the fastest peer's p50 to sabine's. The last columns "+
			"have the p50 of the peer that is the fastest when told the class, which is another question.\n",
			grouped(classes[0].lines[0].Products))
	}
	names := engines(classes)
	columns := slices.Concat([]string{"Class"}, names, []string{"Median total", "Questions", "Fastest peer", "Ratio", "Told", "by"})
	groups := []struct {
		title string
		holds func(*class) bool
	}{
		{"Text", func(c *class) bool { return c.strict() || c.loose() }},
		{"Filters and orders", func(c *class) bool { return !c.strict() && !c.loose() && !c.facets }},
		{"With facets of all families", func(c *class) bool { return c.facets }},
	}
	for _, g := range groups {
		var rows [][]string
		for _, c := range classes {
			if !g.holds(&c) {
				continue
			}
			row := []string{c.name}
			for _, name := range names {
				l, ok := c.of(name)
				row = append(row, unless(!ok, milliseconds(l.P50)+" / "+milliseconds(l.P99)))
			}
			ours, ok := c.of(subject)
			row = append(row, unless(!ok, grouped(ours.MedianTotal)), unless(!ok, grouped(ours.Questions)))
			ratio, fastest, ok := c.ratio()
			row = append(row, fastest, unless(!ok, times(ratio)))
			told, ok := c.fastestTold()
			rows = append(rows, append(row, unless(!ok, milliseconds(told.P50)), told.Engine))
		}
		d.printf("\n### %s\n\n", g.title)
		d.table(1, columns, rows)
	}
}

func (d *document) writeQuality(classes []class) {
	d.printf("The share of a class's questions that have a good answer, by the rule of their class, among the first ten hits.\n\n")
	names := engines(classes)
	d.writeShares(classes, names, func(l *searchLine) *float64 { return l.Success10 })
	d.printf("\nThe share of a class's questions to which a peer finds as many products as sabine.\n\n")
	peers := slices.DeleteFunc(names, func(name string) bool { return name == subject })
	d.writeShares(classes, peers, func(l *searchLine) *float64 { return l.SameTotal })
}

// writeShares writes what engines have of a share in the classes, without those with facets, which ask the same.
func (d *document) writeShares(classes []class, names []string, share func(*searchLine) *float64) {
	var rows [][]string
	for _, c := range classes {
		row := []string{c.name}
		has := false
		for _, name := range names {
			l, _ := c.of(name)
			cell := ""
			if s := share(&l); s != nil {
				cell, has = fmt.Sprintf("%.2f", *s), true
			}
			row = append(row, cell)
		}
		if has && (c.strict() || c.loose()) {
			rows = append(rows, row)
		}
	}
	d.table(1, append([]string{"Class"}, names...), rows)
}

func (d *document) writeGrowth(all []growth) {
	d.printf("p50 of sabine by the number of products, and the factor from one size to the next.\n\n")
	var rows [][]string
	for _, g := range all {
		row := []string{g.class}
		for _, ns := range g.p50 {
			row = append(row, unless(ns == 0, milliseconds(ns)))
		}
		for i := 1; i < len(g.p50); i++ {
			row = append(row, unless(g.p50[i-1] == 0 || g.p50[i] == 0, times(g.p50[i]/g.p50[i-1])))
		}
		rows = append(rows, row)
	}
	d.table(1, []string{"Class", "10,000: ms", "100,000: ms", "1,000,000: ms", "10,000 to 100,000", "100,000 to 1,000,000"}, rows)
}

func (d *document) writeLoads(loads []load) {
	d.printf("Requests a second and p99 in milliseconds, of a server on one core.\n\n")
	servers := []string{subject, bareHandler, nginx}
	var rows [][]string
	for _, l := range loads {
		ours := l.lines[subject]
		row := []string{l.name}
		for _, name := range servers {
			line, ok := l.lines[name]
			row = append(row, unless(!ok, grouped(int(line.PerSecond))+" / "+milliseconds(line.P99)))
		}
		for _, name := range servers[1:] {
			share, ok := l.share(name)
			row = append(row, unless(!ok, percent(share)))
		}
		rows = append(rows, append(row, grouped(ours.BodyBytes), unless(ours.MedianTotal == 0, grouped(ours.MedianTotal))))
	}
	d.table(1, []string{"Class", "sabine", "bare handler", "nginx", "of bare", "of nginx", "Body bytes", "Median total"}, rows)
}

func (d *document) writeBuilds(r *results) {
	d.printf("Each engine builds its index from the same NDJSON. gjson only tells of each line that it is valid JSON, on one core: the pace that " +
		"no reader of the file on one core can beat. PostgreSQL's memory is its server's, and not measured.\n\n")
	builds := r.sharedBuilds()
	if ten, ok := r.build(10); ok {
		builds = append(builds, ten)
	}
	var rows [][]string
	for _, b := range builds {
		pace := ""
		if i := slices.IndexFunc(builds, func(v buildLine) bool { return v.Engine == validator }); i >= 0 {
			pace = percent(b.MBPerS / builds[i].MBPerS)
		}
		rows = append(rows, []string{
			b.Engine, megabytes(b.SourceBytes), fmt.Sprintf("%.1f", b.Seconds), fmt.Sprintf("%.1f", b.MBPerS), pace,
			unless(b.PeakRSS == 0, mebibytes(b.PeakRSS)), unless(b.IndexBytes == 0, megabytes(b.IndexBytes)),
			unless(b.IndexBytes == 0, times(b.IndexBytes/b.SourceBytes)),
		})
	}
	d.table(1, []string{"Engine", "Source", "Seconds", "MB/s", "of gjson's pace", "Peak memory", "Index", "to the source"}, rows)
}

func (d *document) writeOpens(opens []openLine) {
	d.printf("Opening is without verification, the median of 50; the checksums of all sections are made from a warm page cache; the Go heap is " +
		"the most that a process has in use while it answers the questions of every class. The snapshot itself is page cache.\n\n")
	var rows [][]string
	for _, o := range opens {
		rows = append(rows, []string{grouped(o.Products), milliseconds(o.Open), gigabytesPerSecond(o.VerifyPace), mebibytes(o.Heap)})
	}
	d.table(0, []string{"Products", "Open: ms", "Checksums", "Go heap in use"}, rows)
}

// writeSections tells the sections of the snapshot of 100,000 products, or else of what there is, the greatest first.
func (d *document) writeSections(r *results) {
	var of openLine
	for _, o := range r.opens {
		if of.Products == 0 || near(float64(o.Products), middle) {
			of = o
		}
	}
	var sections []sectionLine
	sum := 0.0
	for _, s := range r.sections {
		if s.Products == of.Products {
			sections = append(sections, s)
			sum += s.Bytes
		}
	}
	slices.SortStableFunc(sections, func(a, b sectionLine) int { return int(b.Bytes) - int(a.Bytes) })
	var rows [][]string
	for _, s := range append(sections, sectionLine{sectionKey{of.Products, "all"}, sum}) {
		if sum > 0 {
			rows = append(rows, []string{
				s.Section, grouped(int(s.Bytes)), percent(s.Bytes / sum), unless(of.SourceBytes == 0, fmt.Sprintf("%.3f", s.Bytes/of.SourceBytes)),
			})
		}
	}
	if sum > 0 {
		d.printf("%s products; equal parts are stored once.\n\n", grouped(of.Products))
	}
	d.table(1, []string{"Section", "Bytes", "of all", "to the source"}, rows)
}

// unless returns a cell, or an empty one where there is no figure.
func unless(absent bool, cell string) string {
	if absent {
		return ""
	}
	return cell
}

// milliseconds shows nanoseconds with three figures that count.
func milliseconds(ns float64) string {
	ms := ns / 1e6
	switch {
	case ms >= 100:
		return fmt.Sprintf("%.0f", ms)
	case ms >= 10:
		return fmt.Sprintf("%.1f", ms)
	case ms >= 1:
		return fmt.Sprintf("%.2f", ms)
	}
	return fmt.Sprintf("%.3f", ms)
}

func times(v float64) string {
	if v >= 100 {
		return fmt.Sprintf("%.0f ×", v)
	}
	return fmt.Sprintf("%.1f ×", v)
}

func percent(v float64) string            { return fmt.Sprintf("%.1f %%", 100*v) }
func mebibytes(v float64) string          { return fmt.Sprintf("%.0f MiB", v/(1<<20)) }
func megabytes(v float64) string          { return fmt.Sprintf("%.0f MB", v/1e6) }
func megabytesPerSecond(v float64) string { return fmt.Sprintf("%.1f MB/s", v) }
func gigabytesPerSecond(v float64) string { return fmt.Sprintf("%.2f GB/s", v/1e9) }

// grouped shows a number with commas between the thousands.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
