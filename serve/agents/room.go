package agents

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"

	"sabine/dataset/acoustics"
	"sabine/runtime"
)

var reverberationTime = newTool[roomArguments, reverberation]("reverberation_time", "Reverberation time",
	"Reverberation time of a room by octave (Sabine, Eyring) from its volume and surfaces: products by id, standard "+
		"building surfaces or curves. With a target (DIN 18041 use or seconds), it judges each band and computes the "+
		"missing absorption in m² and the area of products that provides it.", computeRoom)

type roomArguments struct {
	VolumeM3 float64           `json:"volume_m3" parameter:"volume" limits:"0.001 1e9" jsonschema:"volume of the room in m³"`
	Surfaces []surfaceArgument `json:"surfaces,omitempty" parameter:"surface" jsonschema:"all surfaces of the room, at most 32; optional with a target"`
	Objects  []objectArgument  `json:"objects,omitempty" parameter:"object" jsonschema:"people and chairs in the room, at most 16 items"`
	DIN18041 use               `json:"din18041,omitempty" parameter:"target" enum:"uses" jsonschema:"target: A1 music, A2 speech, A3 teaching, A4 inclusive teaching, A5 sport; B2 to B5 absorption by volume, with height_m"`
	HeightM  float64           `json:"height_m,omitempty" parameter:"height" limits:"0 1e9" jsonschema:"clear height in m, for B2 to B5"`
	TargetS  float64           `json:"target_s,omitempty" parameter:"-" limits:"0.001 1000" jsonschema:"target in seconds, instead of din18041"`
	Fill     []string          `json:"fill,omitempty" jsonschema:"at most 24 ids of products, optionally with @ and the number of a set-up: compute for each product the area in m² that meets the target"`
	Covers   *int              `json:"covers,omitempty" limits:"0 31" jsonschema:"number of the surface, from 0, that fill replaces; by default, fill is added to the surfaces"`
	Air      *climateArgument  `json:"air,omitempty" jsonschema:"default: 20 °C and 50 %"`
}

type surfaceArgument struct {
	Material string  `json:"material,omitempty" jsonschema:"id of a product; entry selects a set-up, by default the most absorptive set-up"`
	Entry    *int    `json:"entry,omitempty" limits:"0 1e6" jsonschema:"number of the product's set-up, from 0"`
	Standard string  `json:"standard,omitempty" enum:"building surfaces" jsonschema:"instead of a product: a common building surface"`
	Curve    curve   `json:"curve,omitempty" jsonschema:"instead of a product: coefficients at 125 to 4000 Hz"`
	AreaM2   float64 `json:"area_m2" limits:"0 1e9" jsonschema:"area in m²"`
}

type objectArgument struct {
	Object string `json:"object" enum:"objects" jsonschema:"kind of object"`
	Count  int    `json:"count" limits:"1 10000" jsonschema:"number of objects"`
}

type climateArgument struct {
	TemperatureC    float64 `json:"temperature_c" limits:"-20 50" jsonschema:"temperature in °C"`
	HumidityPercent float64 `json:"humidity_percent" limits:"10 100" jsonschema:"relative humidity in percent"`
}

// A use is a use of rooms in DIN 18041, such as A3.
type use string

// The String methods of arguments return values of API parameters.
func (u use) String() string { return "din18041:" + string(u) }

func (s surfaceArgument) String() string {
	source := s.Material
	switch {
	case s.Curve != nil:
		source = s.Curve.String()
	case s.Standard != "":
		source = "std:" + s.Standard
	case s.Entry != nil:
		source = fmt.Sprintf("%s@%d", s.Material, *s.Entry)
	}
	return source + ":" + short(s.AreaM2)
}

func (o objectArgument) String() string { return fmt.Sprintf("%s:%d", o.Object, o.Count) }

func (a climateArgument) String() string {
	return short(a.TemperatureC) + "," + short(a.HumidityPercent)
}

