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

	row := func(label string, cell func(band int, b *acoustics.Reverberation) string) {
		fmt.Fprintf(s.out, "%-*s", roomLabel, label)
		for i := range r.Bands {
			fmt.Fprintf(s.out, "%*s", roomColumn, cell(i, &r.Bands[i]))
		}
		fmt.Fprintln(s.out)
	}
	head := func(_ int, b *acoustics.Reverberation) string { return fmt.Sprintf("%d Hz", b.BandHz) }
	fmt.Fprintln(s.out)
	row("absorption in m²", head)
	for i := range r.Surfaces {
		row(fmt.Sprintf("surface %d", i+1), func(band int, _ *acoustics.Reverberation) string {
			return decimals(r.Surfaces[i].Absorption(band))
		})
	}
	row("air", func(_ int, b *acoustics.Reverberation) string { return decimals(b.AirM2) })
	if r.Target != "" {
		row("missing", func(_ int, b *acoustics.Reverberation) string { return decimals(r.Missing(b, r.TargetS)) })
	}

	fmt.Fprintln(s.out)
	row("reverberation time in s", head)
	row("Sabine", func(_ int, b *acoustics.Reverberation) string { return decimals(b.Sabine) })
	row("Eyring", func(_ int, b *acoustics.Reverberation) string { return decimals(b.Eyring) })
	if r.Target != "" {
		row("target", func(int, *acoustics.Reverberation) string { return decimals(target) })
	}
	if isUse {
		for i, label := range []string{"DIN 18041, at least", "DIN 18041, at most"} {
			row(label, func(_ int, b *acoustics.Reverberation) string {
				low, high := acoustics.DIN18041Tolerance(b.BandHz)
				return fmt.Sprintf("%.2f", [2]float64{low, high}[i]*target)
			})
		}
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

// decimals shows two decimals of a number that the API gives with three, and a time without end as such.
func decimals(v float64) string {
	if math.IsInf(v, 0) {
		return "∞"
	}
	return fmt.Sprintf("%.2f", acoustics.Rounded(v))
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

// axisTop returns the end of an axis for values up to the longest: its next half of a power of ten, 1 when it
// is 0.
func axisTop(longest float64) float64 {
	if longest == 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(longest))) / 2
	return math.Ceil(longest/unit) * unit
}
