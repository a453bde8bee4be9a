package acoustics

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// hardRoom returns 200 m³ with an absorption area of 4.8 m² in each band: 240 m² with a coefficient of 0.02.
// Its air does not absorb. So k is 24 ln 10 / 343.2 = 0.1610199 s/m, and k V is 32.20399 m² s.
func hardRoom() *Room {
	return &Room{VolumeM3: 200, Surfaces: []Surface{{70, even(0.02)}, {70, even(0.02)}, {100, even(0.02)}}}
}

// The expected values were computed by hand. The limits of A are k V divided by the longest and shortest
// tolerated times (Sabine).
//
//   - 0.8 s: 32.20399 / 0.96 = 33.54582 m² to 32.20399 / 0.64 = 50.31873 m², 250 Hz to 2000 Hz.
//   - DIN 18041 A3: T = 0.32 lg 200 - 0.17 = 0.32 × 2.301030 - 0.17 = 0.5663296 s, k V / T = 56.86439 m².
//     Divided by 1.2 and 0.8: 47.38699 to 71.08049 m². At 125 Hz, by 1.45 and 0.65: 39.21682 to 87.48368 m².
//   - DIN 18041 B3, 3 m high: 1 / (3.13 + 4.69 × 0.4771213) = 0.1862996 / m, so 37.25992 m².
func TestFillsWorkedByHand(t *testing.T) {
	seconds := Target{Seconds: 0.8}
	a3 := Target{Seconds: 0.32*math.Log10(200) - 0.17, DIN18041: true}
	b3 := Target{PerM: DIN18041Ratios[1].PerM(3)}
	loud := hardRoom()
	loud.Surfaces[2].Coefficients = even(0.5) // A = 140 × 0.02 + 100 × 0.5 = 52.8 m²
	good := hardRoom()
	good.Surfaces[2].Coefficients = even(0.4) // A = 42.8 m²
	class := hardRoom()
	class.Objects = []Objects{{20, FindRoomObject("pupil-secondary").EachM2}} // 2, 3, 7, 10, 10, 11 m²
	tests := []struct {
		rule     string
		room     *Room
		target   Target
		covering Coefficients
		covers   int
		area     float64
		complete bool
		reason   FillReason
		at500    float64 // s, or A/V in 1/m
		verdicts string  // first letters, - for none
	}{
		{"added: 28.74582 / 0.5 = 57.49; then 32.20399 / 33.55", hardRoom(), seconds, even(0.5), -1, 57.5, true, "",
			0.959880, "-wwww-"},
		{"covering replaces a surface: 28.74582 / 0.48 = 59.89; then 32.20399 / 33.6", hardRoom(), seconds, even(0.5),
			1, 60, true, "", 0.958452, "-wwww-"},
		{"covering has a limit: 28.74582 / 0.38 = 75.65 of 70", hardRoom(), seconds, even(0.4), 1, 0, false, StillLong,
			6.709164, "-llll-"},
		{"adding has a limit: 28.74582 / 0.1 = 287.5 of 240", hardRoom(), seconds, even(0.1), -1, 0, false, StillLong,
			6.709164, "-llll-"},
		{"143.73 m² for 250 Hz are too many for 1000 Hz, 45.51873 / 0.9 = 50.58", hardRoom(), seconds,
			Coefficients{0.1, 0.2, 0.5, 0.9, 0.9, 0.9}, -1, 0, false, Uneven, 6.709164, "-llll-"},
		// k V = 0.3220399 m² s: 0.3354582 to 0.5031873 m², a step of 0.5 m² adds 0.6.
		{"a step can skip the tolerance: long at 0, short at 0.5 m²",
			&Room{VolumeM3: 2, Surfaces: []Surface{{3, even(0.1)}}}, Target{Seconds: 0.8}, even(1.2), -1, 0, false, Uneven,
			1.073466, "-llll-"},
		{"negative coefficients absorb nothing", hardRoom(), seconds, Coefficients{-0.1, -0.1, 0.5, 0.5, 0.5, 0.5}, -1, 0,
			false,
			StillLong, 6.709164, "-llll-"},
		{"six bands: 34.41682 / 0.5 = 68.83 at 125 Hz, while the others need 53.23; 32.20399 / 60", hardRoom(), a3,
			Coefficients{0.5, 0.8, 0.8, 0.8, 0.8, 0.8}, -1, 69, true, "", 0.536733, "wwwwww"},
		{"otherwise four bands: 172.5 m² for 125 Hz, at most 82.5 for the others, which need 53.5; 32.20399 / 47.6",
			hardRoom(), a3,
			Coefficients{0.2, 0.8, 0.8, 0.8, 0.8, 0.8}, -1, 53.5, false, "", 0.676554, "lwwwww"},
		{"a room that meets the target needs nothing", good, seconds, even(0.5), -1, 0, true, "", 0.752430, "-wwww-"},
		{"a room that is too short remains too short", loud, seconds, even(0.5), -1, 0, false, AlreadyShort, 0.609924,
			"-ssss-"},
		{"unless the covering absorbs less: (52.8 - 50.31873) / 0.4 = 6.20; 32.20399 / 50.2", loud, seconds, even(0.1), 2,
			6.5, true, "", 0.641514, "-wwww-"},
		{"a covering that absorbs the same changes nothing", loud, seconds, even(0.5), 2, 0, false, AlreadyShort, 0.609924,
			"-ssss-"},
		{"objects absorb too: 25.74582 / 0.5 = 51.49 at 250 Hz; 32.20399 / (4.8 + 7 + 25.75)", class, seconds, even(0.5),
			-1, 51.5, true, "", 0.857630, "-wwww-"},
		{"a room without surfaces has no limit: 33.54582 / 0.5 = 67.09; 32.20399 / 33.75", &Room{VolumeM3: 200}, seconds,
			even(0.5), -1, 67.5, true, "", 0.954192, "-wwww-"},
		{"A/V: 32.45992 / 0.5 = 64.92; 37.3 / 200", hardRoom(), b3, even(0.5), -1, 65, true, "", 0.1865, "wwww"},
		{"A/V has a lower limit alone", loud, b3, even(0.5), -1, 0, true, "", 0.264, "wwww"},
		{"with a limit: 32.45992 / 0.38 = 85.42 of 70", hardRoom(), b3, even(0.4), 0, 0, false, StillLong, 0.024, "llll"},
	}
	for _, tt := range tests {
		got := tt.room.Fill(tt.target, tt.covering, tt.covers)
		verdicts, at500 := "", math.NaN()
		for _, b := range got.Bands {
			if verdicts += string((b.Verdict + "-")[0]); b.BandHz == 500 {
				if at500 = b.Sabine; tt.target.PerM > 0 {
					at500 = b.PerM
				}
			}
		}
		if got.AreaM2 != tt.area || got.Complete != tt.complete || got.Reason != tt.reason || verdicts != tt.verdicts ||
			math.Abs(at500-tt.at500) > 1e-6 {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.rule, got, tt)
		}
	}
}