// A reverberation is the result of the API's reverberation operation, with verdicts.
type reverberation struct {
	VolumeM3 float64   `json:"volume_m3"`
	Target   string    `json:"target,omitempty"`
	Bands    []band    `json:"bands"`
	Surfaces []surface `json:"surfaces"`
	Objects  []objects `json:"objects,omitempty"`
	Fill     []filled  `json:"fill,omitempty"`
	Notes    notes     `json:"notes,omitempty"`
}

type band struct {
	Hz           int      `json:"band"`
	SabineS      *float64 `json:"sabine_s" jsonschema:"null: infinite, not part of this target, or the room has no surfaces"`
	EyringS      *float64 `json:"eyring_s" jsonschema:"null: infinite, not part of this target, or the room has no surfaces"`
	TargetS      *float64 `json:"target_s,omitempty"`
	LowestS      *float64 `json:"lowest_s,omitempty" jsonschema:"lower limit of the tolerance"`
	HighestS     *float64 `json:"highest_s,omitempty" jsonschema:"upper limit of the tolerance"`
	MissingM2    *float64 `json:"missing_m2,omitempty" jsonschema:"absorption area that is missing for the target, negative if the room has more than enough"`
	RequiredPerM *float64 `json:"required_per_m,omitempty" jsonschema:"for B2 to B5: absorption area in m² per m³"`
	ReachedPerM  *float64 `json:"reached_per_m,omitempty" jsonschema:"missing: the room has no surfaces"`
	Verdict      string   `json:"verdict,omitempty" jsonschema:"for sabine_s: ok, too long or too short; for reached_per_m: ok or too little; missing for bands that the target does not cover"`
}

type surface struct {
	Material   string   `json:"material,omitempty" jsonschema:"missing for standard surfaces and curves"`
	Standard   string   `json:"standard,omitempty"`
	Entry      *int     `json:"entry,omitempty" jsonschema:"number of the set-up that was used"`
	AreaM2     float64  `json:"area_m2"`
	Absorption spectrum `json:"absorption_m2,omitempty" jsonschema:"equivalent absorption area by octave in Hz"`
}

type objects struct {
	Object  string `json:"object"`
	Count   int    `json:"count"`
	Counted bool   `json:"counted" jsonschema:"false: the target is for the room without people"`
}

type filled struct {
	Material string       `json:"material"`
	Entry    *int         `json:"entry,omitempty"`
	AreaM2   *float64     `json:"area_m2" jsonschema:"null: no area meets the target from 250 to 2000 Hz, see reason"`
	Complete bool         `json:"complete" jsonschema:"whether the area meets the target in each band that the target covers"`
	Reason   string       `json:"reason,omitempty" jsonschema:"still_long: the time in an octave is too long even with the largest area; already_short: it is too short with every area; uneven: no area in steps of 0.5 m² meets the target in all octaves"`
	Bands    []filledBand `json:"bands,omitempty" jsonschema:"bands of the room with this product"`
}

type filledBand struct {
	Hz          int      `json:"band"`
	TimeS       *float64 `json:"t_s,omitempty"`
	ReachedPerM *float64 `json:"reached_per_m,omitempty"`
	Verdict     string   `json:"verdict,omitempty"`
}

