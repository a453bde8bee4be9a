package main

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/urfave/cli/v2"

	"sabine/dataset/acoustics"
	"sabine/runtime"
	"sabine/serve"
)

func computeRoom(c *cli.Context, s streams, g *runtime.Generation) error {
	r, err := serve.Reverberation(g, searchQuery(c), searchFlag)
	if err != nil {
		return usageError{err}
	}
	if c.Bool("json") {
		_, err := fmt.Fprintf(s.out, "%s\n", serve.RoomJSON(r))
		return err
	}
	return printRoom(s, r)
}

// printRoom prints a room for people: the surfaces, the bands and the curve.
func printRoom(s streams, r *runtime.Room) error {
	fmt.Fprintf(s.out, "%s m³, %s", number(r.VolumeM3), climateOf(r.Air))
	target, isUse := acoustics.Rounded(r.TargetS), strings.HasPrefix(r.Target, "din18041:")
	switch {
	case isUse:
		fmt.Fprintf(s.out, ", target %s", plain(r.Target))
	case r.Target != "":
		fmt.Fprintf(s.out, ", target %s s", number(target))
	}
	fmt.Fprint(s.out, "\n\n")
	t := s.table()
	for i := range r.Surfaces {
		fmt.Fprintf(t, "surface %d\t%s m²\t%s\n", i+1, number(r.Surfaces[i].AreaM2), surfaceName(&r.Given[i]))
	}
	if err := t.Flush(); err != nil {
		return err
	}

	fmt.Fprintln(s.out)
	head := make([]string, len(r.Bands))
	for i := range r.Bands {
		head[i] = fmt.Sprintf("%d Hz", r.Bands[i].BandHz)
	}
	roomRow(s, "absorption in m²", head)
	for i := range r.Surfaces {
		cells := make([]string, len(r.Bands))
		for band := range cells {
			cells[band] = decimals(r.Surfaces[i].Absorption(band))
		}
		roomRow(s, fmt.Sprintf("surface %d", i+1), cells)
	}
	roomRow(s, "air", column(r, func(b *acoustics.Reverberation) float64 { return b.AirM2 }))
	if r.Target != "" {
		roomRow(s, "missing", column(r, func(b *acoustics.Reverberation) float64 { return r.Missing(b, r.TargetS) }))
	}

	fmt.Fprintln(s.out)
	roomRow(s, "reverberation time in s", head)
	roomRow(s, "Sabine", column(r, func(b *acoustics.Reverberation) float64 { return b.Sabine }))
	roomRow(s, "Eyring", column(r, func(b *acoustics.Reverberation) float64 { return b.Eyring }))
	if r.Target != "" {
		roomRow(s, "target", column(r, func(*acoustics.Reverberation) float64 { return target }))
	}
	if isUse {
		least, most := allowedTimes(r.Bands, target)
		roomRow(s, "DIN 18041, at least", least)
		roomRow(s, "DIN 18041, at most", most)
	}
	_, err := fmt.Fprintf(s.out, "\nSabine, s\n%s", drawTimes(r.Bands, target))
	return err
}

// climateOf says what the air is like.
func climateOf(air *acoustics.Climate) string {
	if air == nil {
		return "air that absorbs nothing"
	}
	return fmt.Sprintf("%s °C, %s %%", number(air.TemperatureC), number(air.HumidityPercent))
}

const (
	roomLabel  = 25 // characters of the first column of a room's tables
	roomColumn = 9  // characters of the others
)

// roomRow prints a row of a room's tables.
func roomRow(s streams, label string, cells []string) {
	fmt.Fprintf(s.out, "%-*s", roomLabel, label)
	for _, cell := range cells {
		fmt.Fprintf(s.out, "%*s", roomColumn, cell)
	}
	fmt.Fprintln(s.out)
}

// surfaceName names what a surface is of: a product with the entry that counts, or a curve.
func surfaceName(given *runtime.GivenSurface) string {
	if given.ID == "" {
		return plain(given.Text[:strings.LastIndexByte(given.Text, ':')])
	}
	name := plain(cmp.Or(given.Slug, given.ID))
	if given.Entry >= 0 {
		name += fmt.Sprintf("@%d", given.Entry)
	}
	return name
}

// column returns a row of cells: a value of every band.
func column(r *runtime.Room, value func(*acoustics.Reverberation) float64) []string {
	cells := make([]string, len(r.Bands))
	for i := range r.Bands {
		cells[i] = decimals(value(&r.Bands[i]))
	}
	return cells
}

// decimals shows two decimals of a number that the API gives with three, and a time without end as such.
func decimals(v float64) string {
	if math.IsInf(v, 0) {
		return "∞"
	}
	return fmt.Sprintf("%.2f", acoustics.Rounded(v))
}

// allowedTimes shows the shortest and the longest time that the standard allows around a target.
func allowedTimes(bands []acoustics.Reverberation, target float64) (least, most []string) {
	for i := range bands {
		low, high := acoustics.DIN18041Tolerance(bands[i].BandHz)
		least = append(least, fmt.Sprintf("%.2f", low*target))
		most = append(most, fmt.Sprintf("%.2f", high*target))
	}
	return least, most
}

// drawTimes draws the reverberation times after Sabine and the target, when there is one.
func drawTimes(bands []acoustics.Reverberation, target float64) string {
	d := drawing{line: target, note: fmt.Sprintf("target %.2f s", target)}
	longest := target
	for i := range bands {
		t := acoustics.Rounded(bands[i].Sabine)
		if !math.IsInf(t, 1) {
			longest = max(longest, t)
		}
		d.bands, d.values = append(d.bands, bandLabel(bands[i].BandHz)), append(d.values, t)
	}
	d.top = axisTop(longest)
	return d.String()
}

// axisTop returns the end of an axis for values up to the longest: its next half of a power of ten, 1 when it is 0.
func axisTop(longest float64) float64 {
	if longest == 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(longest))) / 2
	return math.Ceil(longest/unit) * unit
}