// TestFillIsTheMinimumArea compares Fill with a linear search over all areas.
func TestFillIsTheMinimumArea(t *testing.T) {
	areas, reasons := 0, map[FillReason]int{}
	random := rand.New(rand.NewPCG(32, 3))
	between := func(low, high float64) float64 { return low + (high-low)*random.Float64() }
	coefficients := func(high float64) (c Coefficients) { // random, with slight rises and falls
		middle := between(0, high)
		for i := range c {
			c[i] = middle + between(-0.1, 0.1)
		}
		return c
	}
	targets := []Target{{Seconds: 0.6}, {Seconds: 0.8, DIN18041: true}, {PerM: 0.2}, {Seconds: 1.5}, {Seconds: 0.3}}
	for range 2000 {
		r := &Room{VolumeM3: between(20, 200)}
		if random.IntN(2) == 0 {
			r.Air = &RoomClimate
		}
		total := 0.0
		for range 1 + random.IntN(4) {
			s := Surface{between(0.3, 60), coefficients(0.4)}
			total += s.AreaM2
			r.Surfaces = append(r.Surfaces, s)
		}
		if random.IntN(2) == 0 {
			r.Objects = []Objects{{1 + random.IntN(20), RoomObjects[6].EachM2}}
		}
		target := targets[random.IntN(len(targets))]
		covering, covers := coefficients(1), random.IntN(1+len(r.Surfaces))-1
		limit := total
		if covers >= 0 {
			limit = r.Surfaces[covers].AreaM2
		}
		// meets computes the room again with its surfaces after the covering.
		meets := func(area float64, all bool) bool {
			with := &Room{VolumeM3: r.VolumeM3, Air: r.Air, Objects: r.Objects,
				Surfaces: append([]Surface{{area, covering}}, r.Surfaces...)}
			if covers >= 0 {
				with.Surfaces[1+covers].AreaM2 -= area
			}
			bands := with.Absorption()
			for i := range bands {
				b := &bands[i]
				middle := b.BandHz >= 250 && b.BandHz <= 2000
				if !middle && (!all || !target.DIN18041) {
					continue
				}
				a, low, high := b.SurfacesM2+b.ObjectsM2, 0.8, 1.2
				switch b.BandHz {
				case 125:
					low, high = 0.65, 1.45
				case 4000:
					low = 0.65
				}
				if t := r.sabineConstant() * r.VolumeM3 / (a + b.AirM2); target.PerM > 0 && a/r.VolumeM3 < target.PerM ||
					target.PerM == 0 && (t > high*target.Seconds || t < low*target.Seconds) {
					return false
				}
			}
			return true
		}
		want, complete, found := 0.0, false, false
		for _, all := range []bool{true, false} {
			for area := 0.0; area <= limit && !found; area += 0.5 {
				if meets(area, all) {
					want, complete, found = area, all, true
				}
			}
		}
		got := r.Fill(target, covering, covers)
		if got.AreaM2 != want || got.Complete != complete || found == (got.Reason != "") {
			t.Fatalf("got %+v, want %v m², complete %t, found %t", got, want, complete, found)
		}
		if reasons[got.Reason]++; want > 0 {
			areas++
		}
	}
	if areas < 400 || len(reasons) != 4 || min(reasons[Uneven], reasons[AlreadyShort], reasons[StillLong]) < 20 {
		t.Errorf("%d areas, reasons %v", areas, reasons)
	}
}