func computeRoom(c Catalogue, request *mcp.CallToolRequest, in roomArguments) (*answer, error) {
	for i, s := range in.Surfaces {
		kinds := 0
		for _, given := range []bool{s.Material != "", s.Standard != "", s.Curve != nil} {
			if given {
				kinds++
			}
		}
		switch {
		case kinds != 1:
			return nil, fmt.Errorf("surfaces[%d]: expected exactly one of material, standard and curve", i)
		case s.Entry != nil && s.Material == "":
			return nil, fmt.Errorf("surfaces[%d]: entry needs a material", i)
		case s.Material != "" && (strings.ContainsAny(s.Material, ":@") || !c.Has(s.Material)):
			return nil, errUnknown(c, fmt.Sprintf("surfaces[%d]: material", i), s.Material)
		}
	}
	for i, text := range in.Fill {
		if material, _, _ := strings.Cut(text, "@"); !c.Has(material) {
			return nil, errUnknown(c, fmt.Sprintf("fill[%d]", i), material)
		}
	}
	if in.DIN18041 != "" && in.TargetS != 0 {
		return nil, errors.New("din18041 and target_s are both targets: use only one of them")
	}
	query, argumentOf := parametersOf(in)
	if in.TargetS != 0 { // the answer contains the number as the agent wrote it, such as 1.0
		query.Set("target", gjson.GetBytes(request.Params.Arguments, "target_s").Raw)
	}
	r, err := c.Reverberation(query, argumentOf)
	if err != nil {
		return nil, err
	}
	return fitting(3, 0, func(detail int) *answer { return roomAnswer(r, detail) }), nil
}

// roomAnswer returns the answer for a room. Detail 0 contains the bands of the room and the areas of the
// products in fill. Detail 1 adds the surfaces, 2 the bands of the room with each product in fill, and 3 the
// absorption of each surface.
func roomAnswer(r *runtime.Room, detail int) *answer {
	room := reverberation{VolumeM3: r.VolumeM3, Target: r.Target, Surfaces: []surface{}}
	for i := range r.Bands {
		room.Bands = append(room.Bands, bandOf(r, &r.Bands[i]))
	}
	for i := range r.Surfaces {
		if detail > 0 {
			room.Surfaces = append(room.Surfaces, surfaceOf(&r.Given[i], &r.Surfaces[i], detail > 2))
		}
	}
	switch {
	case len(r.Surfaces) == 0 || detail > 2:
	case detail > 0:
		room.Notes.add("the absorption of each surface is left out: call again with fewer surfaces")
	default:
		room.Notes.add("the surfaces are left out: call again with fewer surfaces")
	}
	for _, o := range r.Placed {
		room.Objects = append(room.Objects, objects{o.Name, o.Count, o.Counted})
	}
	if slices.ContainsFunc(room.Objects, func(o objects) bool { return !o.Counted }) {
		room.Notes.add("people are left out: the target is for the room without them")
	}
	for i := range r.Fills {
		room.Fill = append(room.Fill, filledOf(r, &r.Fills[i], detail > 1))
	}
	if detail < 2 && len(r.Fills) > 0 {
		room.Notes.add("the bands of fill are left out: call again with fewer products")
	}
	return newAnswer(room.table(), room.Notes, room)
}

func surfaceOf(given *runtime.GivenSurface, s *acoustics.Surface, withAbsorption bool) surface {
	shown := surface{Material: cmp.Or(given.Slug, given.ID), AreaM2: s.AreaM2}
	if name, ok := strings.CutPrefix(given.Text, "std:"); ok && given.ID == "" {
		shown.Standard = name[:strings.LastIndexByte(name, ':')]
	}
	if given.Entry >= 0 {
		shown.Entry = &given.Entry
	}
	if !withAbsorption {
		return shown
	}
	for n, hz := range acoustics.RoomBands {
		shown.Absorption = append(shown.Absorption, acoustics.Point{BandHz: hz, Value: acoustics.Rounded(s.Absorption(n))})
	}
	return shown
}

func bandOf(r *runtime.Room, computed *acoustics.Reverberation) band {
	b := band{Hz: computed.BandHz, Verdict: wordOf(r, r.Judge(r.Goal, computed))}
	if r.Goal.PerM > 0 {
		b.RequiredPerM, b.ReachedPerM = finite(r.Goal.PerM), finite(r.PerM(computed))
		return b
	}
	b.SabineS, b.EyringS = finite(computed.Sabine), finite(computed.Eyring)
	if r.Target == "" {
		return b
	}
	b.TargetS, b.MissingM2 = finite(r.Goal.Seconds), finite(r.Missing(computed, r.Goal.Seconds))
	if low, high, judged := r.Goal.Tolerance(b.Hz); judged {
		b.LowestS, b.HighestS = new(rounded(low**b.TargetS)), new(rounded(high**b.TargetS))
	}
	return b
}

