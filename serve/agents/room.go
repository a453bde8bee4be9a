package agents

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"

	"sabine/dataset/acoustics"
	"sabine/runtime"
)

var reverberationTime = newTool[roomArguments, reverberation]("reverberation_time", "Reverberation time",
	"Reverberation time of a room by octave (Sabine and Eyring) from its volume and surfaces: catalogue products by id "+
		"or literal curves. With a "+
		"target (DIN 18041 use or seconds) it judges each band and says how many m² of absorption are missing.")

type roomArguments struct {
	VolumeM3 float64           `json:"volume_m3" parameter:"volume" limits:"0 1e9" jsonschema:"the room's volume in m³"`
	Surfaces []surfaceArgument `json:"surfaces" parameter:"surface" jsonschema:"all surfaces of the room, at most 32"`
	DIN18041 use               `json:"din18041,omitempty" parameter:"target" of:"uses" jsonschema:"target: A1 music, A2 speech, A3 teaching, A4 inclusive teaching, A5 sport"`
	TargetS  float64           `json:"target_s,omitempty" parameter:"-" limits:"0.001 1000" jsonschema:"target in seconds, in place of din18041"`
	Air      *climateArgument  `json:"air,omitempty" jsonschema:"20 °C and 50 % when it is not given"`
}

type surfaceArgument struct {
	Material string  `json:"material,omitempty" jsonschema:"id of a product; its most absorptive set-up counts unless entry names one"`
	Entry    *int    `json:"entry,omitempty" limits:"0 1e6" jsonschema:"set-up of the product, from 0"`
	Curve    curve   `json:"curve,omitempty" jsonschema:"in place of a product: coefficients at 125 to 4000 Hz"`
	AreaM2   float64 `json:"area_m2" limits:"0 1e9" jsonschema:"its area in m²"`
}

type climateArgument struct {
	TemperatureC    float64 `json:"temperature_c" limits:"-20 50" jsonschema:"°C"`
	HumidityPercent float64 `json:"humidity_percent" limits:"10 100" jsonschema:"relative humidity"`
}

// A use is what a room is for, in DIN 18041.
type use string

func uses() (names []string) {
	for _, u := range acoustics.DIN18041Uses {
		names = append(names, u.Name)
	}
	return names
}

// String returns a use, a surface and a climate as the API takes them.
func (u use) String() string { return "din18041:" + string(u) }

func (s surfaceArgument) String() string {
	what := s.Material
	switch {
	case s.Curve != nil:
		what = s.Curve.String()
	case s.Entry != nil:
		what = fmt.Sprintf("%s@%d", s.Material, *s.Entry)
	}
	return what + ":" + short(s.AreaM2)
}

func (a climateArgument) String() string {
	return short(a.TemperatureC) + "," + short(a.HumidityPercent)
}

// A reverberation is the API's, judged.
type reverberation struct {
	VolumeM3 float64   `json:"volume_m3"`
	Target   string    `json:"target,omitempty"`
	Bands    []band    `json:"bands"`
	Surfaces []surface `json:"surfaces"`
	Notes    notes     `json:"notes,omitempty"`
}

type band struct {
	Hz        int      `json:"band"`
	SabineS   *float64 `json:"sabine_s" jsonschema:"null: without end"`
	EyringS   *float64 `json:"eyring_s"`
	TargetS   *float64 `json:"target_s,omitempty"`
	LowestS   *float64 `json:"lowest_s,omitempty" jsonschema:"of the tolerance of DIN 18041"`
	HighestS  *float64 `json:"highest_s,omitempty"`
	MissingM2 *float64 `json:"missing_m2,omitempty" jsonschema:"absorption that the target still needs, negative when there is more than enough"`
	Verdict   string   `json:"verdict,omitempty" jsonschema:"of sabine_s: ok, too long or too short"`
}

type surface struct {
	Material   string   `json:"material,omitempty" jsonschema:"none for a literal curve"`
	Entry      *int     `json:"entry,omitempty" jsonschema:"the set-up that counted"`
	AreaM2     float64  `json:"area_m2"`
	Absorption spectrum `json:"absorption_m2,omitempty" jsonschema:"equivalent absorption area by octave in Hz"`
}