// TestJudge checks that a value exactly at a limit is within the target, even with rounding errors.
func TestJudge(t *testing.T) {
	tests := []struct {
		rule     string
		room     *Room
		target   Target
		verdicts string
	}{
		{"the time of the room", hardRoom(), Target{Seconds: 0.1610199365730102 * 200 / 4.8}, "-wwww-"},
		{"the limit, 1.2 times", hardRoom(), Target{Seconds: 0.1610199365730102 * 200 / 4.8 / 1.2}, "-wwww-"},
		{"more than the limit", hardRoom(), Target{Seconds: 0.1610199365730102 * 200 / 4.8 / 1.2001}, "-llll-"},
		{"the limit, 0.8 times", hardRoom(), Target{Seconds: 0.1610199365730102 * 200 / 4.8 / 0.8}, "-wwww-"},
		{"less than the limit", hardRoom(), Target{Seconds: 0.1610199365730102 * 200 / 4.8 / 0.7999}, "-ssss-"},
		{"DIN 18041 judges all bands, 1.4 times only at 125 Hz", hardRoom(),
			Target{Seconds: 0.1610199365730102 * 200 / 4.8 / 1.4, DIN18041: true}, "wlllll"},
		{"0.7 times at 125 and 4000 Hz alone", hardRoom(),
			Target{Seconds: 0.1610199365730102 * 200 / 4.8 / 0.7, DIN18041: true}, "wssssw"},
		{"0.15 / m: 30 × 0.5 in 100 m³", &Room{VolumeM3: 100, Surfaces: []Surface{{30, even(0.5)}}}, Target{PerM: 0.15},
			"-wwww-"},
		{"also for several surfaces: 7 × 0.7 + 101 × 0.1",
			&Room{VolumeM3: 100, Surfaces: []Surface{{7, even(0.7)}, {101, even(0.1)}}},
			Target{PerM: 0.15}, "-wwww-"},
		{"the air does not count", &Room{VolumeM3: 100, Surfaces: []Surface{{29.9, even(0.5)}}, Air: &RoomClimate},
			Target{PerM: 0.15}, "-llll-"},
		{"a room without surfaces has no verdict", &Room{VolumeM3: 100}, Target{Seconds: 1}, "------"},
		{"a room without a target has no verdict", hardRoom(), Target{}, "------"},
	}
	for _, tt := range tests {
		bands, err := tt.room.Reverberation()
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for i := range bands {
			got.WriteByte(string(tt.room.Judge(tt.target, &bands[i]) + "-")[0])
		}
		if got.String() != tt.verdicts {
			t.Errorf("%s: got %s, want %s", tt.rule, got.String(), tt.verdicts)
		}
	}
}

