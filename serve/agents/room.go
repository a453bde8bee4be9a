package agents

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"sabine/dataset/acoustics"
)

var reverberationTime = &tool{
	name: "reverberation_time", title: "Reverberation time",
	about: "Reverberation time of a room by octave (Sabine and Eyring) from its volume and surfaces: catalogue products by id or literal curves. With a " +
		"target (DIN 18041 use or seconds) it judges each band and says how many m² of absorption are missing.",
	arguments: []argument{
		{name: "volume_m3", parameter: "volume", kind: number, required: true, max: 1e9, about: "the room's volume in m³"},
		{name: "surfaces", parameter: "surface", kind: surfaces, required: true, max: acoustics.MaxSurfaces, about: "all surfaces of the room"},
		{name: "din18041", parameter: "target", enum: uses(), about: "target: A1 music, A2 speech, A3 teaching, A4 inclusive teaching, A5 sport"},
		{name: "target_s", kind: number, min: 0.001, max: 1000, about: "target in seconds, in place of din18041"},
		{name: "air", parameter: "air", kind: climate, about: "20 °C and 50 % when it is not given"},
	},
	output: outputOf[reverberation](),
	call:   computeRoom,
}

var (
	surfaceArguments = []argument{
		{name: "material", about: "id of a product; its most absorptive set-up counts unless entry names one"},
		{name: "entry", kind: integer, max: 1e6, about: "set-up of the product, from 0"},
		{name: "curve", kind: curve, about: "in place of a product: coefficients at 125 to 4000 Hz"},
		{name: "area_m2", kind: number, required: true, max: 1e9, about: "its area in m²"},
	}
	climateArguments = []argument{
		{name: "temperature_c", kind: number, required: true, min: acoustics.MinTemperatureC, max: acoustics.MaxTemperatureC, about: "°C"},
		{name: "humidity_percent", kind: number, required: true, min: acoustics.MinHumidityPercent, max: acoustics.MaxHumidityPercent, about: "relative humidity"},
	}
)

func uses() []string {
	var names []string
	for _, u := range acoustics.DIN18041Uses {
		names = append(names, u.Name)
	}
	return names
}

// A reverberation is the API's, judged.
type reverberation struct {
	VolumeM3 float64   `json:"volume_m3"`
	Target   string    `json:"target,omitempty"`
	Bands    []band    `json:"bands"`
	Surfaces []surface `json:"surfaces"`
	Notes    []string  `json:"notes,omitempty"`
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

func computeRoom(c Catalogue, in *input) (*answer, error) {
	if err := in.readSurfaces(c); err != nil {
		return nil, err
	}
	use, seconds := in.given["din18041"].String(), in.given["target_s"]
	switch {
	case use != "" && seconds.Exists():
		return nil, errors.New("din18041 and target_s are two targets: give one of them")
	case use != "":
		in.query.Set("target", "din18041:"+use)
	case seconds.Exists():
		in.query.Set("target", seconds.Raw)
	}
	if air := in.given["air"]; air.Exists() {
		of := read([]byte(air.Raw), climateArguments)
		if err := of.err(); err != nil {
			return nil, fmt.Errorf("air: %w", err)
		}
		in.query.Set("air", of.given["temperature_c"].Raw+","+of.given["humidity_percent"].Raw)
	}
	body, err := c.Reverberation(in.query, in.spell)
	if err != nil {
		return nil, err
	}
	a := roomOf(gjson.ParseBytes(body), use != "", true)
	if !a.fits() {
		a = roomOf(gjson.ParseBytes(body), use != "", false)
	}
	return a, nil
}

// readSurfaces makes the parameters of surfaces.
func (in *input) readSurfaces(c Catalogue) error {
	list := []gjson.Result{in.given["surfaces"]}
	if list[0].IsArray() {
		list = list[0].Array()
	}
	for i, item := range list {
		s := read([]byte(item.Raw), surfaceArguments)
		material, spectrum := s.given["material"].String(), s.given["curve"]
		switch entry := s.given["entry"]; {
		case len(s.faults) > 0:
		case (material != "") == spectrum.Exists():
			s.fault("expected a material or a curve, and not both")
		case spectrum.Exists():
			values, _ := parseCurve(spectrum)
			in.query.Add("surface", values[0]+":"+s.given["area_m2"].Raw)
		case strings.ContainsAny(material, ":@") || !c.Has(material):
			return errUnknown(c, fmt.Sprintf("surfaces[%d]: material", i), material)
		case entry.Exists():
			in.query.Add("surface", fmt.Sprintf("%s@%d:%s", material, int(entry.Num), s.given["area_m2"].Raw))
		default:
			in.query.Add("surface", material+":"+s.given["area_m2"].Raw)
		}
		if err := s.err(); err != nil {
			return fmt.Errorf("surfaces[%d]: %w", i, err)
		}
	}
	return nil
}

// roomOf makes an answer of a Reverberation; whole says that each surface has its absorption.
func roomOf(r gjson.Result, din18041, whole bool) *answer {
	room := reverberation{VolumeM3: r.Get("volume_m3").Num, Target: r.Get("target").String(), Surfaces: []surface{}}
	for _, b := range r.Get("bands").Array() {
		room.Bands = append(room.Bands, bandOf(b, din18041))
	}
	for _, s := range r.Get("surfaces").Array() {
		of := surface{Material: s.Get("slug").String(), AreaM2: s.Get("area_m2").Num}
		if of.Material == "" {
			of.Material = s.Get("id").String()
		}
		if entry := s.Get("entry"); entry.Type == gjson.Number {
			of.Entry = new(int(entry.Num))
		}
		if whole {
			of.Absorption = spectrumOf(s.Get("absorption_m2"))
		}
		room.Surfaces = append(room.Surfaces, of)
	}
	if !whole {
		room.Notes = append(room.Notes, "the absorption of single surfaces is left out: ask with fewer of them")
	}
	return newAnswer(room.table(), room.Notes, room)
}

// bandOf reads a band and judges it: by the tolerance of DIN 18041, or by a target in seconds, which may not be passed.
func bandOf(r gjson.Result, din18041 bool) band {
	b := band{
		Hz: int(r.Get("band").Int()), SabineS: orNull(r.Get("sabine_s")), EyringS: orNull(r.Get("eyring_s")),
		TargetS: orNull(r.Get("target_s")), MissingM2: orNull(r.Get("missing_m2")),
	}
	if b.TargetS == nil {
		return b
	}
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

// spectrumOf reads a frequency map of the API; nil for null.
func spectrumOf(object gjson.Result) spectrum {
	var s spectrum
	object.ForEach(func(band, value gjson.Result) bool {
		if hz, err := strconv.Atoi(band.Str); err == nil && value.Type == gjson.Number {
			s = append(s, acoustics.Point{BandHz: hz, Value: value.Num})
		}
		return true
	})
	return s
}

// orNull returns a number, nil for null.
func orNull(v gjson.Result) *float64 {
	if v.Type != gjson.Number {
		return nil
	}
	return &v.Num
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
