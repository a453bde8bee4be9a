package main

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/urfave/cli/v2"

	"sabine/dataset/acoustics"
	"sabine/runtime"
	"sabine/serve"
)

// roomFlags are the parameters of the API's reverberation, under its names.
var roomFlags = []struct{ name, usage string }{
	{"volume", "the room's volume in `M3`"},
	{"surface", "`WHAT:M2`: a product's id or slug, with @ and the index or the id of an entry, or a curve, and its area; once for each surface"},
	{"air", "`C,PERCENT`: temperature and relative humidity, 20,50 when it is not given, or none for air that absorbs nothing"},
	{"target", "a reverberation time in `SECONDS`, or din18041:A1 to din18041:A5"},
}

func roomCommand(s streams) *cli.Command {
	command := &cli.Command{
		Name:      "room",
		Usage:     "compute the reverberation time of a room from products of the current snapshot",
		UsageText: "sabine room --volume M3 --surface WHAT:M2 [--surface …] [--air C,PERCENT] [--target …] [--json]",
		Description: "Reverberation times after Sabine and Eyring in octaves from 125 to 4000 Hz, and what is missing for the target.\n" +
			"A product's most absorptive entry counts unless one is named. --json prints the API's response. Example:\n" +
			"   sabine room --volume 180 --target din18041:A3 --surface akustikpaneel-fichte-40:64 \\\n" +
			"     --surface 125:0.02,250:0.03,500:0.03,1000:0.04,2000:0.05,4000:0.05:154",
		Flags:  []cli.Flag{snapshotsFlag(), jsonFlag()},
		Before: takes(0, 0),
		Action: func(c *cli.Context) error {
			return withCurrent(c, func(g *runtime.Generation) error { return computeRoom(c, s, g) })
		},
	}
	for _, f := range roomFlags {
		command.Flags = append(command.Flags, newListFlag(f.name, f.usage))
	}
	return command
}

func computeRoom(c *cli.Context, s streams, g *runtime.Generation) error {
	query := url.Values{}
	for _, f := range roomFlags {
		query[f.name] = c.StringSlice(f.name)
	}
	body, err := serve.Reverberation(g, query.Encode(), func(parameter string) string { return "--" + parameter })
	if err != nil {
		return usageError{err}
	}
	if c.Bool("json") {
		_, err := fmt.Fprintf(s.out, "%s\n", body)
		return err
	}
	return printRoom(s, gjson.ParseBytes(body))
}

// printRoom prints a Reverberation for people: the surfaces, the bands and the curve.
func printRoom(s streams, r gjson.Result) error {
	fmt.Fprintf(s.out, "%s m³, %s", r.Get("volume_m3"), climateOf(r.Get("air")))
	bands := r.Get("bands").Array()
	target, isUse := bands[0].Get("target_s"), strings.HasPrefix(r.Get("target").String(), "din18041:")
	switch {
	case isUse:
		fmt.Fprintf(s.out, ", target %s", plain(r.Get("target").String()))
	case target.Type != gjson.Null:
		fmt.Fprintf(s.out, ", target %s s", target)
	}
	fmt.Fprint(s.out, "\n\n")
	surfaces := r.Get("surfaces").Array()
	t := s.table()
	for i, surface := range surfaces {
		fmt.Fprintf(t, "surface %d\t%s m²\t%s\n", i+1, surface.Get("area_m2"), surfaceName(surface))
	}
	if err := t.Flush(); err != nil {
		return err
	}

	fmt.Fprintln(s.out)
	head := make([]string, len(bands))
	for i, b := range bands {
		head[i] = b.Get("band").String() + " Hz"
	}
	roomRow(s, "absorption in m²", head)
	for i, surface := range surfaces {
		var cells []string
		surface.Get("absorption_m2").ForEach(func(_, area gjson.Result) bool {
			cells = append(cells, decimals(area))
			return true
		})
		roomRow(s, fmt.Sprintf("surface %d", i+1), cells)
	}
	roomRow(s, "air", column(bands, "air_m2"))
	if target.Type != gjson.Null {
		roomRow(s, "missing", column(bands, "missing_m2"))
	}

	fmt.Fprintln(s.out)
	roomRow(s, "reverberation time in s", head)
	roomRow(s, "Sabine", column(bands, "sabine_s"))
	roomRow(s, "Eyring", column(bands, "eyring_s"))
	if target.Type != gjson.Null {
		roomRow(s, "target", column(bands, "target_s"))
	}
	if isUse {
		least, most := allowedTimes(bands, target.Float())
		roomRow(s, "DIN 18041, at least", least)
		roomRow(s, "DIN 18041, at most", most)
	}
	_, err := fmt.Fprintf(s.out, "\nSabine, s\n%s", drawTimes(bands, target.Float()))
	return err
}

// climateOf says what the air is like.
func climateOf(air gjson.Result) string {
	if air.Type == gjson.Null {
		return "air that absorbs nothing"
	}
	return fmt.Sprintf("%s °C, %s %%", air.Get("temperature_c"), air.Get("humidity_percent"))
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
func surfaceName(surface gjson.Result) string {
	if surface.Get("id").Type == gjson.Null {
		what := surface.Get("surface").String()
		return plain(what[:strings.LastIndexByte(what, ':')])
	}
	name := plain(cmp.Or(surface.Get("slug").String(), surface.Get("id").String()))
	if entry := surface.Get("entry"); entry.Type != gjson.Null {
		name += "@" + entry.String()
	}
	return name
}

// column returns a row of cells: a member of every band.
func column(bands []gjson.Result, member string) []string {
	cells := make([]string, len(bands))
	for i, b := range bands {
		cells[i] = decimals(b.Get(member))
	}
	return cells
}

// decimals shows a number with two decimals, and null, a time without end, as such.
func decimals(v gjson.Result) string {
	if v.Type == gjson.Null {
		return "∞"
	}
	return fmt.Sprintf("%.2f", v.Float())
}

// allowedTimes shows the shortest and the longest time that the standard allows around a target.
func allowedTimes(bands []gjson.Result, target float64) (least, most []string) {
	for _, b := range bands {
		low, high := acoustics.DIN18041Tolerance(int(b.Get("band").Int()))
		least = append(least, fmt.Sprintf("%.2f", low*target))
		most = append(most, fmt.Sprintf("%.2f", high*target))
	}
	return least, most
}

// drawTimes draws the reverberation times after Sabine and the target, when there is one.
func drawTimes(bands []gjson.Result, target float64) string {
	d := drawing{line: target, note: fmt.Sprintf("target %.2f s", target)}
	longest := target
	for _, b := range bands {
		t := math.Inf(1)
		if sabine := b.Get("sabine_s"); sabine.Type != gjson.Null {
			t = sabine.Float()
			longest = max(longest, t)
		}
		d.bands, d.values = append(d.bands, bandLabel(int(b.Get("band").Int()))), append(d.values, t)
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