// The room has 218 m² at 20 °C and 50 % (testdata/rooms.json, a classroom). At 500 Hz, A = 65.42 m² and
// 4mV = 0.45317 m². 25 pupils add 8.75 m². Sabine: 28.98359 / 74.62317 = 0.388399 s. Eyring:
// 28.98359 / (77.78371 + 8.75 + 0.45317) = 0.333195 s.
func TestObjects(t *testing.T) {
	r := &Room{VolumeM3: 180, Air: &RoomClimate,
		Surfaces: []Surface{{64, even(0.03)}, {64, even(0.95)}, {90, even(0.03)}},
		Objects:  []Objects{{25, FindRoomObject("pupil-secondary").EachM2}}}
	bands, err := r.Reverberation()
	if err != nil {
		t.Fatal(err)
	}
	b := &bands[2]
	missing := 28.983589/0.55 - 65.42 - 8.75 - 0.453170
	if math.Abs(b.ObjectsM2-8.75) > 1e-12 || math.Abs(b.Sabine-0.388399) > 1e-6 || math.Abs(b.Eyring-0.333195) > 1e-6 ||
		math.Abs(r.Missing(b, 0.55)-missing) > 1e-5 {
		t.Errorf("got %+v, missing %v, want %v", *b, r.Missing(b, 0.55), missing)
	}
	r.Surfaces = nil
	if bands, err = r.Reverberation(); err != nil || !math.IsNaN(bands[2].Sabine) || !math.IsNaN(bands[2].Eyring) ||
		math.Abs(r.Missing(&bands[2], 0.55)-missing-65.42) > 1e-5 {
		t.Errorf("without surfaces: got %+v, %v", bands[2], err)
	}
}

// TestDIN18041Ratios expects 1 / (offset + 4.69 lg h), with lg 3 = 0.4771213 and lg 6 = 0.7781513.
func TestDIN18041Ratios(t *testing.T) {
	for i, want := range []struct{ low, at3, at6 float64 }{
		{0.15, 1 / 7.037699, 1 / 8.449530}, {0.20, 1 / 5.367699, 1 / 6.779530}, {0.25, 1 / 4.367699, 1 / 5.779530},
		{0.30, 1 / 3.707699, 1 / 5.119530},
	} {
		u := &DIN18041Ratios[i]
		for height, ratio := range map[float64]float64{1: want.low, 2.5: want.low, 3: want.at3, 6: want.at6} {
			if got := u.PerM(height); math.Abs(got-ratio) > 1e-7 {
				t.Errorf("%s at %v m: got %v, want %v", u.Name, height, got, ratio)
			}
		}
		if at := u.PerM(2.5000001); math.Abs(at-want.low) > 2e-3 {
			t.Errorf("%s jumps at 2.5 m, from %v to %v", u.Name, want.low, at)
		}
	}
}

// TestReasonsAreExplained checks that the explanations are correct for all causes of a reason.
func TestReasonsAreExplained(t *testing.T) {
	for reason, want := range map[FillReason]string{
		"":           "",
		StillLong:    "the reverberation time of an octave is too long even at the largest possible area",
		AlreadyShort: "the reverberation time of an octave is too short even without the covering",
		Uneven:       "no area in steps of 0.5 m² meets the target in all octaves",
	} {
		if got := reason.Explain(); got != want {
			t.Errorf("%q: got %q, want %q", reason, got, want)
		}
	}
}
