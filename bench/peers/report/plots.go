package main

import (
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The plots, in a folder beside the report.
const (
	plotFolder  = "plots"
	latencyPlot = "latency.svg"
	growthPlot  = "growth.svg"
	httpPlot    = "http.svg"
	buildPlot   = "build.svg"
)

const width = vg.Length(600) // points: 800 pixels of a browser

// colours tell engines apart, for eyes that tell no red from green too: those of Okabe and Ito.
var colours = []color.Color{
	color.RGBA{0xd5, 0x5e, 0x00, 0xff}, color.RGBA{0x00, 0x72, 0xb2, 0xff}, color.RGBA{0x56, 0xb4, 0xe9, 0xff},
	color.RGBA{0x00, 0x9e, 0x73, 0xff}, color.RGBA{0xcc, 0x79, 0xa7, 0xff}, color.RGBA{0xe6, 0x9f, 0x00, 0xff},
	color.RGBA{0x55, 0x55, 0x55, 0xff}, color.RGBA{0xb0, 0xa0, 0x00, 0xff},
}

// plot draws what there are lines for and returns the names of the files.
func (r *results) plot(dir string) (names []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, p := range []struct {
		name string
		draw func() (*plot.Plot, vg.Length, error)
	}{
		{latencyPlot, r.plotLatency},
		{growthPlot, r.plotGrowth},
		{httpPlot, r.plotLoads},
		{buildPlot, r.plotBuilds},
	} {
		drawn, height, err := p.draw()
		if err != nil {
			return nil, err
		}
		path := filepath.Join(dir, p.name)
		if drawn == nil {
			if err := os.RemoveAll(path); err != nil { // of a report before
				return nil, err
			}
			continue
		}
		if err := save(drawn, height, path); err != nil {
			return nil, err
		}
		names = append(names, p.name)
	}
	return names, nil
}

func save(p *plot.Plot, height vg.Length, path string) error {
	c := vgsvg.New(width, height)
	p.Draw(draw.Crop(draw.New(c), 4, -12, 4, -4))
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := c.WriteTo(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func newPlot(title, axis string) *plot.Plot {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	plotter.DefaultFont = plot.DefaultFont
	p := plot.New()
	p.Title.Text = title
	p.Title.TextStyle.Font.Size = 14
	p.Title.Padding = 8
	p.X.Label.Text = axis
	p.Legend.Top = true
	p.Legend.ThumbnailWidth = 12
	p.Legend.Padding = 2
	return p
}

// A series is the values of an engine, one for each class; 0: none.
type series struct {
	name   string
	values plotter.Values
}

// addBars draws groups of horizontal bars, the first group and the first bar of a group at the top, and returns the height.
func addBars(p *plot.Plot, groups []string, all []series, barWidth vg.Length) (vg.Length, error) {
	grid := plotter.NewGrid()
	grid.Horizontal.Width = 0
	p.Add(grid)
	for i, s := range all {
		upwards := make(plotter.Values, len(s.values))
		for n, v := range s.values {
			upwards[len(upwards)-1-n] = v
		}
		bars, err := plotter.NewBarChart(upwards, barWidth)
		if err != nil {
			return 0, err
		}
		bars.Horizontal = true
		bars.LineStyle.Width = 0
		bars.Color = colours[i%len(colours)]
		bars.Offset = barWidth * vg.Length(float64(len(all)-1)/2-float64(i))
		p.Add(bars)
		p.Legend.Add(s.name, bars)
	}
	names := make([]string, len(groups))
	for i, name := range groups {
		names[len(names)-1-i] = name
	}
	p.NominalY(names...)
	p.Y.Min, p.Y.Max = -0.6, float64(len(groups))-0.4
	return vg.Length(len(groups))*(barWidth*vg.Length(len(all))+6) + 90, nil
}

// A logScale is logarithmic; what lies below its range, as the foot of a bar does, lies at its end.
type logScale struct{ plot.LogScale }

func (s logScale) Normalize(low, high, x float64) float64 {
	return s.LogScale.Normalize(low, high, max(x, low))
}

// decades are ticks at the powers of ten, and between them.
type decades struct{}

func (decades) Ticks(low, high float64) (ticks []plot.Tick) {
	for e := math.Floor(math.Log10(low)); e <= math.Floor(math.Log10(high)+1e-9); e++ {
		power := math.Pow(10, e)
		ticks = append(ticks, plot.Tick{Value: power, Label: strconv.FormatFloat(power, 'f', -1, 64)})
		for i := 2.0; i < 10 && i*power <= high; i++ {
			ticks = append(ticks, plot.Tick{Value: i * power})
		}
	}
	return ticks
}

func logarithmic(a *plot.Axis, low, high float64) {
	a.Scale, a.Tick.Marker = logScale{}, decades{}
	a.Min, a.Max = math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Ceil(math.Log10(high)))
}

func (r *results) plotLatency() (*plot.Plot, vg.Length, error) {
	classes := r.classes(middle)
	if len(classes) == 0 {
		return nil, 0, nil
	}
	p := newPlot("A question to 100,000 products: p50 by class and engine, shorter is faster", "milliseconds, logarithmic")
	var groups []string
	var all []series
	low, high := math.Inf(1), 0.0
	for _, name := range engines(classes) {
		s := series{name: name}
		for _, c := range classes {
			l, ok := c.of(name)
			if ms := l.P50 / 1e6; ok {
				low, high = min(low, ms), max(high, ms)
			}
			s.values = append(s.values, l.P50/1e6)
		}
		all = append(all, s)
	}
	for _, c := range classes {
		groups = append(groups, c.name)
	}
	height, err := addBars(p, groups, all, 5)
	logarithmic(&p.X, low, high)
	return p, height, err
}

func (r *results) plotLoads() (*plot.Plot, vg.Length, error) {
	loads := r.loads()
	if len(loads) == 0 {
		return nil, 0, nil
	}
	p := newPlot("HTTP, one core for the server: longer is more", "requests a second")
	var groups []string
	all := []series{{name: subject}, {name: bareHandler}, {name: nginx}}
	for _, l := range loads {
		groups = append(groups, l.name)
		for i := range all {
			all[i].values = append(all[i].values, l.lines[all[i].name].PerSecond)
		}
	}
	height, err := addBars(p, groups, all, 5)
	p.X.Min = 0
	p.X.Max *= 1.2 // room for the legend
	return p, height, err
}

func (r *results) plotBuilds() (*plot.Plot, vg.Length, error) {
	builds := r.sharedBuilds()
	if len(builds) == 0 {
		return nil, 0, nil
	}
	p := newPlot("Building the index of 100,000 products; gjson only validates them", "MB of source a second, logarithmic")
	var groups []string
	s := series{name: "MB/s"}
	low, high := math.Inf(1), 0.0
	for _, b := range builds {
		groups = append(groups, b.Engine+", "+strconv.FormatFloat(b.MBPerS, 'f', 1, 64))
		s.values = append(s.values, b.MBPerS)
		low, high = min(low, b.MBPerS), max(high, b.MBPerS)
	}
	height, err := addBars(p, groups, []series{s}, 14)
	p.Legend = plot.NewLegend()
	logarithmic(&p.X, min(low, 1), high)
	return p, height, err
}

// plotGrowth draws a line for each class, those with text, without, and with facets in colours of their own.
func (r *results) plotGrowth() (*plot.Plot, vg.Length, error) {
	kinds := []struct {
		name  string
		holds func(*class) bool
		seen  bool
	}{
		{"strict text", (*class).strict, false},
		{"loose text", (*class).loose, false},
		{"facets", func(c *class) bool { return c.facets }, false},
		{"filters and orders", func(*class) bool { return true }, false},
	}
	p := newPlot("sabine's p50 by number of products, a line for each class", "products, logarithmic")
	p.Y.Label.Text = "milliseconds, logarithmic"
	p.Legend.Top = false // where no lines are
	p.Add(plotter.NewGrid())
	facets := map[string]class{}
	for _, size := range sizes {
		for _, c := range r.classes(size) {
			facets[c.name] = c
		}
	}
	low, high := math.Inf(1), 0.0
	for _, g := range r.growth() {
		var points plotter.XYs
		for i, ns := range g.p50 {
			if ns > 0 {
				points = append(points, plotter.XY{X: float64(sizes[i]), Y: ns / 1e6})
			}
		}
		if len(points) < 2 {
			continue
		}
		for _, point := range points {
			low, high = min(low, point.Y), max(high, point.Y)
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, 0, err
		}
		c := facets[g.class]
		for i := range kinds {
			if !kinds[i].holds(&c) {
				continue
			}
			line.Color, line.Width = colours[i], 1.2
			dots.Color, dots.Shape, dots.Radius = colours[i], draw.CircleGlyph{}, 2
			if !kinds[i].seen {
				p.Legend.Add(kinds[i].name, line, dots)
				kinds[i].seen = true
			}
			break
		}
		p.Add(line, dots)
	}
	if high == 0 {
		return nil, 0, nil
	}
	logarithmic(&p.X, small, large)
	logarithmic(&p.Y, low, high)
	return p, 420, nil
}