func computeRoom(c Catalogue, request *mcp.CallToolRequest, in roomArguments) (*answer, error) {
	for i := range in.Surfaces {
		s := &in.Surfaces[i]
		switch {
		case (s.Material != "") == (s.Curve != nil):
			return nil, fmt.Errorf("surfaces[%d]: expected a material or a curve, and not both", i)
		case s.Curve == nil && (strings.ContainsAny(s.Material, ":@") || !c.Has(s.Material)):
			return nil, errUnknown(c, fmt.Sprintf("surfaces[%d]: material", i), s.Material)
		}
	}
	if in.DIN18041 != "" && in.TargetS != 0 {
		return nil, errors.New("din18041 and target_s are two targets: give one of them")
	}
	query, spell := parametersOf(in)
	if in.TargetS != 0 { // the answer repeats it as it was written, such as 1.0
		query.Set("target", gjson.GetBytes(request.Params.Arguments, "target_s").Raw)
	}
	r, err := c.Reverberation(query, spell)
	if err != nil {
		return nil, err
	}
	return fitting(1, 0, func(absorption int) *answer { return roomOf(r, in.DIN18041 != "", absorption > 0) }), nil
}

// roomOf makes an answer of a room; whole says that each surface has its absorption.
func roomOf(r *runtime.Room, din18041, whole bool) *answer {
	room := reverberation{VolumeM3: r.VolumeM3, Target: r.Target, Surfaces: []surface{}}
	for i := range r.Bands {
		room.Bands = append(room.Bands, bandOf(r, &r.Bands[i], din18041))
	}
	for i := range r.Surfaces {
		given := &r.Given[i]
		of := surface{Material: cmp.Or(given.Slug, given.ID), AreaM2: r.Surfaces[i].AreaM2}
		if given.Entry >= 0 {
			of.Entry = &given.Entry
		}
		for n, hz := range acoustics.RoomBands {
			if whole {
				of.Absorption = append(of.Absorption,
					acoustics.Point{BandHz: hz, Value: acoustics.Rounded(r.Surfaces[i].Absorption(n))})
			}
		}
		room.Surfaces = append(room.Surfaces, of)
	}
	if !whole {
		room.Notes.add("the absorption of single surfaces is left out: ask with fewer of them")
	}
	return newAnswer(room.table(), room.Notes, room)
}

// bandOf judges a band: by the tolerance of DIN 18041, or by a target in seconds, which may not be passed.
func bandOf(r *runtime.Room, of *acoustics.Reverberation, din18041 bool) band {
	b := band{Hz: of.BandHz, SabineS: finite(of.Sabine), EyringS: finite(of.Eyring)}
	if r.Target == "" {
		return b
	}
	b.TargetS, b.MissingM2 = finite(r.TargetS), finite(r.Missing(of, r.TargetS))
	low, high := 0.0, 1.0
	if din18041 {
		low, high = acoustics.DIN18041Tolerance(b.Hz)
		b.LowestS, b.HighestS = new(rounded(low**b.TargetS)), new(rounded(high**b.TargetS))
	}
	switch {
	case b.SabineS == nil || *b.SabineS > high**b.TargetS:
		b.Verdict = "too long"
	case *b.SabineS < low**b.TargetS:
		b.Verdict = "too short"
	default:
		b.Verdict = "ok"
	}
	return b
}

// finite returns a number with three decimals; nil for a time without end.
func finite(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	return new(acoustics.Rounded(v))
}

// rounded returns a number with three decimals.
func rounded(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', 3, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// table is the answer as text.
func (r *reverberation) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s m³", short(r.VolumeM3))
	if r.Target != "" {
		fmt.Fprintf(&b, ", target %s", r.Target)
	}
	b.WriteString("\nHz | Sabine s | Eyring s")
	if r.Target != "" {
		b.WriteString(" | target s | missing m² | verdict")
	}
	b.WriteByte('\n')
	for _, band := range r.Bands {
		fmt.Fprintf(&b, "%d | %s | %s", band.Hz, orDash(band.SabineS), orDash(band.EyringS))
		if r.Target != "" {
			fmt.Fprintf(&b, " | %s | %s | %s", orDash(band.TargetS), orDash(band.MissingM2), band.Verdict)
		}
		b.WriteByte('\n')
	}
	for _, s := range r.Surfaces {
		fmt.Fprintf(&b, "%s m²", short(s.AreaM2))
		if s.Material != "" {
			fmt.Fprintf(&b, " of %s", s.Material)
		}
		if s.Entry != nil {
			fmt.Fprintf(&b, ", entry %d", *s.Entry)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