// wordOf returns the text for a verdict in answers.
func wordOf(r *runtime.Room, v acoustics.Verdict) string {
	switch {
	case v == acoustics.Within:
		return "ok"
	case v == acoustics.Long && r.Goal.PerM > 0:
		return "too little"
	case v != "":
		return "too " + string(v)
	}
	return ""
}

func filledOf(r *runtime.Room, f *runtime.Fill, withBands bool) filled {
	shown := filled{Material: cmp.Or(f.Slug, f.ID), Complete: f.Complete, Reason: string(f.Reason)}
	if f.Reason == "" {
		shown.AreaM2 = &f.AreaM2
	}
	if f.Entry >= 0 {
		shown.Entry = &f.Entry
	}
	if !withBands {
		return shown
	}
	for _, b := range f.Bands {
		band := filledBand{Hz: b.BandHz, Verdict: wordOf(r, b.Verdict)}
		if r.Goal.PerM > 0 {
			band.ReachedPerM = finite(b.PerM)
		} else {
			band.TimeS = finite(b.Sabine)
		}
		shown.Bands = append(shown.Bands, band)
	}
	return shown
}

// finite returns a number with three decimals, or nil if it is infinite or NaN.
func finite(v float64) *float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return new(acoustics.Rounded(v))
}

// rounded returns a number with three decimals. Unlike acoustics.Rounded, it rounds the exact binary value,
// which decides between two equally near decimals.
func rounded(v float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'f', 3, 64), 64) // always the text of a number
	return r
}

func (r *reverberation) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s m³", short(r.VolumeM3))
	if r.Target != "" {
		fmt.Fprintf(&b, ", target %s", r.Target)
	}
	r.writeBands(&b)
	for _, s := range r.Surfaces {
		fmt.Fprintf(&b, "%s m²", short(s.AreaM2))
		if name := cmp.Or(s.Material, s.Standard); name != "" {
			fmt.Fprintf(&b, " of %s", name)
		}
		if s.Entry != nil {
			fmt.Fprintf(&b, ", entry %d", *s.Entry)
		}
		b.WriteByte('\n')
	}
	for _, o := range r.Objects {
		fmt.Fprintf(&b, "%d × %s\n", o.Count, o.Object)
	}
	for _, f := range r.Fill {
		switch {
		case f.AreaM2 == nil:
			fmt.Fprintf(&b, "fill: no area of %s: %s\n", f.Material, f.Reason)
		case f.Complete:
			fmt.Fprintf(&b, "fill: %s m² of %s\n", short(*f.AreaM2), f.Material)
		default:
			fmt.Fprintf(&b, "fill: %s m² of %s, from 250 to 2000 Hz\n", short(*f.AreaM2), f.Material)
		}
	}
	return b.String()
}

func (r *reverberation) writeBands(b *strings.Builder) {
	isRatio := len(r.Bands) > 0 && r.Bands[0].RequiredPerM != nil
	switch {
	case isRatio:
		b.WriteString("\nHz | required 1/m | reached 1/m | verdict\n")
	case r.Target != "":
		b.WriteString("\nHz | Sabine s | Eyring s | target s | missing m² | verdict\n")
	default:
		b.WriteString("\nHz | Sabine s | Eyring s\n")
	}
	for _, band := range r.Bands {
		if isRatio {
			fmt.Fprintf(b, "%d | %s | %s | %s\n", band.Hz, orDash(band.RequiredPerM), orDash(band.ReachedPerM), band.Verdict)
			continue
		}
		fmt.Fprintf(b, "%d | %s | %s", band.Hz, orDash(band.SabineS), orDash(band.EyringS))
		if r.Target != "" {
			fmt.Fprintf(b, " | %s | %s | %s", orDash(band.TargetS), orDash(band.MissingM2), band.Verdict)
		}
		b.WriteByte('\n')
	}
}
