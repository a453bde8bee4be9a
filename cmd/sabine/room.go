package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
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
		fmt.Fprintf(s.out, "%s\n", serve.RoomJSON(nil, r))
	} else {
		printRoom(s, r)
	}
	return nil
}

// printRoom prints a room as text: its surfaces and objects, the results by band, a curve, and the required
// areas of the products in --fill. Surfaces are numbered from 0, as in --covers.
func printRoom(s streams, r *runtime.Room) {
	fmt.Fprintf(s.out, "%s m³, %s", number(r.VolumeM3), climateOf(r.Air))
	switch {
	case strings.HasPrefix(r.Target, "din18041:"):
		fmt.Fprintf(s.out, ", target %s", plain(r.Target))
	case r.Target != "":
		fmt.Fprintf(s.out, ", target %s s", number(acoustics.Rounded(r.Goal.Seconds)))
	}
	fmt.Fprintln(s.out)
	if len(r.Surfaces)+len(r.Placed) > 0 {
		fmt.Fprintln(s.out)
	}
	s.printTable(func(t io.Writer) {
		for i := range r.Surfaces {
			fmt.Fprintf(t, "surface %d\t%s m²\t%s\n", i, number(r.Surfaces[i].AreaM2), surfaceName(&r.Given[i]))
		}
		for i := range r.Placed {
			o := &r.Placed[i]
			fmt.Fprintf(t, "object %d\t%d\t%s", i, o.Count, o.Name)
			if !o.Counted {
				fmt.Fprint(t, ", not counted: the target is for the empty room")
			}
			fmt.Fprintln(t)
		}
	})
	printAbsorption(s, r)
	if r.Goal.PerM > 0 {
		printRatios(s, r)
	} else {
		printTimes(s, r)
	}
	printFills(s, r)
}

// roomRow prints a row with one cell for each band.
func roomRow(s streams, r *runtime.Room, label string, cell func(b *acoustics.Reverberation) string) {
	fmt.Fprintf(s.out, "%-*s", roomLabel, label)
	for i := range r.Bands {
		fmt.Fprintf(s.out, "%*s", roomColumn, cell(&r.Bands[i]))
	}
	fmt.Fprintln(s.out)
}

func bandHead(b *acoustics.Reverberation) string { return fmt.Sprintf("%d Hz", b.BandHz) }

func printAbsorption(s streams, r *runtime.Room) {
	row := func(label string, of func(band int) float64) {
		roomRow(s, r, label, func(b *acoustics.Reverberation) string {
			return decimals(of(slices.Index(acoustics.RoomBands, b.BandHz)))
		})
	}
	fmt.Fprintln(s.out)
	roomRow(s, r, "absorption in m²", bandHead)
	for i := range r.Surfaces {
		row(fmt.Sprintf("surface %d", i), r.Surfaces[i].Absorption)
	}
	for i := range r.Placed {
		if r.Placed[i].Counted {
			row(fmt.Sprintf("object %d", i), r.Placed[i].Absorption)
		}
	}
	if r.Goal.PerM > 0 {
		return
	}
	roomRow(s, r, "air", func(b *acoustics.Reverberation) string { return decimals(b.AirM2) })
	if r.Target != "" {
		roomRow(s, r, "missing", func(b *acoustics.Reverberation) string { return decimals(r.Missing(b, r.Goal.Seconds)) })
	}
}

// printRatios prints the ratio A/V, which DIN 18041 requires for group B rooms.
func printRatios(s streams, r *runtime.Room) {
	ratio := func(v float64) string { return strings.Replace(fmt.Sprintf("%.3f", v), "NaN", "–", 1) }
	fmt.Fprintln(s.out)
	roomRow(s, r, "A/V in 1/m", bandHead)
	roomRow(s, r, "reached", func(b *acoustics.Reverberation) string { return ratio(r.PerM(b)) })
	roomRow(s, r, "required, at least", func(*acoustics.Reverberation) string { return ratio(r.Goal.PerM) })
	printVerdicts(s, r)
}

func printTimes(s streams, r *runtime.Room) {
	target := acoustics.Rounded(r.Goal.Seconds)
	fmt.Fprintln(s.out)
	roomRow(s, r, "reverberation time in s", bandHead)
	roomRow(s, r, "Sabine", func(b *acoustics.Reverberation) string { return decimals(b.Sabine) })
	roomRow(s, r, "Eyring", func(b *acoustics.Reverberation) string { return decimals(b.Eyring) })
	if r.Target != "" {
		roomRow(s, r, "target", func(*acoustics.Reverberation) string { return decimals(target) })
		for i, label := range []string{"at least", "at most"} {
			if r.Goal.DIN18041 {
				label = "DIN 18041, " + label
			}
			roomRow(s, r, label, func(b *acoustics.Reverberation) string {
				low, high, judged := r.Goal.Tolerance(b.BandHz)
				if !judged {
					return "–"
				}
				return fmt.Sprintf("%.2f", [2]float64{low, high}[i]*target)
			})
		}
		printVerdicts(s, r)
	}
	if len(r.Surfaces) > 0 {
		fmt.Fprintf(s.out, "\nSabine, s\n%s", drawTimes(r.Bands, target))
	}
}

func printVerdicts(s streams, r *runtime.Room) {
	roomRow(s, r, "verdict", func(b *acoustics.Reverberation) string {
		verdict := r.Judge(r.Goal, b)
		if verdict == acoustics.Long && r.Goal.PerM > 0 {
			return "too low"
		}
		return cmp.Or(string(verdict), "–")
	})
}

// printFills prints the area that the room requires of each product in --fill.
func printFills(s streams, r *runtime.Room) {
	if len(r.Fills) == 0 {
		return
	}
	fmt.Fprint(s.out, "\nfill")
	if r.Covers >= 0 {
		fmt.Fprintf(s.out, ", in place of surface %d", r.Covers)
	}
	for i := range r.Fills {
		f := &r.Fills[i]
		fmt.Fprintf(s.out, "\n  %s: ", surfaceName(&f.GivenSurface))
		switch {
		case f.Reason != "":
			fmt.Fprintf(s.out, "no area;\n    %s", f.Reason.Explain())
		case f.Complete:
			fmt.Fprintf(s.out, "%s m²", number(f.AreaM2))
		default:
			fmt.Fprintf(s.out, "%s m², from 250 to 2000 Hz", number(f.AreaM2))
		}
	}
	fmt.Fprintln(s.out)
}

func climateOf(air *acoustics.Climate) string {
	if air == nil {
		return "air absorption ignored"
	}
	return fmt.Sprintf("%s °C, %s %%", number(air.TemperatureC), number(air.HumidityPercent))
}

const (
	roomLabel  = 25 // width of the first column in characters
	roomColumn = 9  // width of the other columns in characters
)

// surfaceName returns the name of a surface's material: a product with the index of its entry, or a curve.
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

// decimals formats a number with two decimals (the API has three), infinity as ∞ and NaN as a dash.
func decimals(v float64) string {
	switch {
	case math.IsInf(v, 0):
		return "∞"
	case math.IsNaN(v):
		return "–"
	}
	return fmt.Sprintf("%.2f", acoustics.Rounded(v))
}

// drawTimes draws the Sabine reverberation times, and the target unless it is 0.
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

// axisTop returns the upper end of an axis for values up to longest. It rounds longest up to a multiple of
// half its power of ten. It returns 1 for 0.
func axisTop(longest float64) float64 {
	if longest == 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(longest))) / 2
	return math.Ceil(longest/unit) * unit
}
