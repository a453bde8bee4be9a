package serve_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/runtime"
	"sabine/serve"
)

// searches lists the search operations, which accept needs.
var searches = []string{"/v1/materials/search?", "/public/search?"}

// TestSpellingsOfNeeds sends the same needs in many spellings. Each row begins with the normal spelling.
func TestSpellingsOfNeeds(t *testing.T) {
	t.Parallel()
	s := shared(t)
	for _, tt := range []struct {
		rule      string
		spellings []string
	}{
		{"comma list, repeated parameter, both, and name[]", []string{"absorption_min=250:0.2,500:0.4,4000:0.1",
			"absorption_min=250:0.2&absorption_min=500:0.4&absorption_min=4000:0.1",
			"absorption_min=250:0.2,500:0.4&absorption_min=4000:0.1",
			"absorption_min[]=250:0.2&absorption_min%5B%5D=500:0.4,4000:0.1"}},
		{"the order of the bands does not matter", []string{"curve=250:0.2,500:0.4&absorption_max=250:1,500:1",
			"absorption_max=500:1&curve=500:0.4&absorption_max=250:1&curve=250:0.2"}},
		{"blanks are trimmed, empty ones dropped", []string{"absorption_min=250:0.2,500:0.4",
			"absorption_min=+250:0.2+,,%09500:0.4%C2%A0,&absorption_min=&absorption_min=,"}},
		{"a list of nothing is absent",
			[]string{"", "absorption_min=,&curve=+&scattering_min=&like=&thickness_max=&mounting=,,&sort="}},
		{"the value counts, not its digits", []string{"absorption_min=250:0.3,500:0.05", "absorption_min=250:0.300,500:5e-2",
			"absorption_min=250:0.3000,500:0.05000000", "absorption_min=250:3E-1,500:0.5e-1",
			"absorption_min=250:0.03e%2B1,500:0.05"}},
		{"from -0.1 on", []string{"absorption_min=250:-0.1", "absorption_min=250:-0.10", "absorption_min=250:-1e-1"}},
		{"up to 2, and as low as 0", []string{"absorption_max=250:2&absorption_min=500:0",
			"absorption_max=250:2.000&absorption_min=500:-0", "absorption_max=250:0.2e1&absorption_min=500:0e999"}},
		{"least and largest may be the same", []string{"absorption_min=250:0.3&absorption_max=250:0.3",
			"absorption_min=250:0.30&absorption_max=250:3e-1"}},
		{"third octaves, of scattering and diffusion", []string{"scattering_min=630:0.1,1000:0.1",
			"scattering_min=1000:0.1&scattering_min=630:0.1"}},
		{"lengths: JSON's grammar, to fractions of a millimetre", []string{"thickness_max=40&depth_max=240.5",
			"thickness_max=40.0&depth_max=2405e-1", "thickness_max=4e1&depth_max=240.50&thickness_max=40"}},
		{"a length of 0", []string{"depth_max=0", "depth_max=-0", "depth_max=0.0", "depth_max=1e-999"}},
		{"values in lists, each once", []string{"mounting=A,E&source_kind=measured,literature&absorption_class=A,B,C,D,E",
			"mounting=E&mounting=A,E&source_kind=literature&source_kind=measured&absorption_class[]=E,D,C,B,A"}},
		{"a target by its slug and its id, in any case", []string{"like=stahlbeton-glatt",
			"like=00000000-0000-4000-8000-000000000014", "like=stahlbeton-glatt&like=00000000-0000-4000-8000-000000000014"}},
		{"an absent sort is by distance where there is a target and no text", []string{"curve=250:0.3,500:0.4",
			"curve=250:0.3,500:0.4&sort=distance_asc", "curve=250:0.3,500:0.4&q=+"}},
		{"a sort by the distance or the margin that is asked for",
			[]string{"like=stahlbeton-glatt&absorption_min=250:0.1&sort=distance_asc",
				"like=stahlbeton-glatt&absorption_min=250:0.1"}},
	} {
		for _, path := range searches {
			plain := ""
			for i, query := range tt.spellings {
				a := s.get(t, path+query)
				if a.status != 200 {
					t.Errorf("%s: %s%s: got %d %s", tt.rule, path, query, a.status, a.body)
				} else if i == 0 {
					plain = a.body
				} else if a.body != plain {
					t.Errorf("%s: %s%s: not the answer to %s", tt.rule, path, query, tt.spellings[0])
				}
			}
		}
	}
}

// TestInvalidNeeds checks the messages with which both searches refuse invalid needs.
func TestInvalidNeeds(t *testing.T) {
	t.Parallel()
	s := shared(t)
	const (
		bound    = ` is not a band and its coefficient, such as 125:0.8; separate bands with commas, and use a decimal point`
		band     = ` has no band before the colon; expected a whole number in Hz, as in 125:0.8`
		number   = ` has no coefficient after the colon; expected a number as in 125:0.8`
		value    = ` has a coefficient out of range; expected -0.1 to 2`
		decimals = ` has a coefficient with more than three decimals; expected a number as in 125:0.855`
		length   = ` is not a length in mm of 0 or more, such as 62.5`
		target   = ` is not the id or slug of a published product`
		margin   = `sort: "margin_desc" needs absorption_min, which is missing`
		distance = `sort: "distance_asc" needs like or curve, and both are missing`
	)
	for _, tt := range []struct{ rule, query, message string }{
		{"no octave, between two", "absorption_min=300:0.8",
			`absorption_min: "300:0.8" has 300, which is not a nominal octave band; the nearest are 250 and 500`},
		{"no octave, below the first", "absorption_max=31:0.8",
			`absorption_max: "31:0.8" has 31, which is not a nominal octave band; the nearest is 63`},
		{"no octave, above the last", "curve=16000:0.8,125:0.1",
			`curve: "16000:0.8" has 16000, which is not a nominal octave band; the nearest is 8000`},
		{"a third octave of absorption", "absorption_min=630:0.4",
			`absorption_min: "630:0.4" has 630, which is not a nominal octave band; the nearest are 500 and 1000`},
		{"no third octave", "scattering_min=300:0.4",
			`scattering_min: "300:0.4" has 300, which is not a nominal octave or third-octave band; the nearest are 250 and 315`},
		{"no third octave, below the first", "diffusion_min=40:0.4",
			`diffusion_min: "40:0.4" has 40, which is not a nominal octave or third-octave band; the nearest is 50`},
		{"no third octave, above the last", "diffusion_min=12500:0.4",
			`diffusion_min: "12500:0.4" has 12500, which is not a nominal octave or third-octave band; the nearest is 10000`},
		{"a band over 64 bits", "absorption_min=99999999999999999999:1",
			`absorption_min: "99999999999999999999:1" has 99999999999999999999, which is not a nominal octave band; the nearest is 8000`},
		{"a band of many digits", "absorption_min=" + strings.Repeat("9", 90) + ":1", `absorption_min: "` +
			strings.Repeat("9", 60) + `…" has ` + strings.Repeat("9", 60) +
			`…, which is not a nominal octave band; the nearest is 8000`},
		{"a band with decimals", "absorption_min=125.0:0.8", `absorption_min: "125.0:0.8"` + band},
		{"a band with a leading zero", "absorption_min=0125:0.8", `absorption_min: "0125:0.8"` + band},
		{"a band with a sign", "absorption_min=%2B125:0.8", `absorption_min: "+125:0.8"` + band},
		{"a band with its unit", "absorption_min=1k:0.8", `absorption_min: "1k:0.8"` + band},
		{"a blank after the band", "absorption_min=125+:0.8", `absorption_min: "125 :0.8"` + band},
		{"no band", "absorption_min=:0.8", `absorption_min: ":0.8"` + band},
		{"other digits", "absorption_min=%D9%A1:0.8", `absorption_min: "١:0.8"` + band},
		{"only a coefficient", "absorption_min=0.8", `absorption_min: "0.8"` + bound},
		{"a decimal comma", "absorption_min=125:0,8", `absorption_min: "8"` + bound},
		{"another separator", "scattering_min=125%3D0.8", `scattering_min: "125=0.8"` + bound},
		{"an invalid item after a valid one", "absorption_min=125:0.8,x", `absorption_min: "x"` + bound},
		{"no coefficient", "absorption_min=125:", `absorption_min: "125:"` + number},
		{"two colons", "absorption_min=125:0.8:0.9", `absorption_min: "125:0.8:0.9"` + number},
		{"a coefficient without a digit before the point", "diffusion_min=125:.8", `diffusion_min: "125:.8"` + number},
		{"a coefficient with a plus", "absorption_min=125:%2B1", `absorption_min: "125:+1"` + number},
		{"a blank before the coefficient", "absorption_min=125:+1", `absorption_min: "125: 1"` + number},
		{"percent", "absorption_min=125:80%25", `absorption_min: "125:80%"` + number},
		{"not a number", "curve=125:NaN,250:1", `curve: "125:NaN"` + number},
		{"over 2", "absorption_min=125:2.001", `absorption_min: "125:2.001"` + value},
		{"under -0.1", "absorption_max=125:-0.101", `absorption_max: "125:-0.101"` + value},
		{"far over 2", "scattering_min=125:1e400", `scattering_min: "125:1e400"` + value},
		{"over 2 by an exponent that is no integer of 64 bits", "curve=125:1e99999999999999999999,250:0",
			`curve: "125:1e99999999999999999999"` + value},
		{"four decimals", "absorption_min=125:0.8505", `absorption_min: "125:0.8505"` + decimals},
		{"four decimals under one thousandth", "absorption_min=125:0.0005", `absorption_min: "125:0.0005"` + decimals},
		{"four decimals by the exponent", "curve=125:1.5e-3,250:1", `curve: "125:1.5e-3"` + decimals},
		{"decimals that are lost in a float64", "absorption_min=125:0.80000000000000000000001",
			`absorption_min: "125:0.80000000000000000000001"` + decimals},
		{"a number as good as zero", "absorption_min=125:1e-400", `absorption_min: "125:1e-400"` + decimals},
		{"a band twice", "absorption_min=125:0.8,250:0.1,125:0.9",
			`absorption_min: "125:0.9" repeats the band of "125:0.8"; list each band only once`},
		{"a band twice with the same value, over repeated parameters", "curve=125:0.8,250:1&curve[]=125:0.80",
			`curve: "125:0.80" repeats the band of "125:0.8"; list each band only once`},
		{"least over largest", "absorption_min=250:0.1,125:0.8&absorption_max=125:0.6,250:0.5",
			`absorption_min: "125:0.8" is larger than absorption_max, "125:0.6"`},
		{"least over largest by a thousandth", "absorption_min=500:0.601&absorption_max=500:6e-1",
			`absorption_min: "500:0.601" is larger than absorption_max, "500:0.6"`},
		{"a curve of one band", "curve=125:0.3",
			`curve: "125:0.3" has one band; expected at least two, such as 125:0.3,250:0.6`},

		{"a length below 0", "thickness_max=-1", `thickness_max: "-1"` + length},
		{"a length just below 0", "depth_max=-1e-9", `depth_max: "-1e-9"` + length},
		{"a length without end", "depth_max=1e400", `depth_max: "1e400"` + length},
		{"a length with its unit", "thickness_max=50mm", `thickness_max: "50mm" is not a number such as 0.85`},
		{"a length with a decimal comma", "thickness_max=62,5",
			`thickness_max: "62,5" has a comma where a decimal point is expected, as in 0.85`},
		{"a length twice", "depth_max=50&depth_max=60", `depth_max: conflicting values "50" and "60"; use only one`},

		{"an unknown target", "like=gibt-es-nicht", `like: "gibt-es-nicht"` + target},
		{"an unknown target by its id", "like=99999999-0000-4000-8000-000000000001",
			`like: "99999999-0000-4000-8000-000000000001"` + target},
		{"a target that is not published", "like=geheimer-absorber", `like: "geheimer-absorber"` + target},
		{"a list of targets", "like=panel-2,panel-10", `like: "panel-2,panel-10"` + target},
		{"a target without a curve", "like=panel-2",
			`like: "panel-2" has absorption at 0 of the six octaves from 125 to 4000 Hz; a target needs at least 3`},
		{"two targets by their names", "like=stahlbeton-glatt&like=akustikpaneel-fichte-40",
			`like: conflicting values "stahlbeton-glatt" and "akustikpaneel-fichte-40"; use only one`},
		{"like and curve", "like=stahlbeton-glatt&curve=125:0.3,250:0.6",
			`like: "stahlbeton-glatt" conflicts with curve, "125:0.3": both are targets; use only one`},

		{"a sort by a margin over nothing", "sort=margin_desc", margin},
		{"a sort by a margin over what is largest", "sort=margin_desc&absorption_max=125:0.1", margin},
		{"a sort by a distance to nothing", "sort=distance_asc&absorption_min=125:0.1", distance},
		{"what is sorted by is wrong itself", "sort=margin_desc&absorption_min=x", `absorption_min: "x"` + bound},
		{"several faults are listed together", "absorption_min=x&depth_max=-1&like=y&sort=distance_asc",
			`absorption_min: "x"` +
				bound + `; depth_max: "-1"` + length + `; like: "y"` + target},
	} {
		for _, path := range searches {
			t.Run(path+tt.rule, func(t *testing.T) {
				if a := s.get(t, path+tt.query); a.status != 400 || a.code() != "invalid_request" || a.message() != tt.message {
					t.Errorf("got  %d %s\nwant %s", a.status, a.message(), tt.message)
				}
			})
		}
	}
	t.Run("a target with too few bands", func(t *testing.T) {
		few := newSite(t,
			settings{folder: built(t,
				`{"id":"10000000-0000-4000-8000-000000000001","slug":"wenig","label":"L","manufacturer":"W",`+
					`"measurements":{"absorption_iso_354":[{"id":"a","source_kind":"measured","alpha_s_octave":{"63":0.1,"125":0.9,"250":0.9,"8000":0.5}}]}}`+"\n")})
		for _, path := range searches {
			const want = `like: "wenig" has absorption at 2 of the six octaves from 125 to 4000 Hz; a target needs at least 3`
			if a := few.get(t, path+"like=wenig"); a.status != 400 || a.message() != want {
				t.Errorf("got  %d %s\nwant %s", a.status, a.message(), want)
			}
		}
	})
}

// TestUnknownValuesOfNeeds checks that an unknown mounting, source kind or class is a fault with a key and
// finds nothing without a key. Kinds and classes are known even if no product has them.
func TestUnknownValuesOfNeeds(t *testing.T) {
	t.Parallel()
	s := shared(t)
	for _, tt := range []struct{ query, message string }{
		{"mounting=E-400", `mounting: "E-400" is not a known value; the nearest is "E"; allowed: "A", "E"`},
		{"mounting=a", `mounting: "a" is not a known value; the nearest is "A"; allowed: "A", "E"`},
		{"source_kind=guessed",
			`source_kind: "guessed" is not a known value; allowed: "measured", "literature", "simulated"`},
		{"source_kind=measured,Simulated",
			`source_kind: "Simulated" is not a known value; the nearest is "simulated"; allowed: "measured", "literature", "simulated"`},
		{"absorption_class=F", `absorption_class: "F" is not a known value; allowed: "A", "B", "C", "D", "E"`},
	} {
		if a := s.get(t, searches[0]+tt.query); a.status != 400 || a.message() != tt.message {
			t.Errorf("%s\ngot  %d %s\nwant %s", tt.query, a.status, a.message(), tt.message)
		}
		name, value, _ := strings.Cut(tt.query, "=")
		if a := s.get(t, searches[1]+name+"="+value[strings.LastIndex(value, ",")+1:]); a.status != 200 ||
			a.json("total").Int() != 0 {
			t.Errorf("%s: public got %d %s", tt.query, a.status, a.body)
		}
	}
	for _, query := range []string{"source_kind=measured,literature,simulated", "absorption_class=A,B,C,D,E"} {
		if a := s.get(t, searches[0]+query); a.status != 200 {
			t.Errorf("%s: got %d %s", query, a.status, a.body)
		}
	}
}

// TestMountingsAreFoundInAnySpelling checks mountings in any spelling. A catalogue has one spelling for
// each mounting, but entries contain the spelling of their sources.
func TestMountingsAreFoundInAnySpelling(t *testing.T) {
	t.Parallel()
	const line = `{"id":"10000000-0000-4000-8000-%012d","label":"P","manufacturer":"W","measurements":{"absorption_iso_354":[{"source_kind":"measured","mounting":%q}]}}` + "\n"
	records := ""
	for i, mounting := range []string{"Typ A", "A", "E200", "Typ E 200", "Aufbau A"} {
		records += fmt.Sprintf(line, i, mounting)
	}
	folder := built(t, records)
	s := newSite(t, settings{folder: folder})
	for _, tt := range []struct{ asked, found string }{
		{"A", "Typ A|A"}, {"type a", "Typ A|A"}, {"Typ A,A", "Typ A|A"},
		{"E-200", "E200|Typ E 200"}, {"E200", "E200|Typ E 200"}, {"typ e 200", "E200|Typ E 200"},
		{"Aufbau A", "Aufbau A"},
	} {
		query := "mounting=" + url.QueryEscape(tt.asked)
		for path, hits := range map[string]string{searches[0]: "items", searches[1]: "products"} {
			var found []string
			for _, hit := range s.get(t, path+query).json(hits).Array() {
				found = append(found, hit.Get("match.mounting").Str)
			}
			if got := strings.Join(found, "|"); got != tt.found {
				t.Errorf("%s%s: got %s, want %s", path, query, got, tt.found)
			}
		}
	}
	const want = `mounting: "Typ B" is not a known value; allowed: "A", "Aufbau A", "E-200"`
	if a := s.get(t, searches[0]+"mounting=Typ+B"); a.status != 400 || a.message() != want {
		t.Errorf("got %d %s\nwant %s", a.status, a.message(), want)
	}
	name, err := folder.Current()
	if err != nil {
		t.Fatal(err)
	}
	g, err := runtime.Open(t.Context(), folder.Path(name))
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	spellings := url.QueryEscape("E-200,E200,e 200,Typ E 200,type e-200,Aufbau A,E–200,typ a,A")
	_, q, err := serve.Search(g, "mounting="+spellings, func(name string) string { return name })
	if err != nil || !slices.Equal(q.Filters.Needs.Mountings, []string{"E-200", "Aufbau A", "A"}) {
		t.Errorf("several spellings are asked for once each: got %q, %v", q.Filters.Needs.Mountings, err)
	}
}

// TestMatchOfHits checks that match is the last key of each hit if there are needs, and is otherwise missing.
func TestMatchOfHits(t *testing.T) {
	t.Parallel()
	s := shared(t)
	const absorption = "entry id mounting thickness_mm air_gap_mm depth_mm source_kind alpha_w alpha_w_shape " +
		"absorption_class absorption_octave margin distance"
	for _, tt := range []struct{ rule, query, match string }{
		{"no needs", "q=Fichte", ""},
		{"needs that are absent", "q=Fichte&absorption_min=&like=&mounting=,", ""},
		{"absorption", "absorption_min=250:0.2", absorption},
		{"only the set-up", "depth_max=500", absorption},
		{"a target", "curve=250:0.1,500:0.2", absorption},
		{"only scattering: null", "scattering_min=1000:0", "null"},
		{"only scattering, with match=true: null", "scattering_min=1000:0&match=true", "null"},
		{"match=true", "q=Fichte&match=true", absorption},
		{"depth_unknown, need_facets and near ask nothing", "q=Fichte&depth_unknown=1&need_facets=1&near=1", ""},
		{"near", "absorption_min=250:2&near=true", absorption + " shortfall"},
	} {
		for path, items := range map[string]string{searches[0]: "items", searches[1]: "products"} {
			hits := s.get(t, path+tt.query).json(items).Array()
			if len(hits) == 0 {
				t.Errorf("%s: %s%s finds nothing", tt.rule, path, tt.query)
			}
			for _, hit := range hits {
				match, got := hit.Get("match"), ""
				if match.Exists() {
					if got = keysOf(match); !match.IsObject() {
						got = match.Raw
					}
					if !strings.HasSuffix(keysOf(hit), " match") {
						t.Errorf("%s: match is not the last of %s", tt.rule, keysOf(hit))
					}
				}
				if got != tt.match {
					t.Errorf("%s: %s%s: the match is %q, want %q", tt.rule, path, tt.query, got, tt.match)
				}
			}
		}
	}
}

// TestNeedAnswers checks the keys need_facets and near of a response. An export has neither.
func TestNeedAnswers(t *testing.T) {
	t.Parallel()
	s := shared(t)
	for _, tt := range []struct{ rule, request, keys string }{
		{"need_facets is not there unless asked for", searches[0] + "facets=true",
			"items page limit total_count has_more facets"},
		{"it comes after facets", searches[0] + "facets=true&need_facets=true",
			"items page limit total_count has_more facets need_facets"},
		{"or where they would be", searches[0] + "need_facets=true", "items page limit total_count has_more need_facets"},
		{"in public search too", searches[1] + "need_facets=true",
			"products total hasMore page facets need_facets queryMeta"},
	} {
		a := s.get(t, tt.request)
		if got := keysOf(gjson.Parse(a.body)); got != tt.keys {
			t.Errorf("%s: got %s, want %s", tt.rule, got, tt.keys)
		}
		if f := a.json("need_facets"); f.Exists() && keysOf(f) != "absorption_classes mountings source_kinds" {
			t.Errorf("%s: need_facets has %s", tt.rule, keysOf(f))
		}
	}
	for _, path := range searches {
		counts := s.get(t, path+"need_facets=true").json("need_facets")
		for name, family := range map[string]string{"absorption_class": "absorption_classes", "mounting": "mountings",
			"source_kind": "source_kinds"} {
			for _, c := range counts.Get(family).Array() {
				a := s.get(t, path+name+"="+url.QueryEscape(c.Get("value").Str))
				if got := max(a.json("total").Int(), a.json("total_count").Int()); got != c.Get("count").Int() || got == 0 {
					t.Errorf("%s: %d products with %s, which counts %s", path, got, name, c.Raw)
				}
			}
		}
	}
	for path, keys := range map[string][3]string{searches[0]: {"items", "total_count", "has_more"},
		searches[1]: {"products", "total", "hasMore"}} {
		a := s.get(t, path+"absorption_min=250:2&near=true")
		if a.json(keys[0]+".#").Int() == 0 || a.json(keys[1]).Int() != 0 || a.json(keys[2]).Bool() ||
			a.json("queryMeta.zeroResults").Raw == "false" {
			t.Errorf("%s: near misses are %s", path, a.body)
		}
		if a := s.get(t, path+"absorption_min=250:2&near=true&page=1"); a.json(keys[0]+".#").Int() != 0 {
			t.Errorf("%s: near misses after page 0: %s", path, a.body)
		}
	}
	for _, tt := range []struct {
		query  string
		status int
	}{{"depth_max=50&depth_unknown=true", 200}, {"near=true", 400}, {"match=true", 400}, {"need_facets=true", 400},
		{"depth_unknown=x", 400}} {
		if a := s.get(t, "/v1/export?"+tt.query); a.status != tt.status {
			t.Errorf("an export with %s: got %d, want %d", tt.query, a.status, tt.status)
		}
	}
}

// TestTwoThousandInvalidNeeds generates requests with one mistake each. The message must contain the
// parameter, its value and the expected values. The seed is fixed. With -short, the test sends only 300
// requests.
func TestTwoThousandInvalidNeeds(t *testing.T) {
	t.Parallel()
	s := shared(t)
	m := mistakes{rand.New(rand.NewPCG(12, 354))}
	seen := map[string]int{}
	requests := 2000
	if testing.Short() {
		requests = 300
	}
	for i := range requests {
		path := searches[i%2]
		w := m.next(path == searches[0])
		a := s.get(t, path+w.query)
		if a.status != 400 || a.code() != "invalid_request" {
			t.Fatalf("%s%s: %d %s", path, w.query, a.status, a.body)
		}
		message := a.message()
		if !strings.Contains(message, w.name+": ") || !strings.Contains(message, quoted(w.value)) ||
			!strings.Contains(message, w.right) {
			t.Errorf("%s%s: got %s\nwant the parameter %s, the value %s and %q", path, w.query, message, w.name,
				quoted(w.value), w.right)
		}
		seen[w.name]++
	}
	t.Log(seen)
}

// quoted returns a value as it appears in messages.
func quoted(value string) string {
	if runes := []rune(value); len(runes) > 60 {
		value = string(runes[:60]) + "…"
	}
	return fmt.Sprintf("%q", value)
}

// A wrongNeed is a query string with one mistake.
type wrongNeed struct{ query, name, value, right string }

// mistakes generates wrong needs.
type mistakes struct{ *rand.Rand }

func (m mistakes) pick(of ...string) string { return of[m.IntN(len(of))] }

var (
	octaveBands = []string{"63", "125", "250", "500", "1000", "2000", "4000", "8000"}
	thirdBands  = []string{"50", "80", "100", "160", "200", "315", "400", "630", "800", "1250", "1600", "2500", "3150",
		"5000", "6300", "10000"}
	bandLists = []string{"absorption_min", "absorption_max", "scattering_min", "diffusion_min", "curve"}
)

// next generates a mistake. If closed is true, values outside the closed lists are mistakes.
func (m mistakes) next(closed bool) wrongNeed {
	switch m.IntN(10) {
	case 0:
		return m.length()
	case 1:
		return m.target()
	case 2:
		return m.sort()
	case 3:
		if closed {
			return m.unknown()
		}
	case 4:
		return m.crossed()
	}
	return m.list()
}

// list returns a list of bands with one invalid item.
func (m mistakes) list() wrongNeed {
	name := m.pick(bandLists...)
	known := octaveBands
	if name == "scattering_min" || name == "diffusion_min" {
		known = slices.Concat(octaveBands, thirdBands)
	}
	good := make([]string, m.IntN(3))
	bands := slices.Clone(octaveBands)
	m.Shuffle(len(bands), func(i, j int) { bands[i], bands[j] = bands[j], bands[i] })
	for i := range good {
		good[i] = bands[i] + ":" + m.coefficient()
	}
	band := bands[len(bands)-1]
	w := wrongNeed{name: name}
	switch m.IntN(8) {
	case 0:
		hz := fmt.Sprint(1 + m.IntN(20000))
		if m.IntN(8) == 0 {
			hz = "1" + strings.Repeat(m.pick("0", "9"), 5+m.IntN(90))
		}
		if slices.Contains(known, hz) {
			hz += "1"
		}
		w.value, w.right = hz+":"+m.coefficient(), "; the nearest "
	case 1:
		w.value = m.pick("0", "+", "-", "0x", "١", "ƒ", "'", "\x00", "")
		if w.value == "" {
			w.value = m.pick("", band+" ", band+".0", band+"e0", "1k", band+"Hz", band+" Hz", "1_000", "octave", band+"\u202e")
		} else {
			w.value += band
		}
		w.value, w.right = w.value+":"+m.coefficient(), "expected a whole number in Hz"
	case 2:
		w.value, w.right = m.pick(band, m.coefficient(), band+"="+m.coefficient(), band+"-"+m.coefficient(), "{}", "null",
			"🙂", "\x00", strings.Repeat("ä", 1+m.IntN(200))),
			"such as 125:0.8; separate bands with commas, and use a decimal point"
	case 3:
		junk := m.pick("", ".5", "1.", "+1", "01", "-", "1e", "1e+", "0x1", "NaN", "Inf", "0.5x", "1_0", "80%", "0.5 ", "½",
			"٠", "--1", "1:1", "true", "\u00000", strings.Repeat("1", 70)+"x")
		w.value, w.right = band+":"+strings.TrimSpace(junk), "a number as in 125:0.8"
		if junk == "0.5 " {
			w.value = band + ": 0.5"
		}
	case 4:
		w.value, w.right = band+":"+m.pick("2.001", "-0.101", "3", "-1", "1e1", "1e400", "-1e400", "1e99999999999999999999",
			"10", "200", "2.0000001e1", fmt.Sprint(3+m.IntN(1000)), strings.Repeat("9", 400)), "expected -0.1 to 2"
	case 5:
		w.value = band + ":" + m.pick(fmt.Sprintf("0.%03d%d", m.IntN(1000), 1+m.IntN(9)), "1e-4", "5e-400",
			"1e-99999999999999999999", "1.0005", "0.0005", "0."+strings.Repeat("0", 300)+"1", "0.3000000000000000000001",
			"-0.0001")
		w.right = "more than three decimals"
	case 6:
		before := band + ":" + m.coefficient()
		good = append([]string{before}, good...)
		w.value, w.right = band+":"+m.coefficient(), "list each band only once"
	case 7:
		w.name = "curve"
		good, w.value, w.right = nil, band+":"+m.pick("0.5", "1", "0.855", "-0.1"), "at least two"
	}
	if len(good) > 0 && w.right != "list each band only once" && m.IntN(2) == 0 { // put the invalid item first
		w.query = m.asked(w.name, append([]string{w.value}, good...))
	} else {
		w.query = m.asked(w.name, append(good, w.value))
	}
	return w
}

// asked returns a list as one or more parameters, with or without brackets after their names.
func (m mistakes) asked(name string, items []string) string {
	var pairs []string
	for len(items) > 0 {
		n := 1 + m.IntN(len(items))
		pairs = append(pairs, name+m.pick("", "", "[]", "%5B%5D")+"="+
			url.QueryEscape(strings.Join(items[:n], m.pick(",", ", ", ",,"))))
		items = items[n:]
	}
	return strings.Join(pairs, "&")
}

// coefficient returns a valid coefficient.
func (m mistakes) coefficient() string {
	return m.pick("0.8", "1", "0", "-0.1", "0.285", "2", "5e-1", "0.50", "0.8000", "1.05",
		fmt.Sprintf("0.%03d", m.IntN(1000)))
}

// crossed returns a need whose minimum is greater than its maximum.
func (m mistakes) crossed() wrongNeed {
	band, most := m.pick(octaveBands...), m.IntN(1000)
	least := most + 1 + m.IntN(1000)
	written := func(thousandths int) string { return fmt.Sprintf("%s:%g", band, float64(thousandths)/1000) }
	return wrongNeed{"absorption_max=" + written(most) + "&absorption_min=" + written(least), "absorption_min",
		written(least), "is larger than absorption_max, " + quoted(written(most))}
}

// length returns an invalid length.
func (m mistakes) length() wrongNeed {
	w := wrongNeed{name: m.pick("thickness_max", "depth_max")}
	switch m.IntN(3) {
	case 0:
		w.value, w.right = m.pick("-1", "-0.001", "-1e-9", "1e400", "-1e400", fmt.Sprint(-1-m.IntN(1000)),
			strings.Repeat("9", 400)), "0 or more, such as 62.5"
	case 1:
		w.value, w.right = m.pick("50mm", "x", ".5", "1.", "+1", "NaN", "Infinity", "0x10", " 50", "1_0", "5,5,5", "5 cm",
			"½", "\x00", strings.Repeat("ü", 1+m.IntN(100))), "a number such as 0.85"
	case 2:
		w.value, w.right = fmt.Sprintf("%d,%d", m.IntN(100), m.IntN(10)), "a decimal point is expected"
	}
	w.query = w.name + "=" + url.QueryEscape(w.value)
	return w
}

// target returns an invalid target, or more than one target.
func (m mistakes) target() wrongNeed {
	w := wrongNeed{name: "like", value: "stahlbeton-glatt"}
	switch m.IntN(4) {
	case 0:
		w.value, w.right = m.pick("x", "geheimer-absorber", " panel-2", "Panel-2", "panel-2,panel-10", "Säule", "\x00",
			"../..", "' OR 1=1", "🙂", strings.Repeat("z", 1+m.IntN(500)), fmt.Sprintf("%08x-0000-4000-8000-000000000014",
				1+m.Uint32())), "the id or slug of a published product"
	case 1:
		w.value, w.right = m.pick("panel-2", "deckensegel-wolke", "00000000-0000-4000-8000-000000000010", "qrd-diffusor-7"),
			"a target needs at least 3"
	case 2:
		w.query, w.right = "curve=125:0.3,250:0.6&like=stahlbeton-glatt", "use only one"
	case 3:
		w.query, w.right = "like=stahlbeton-glatt&like=akustikpaneel-fichte-40", "conflicting values"
	}
	if w.query == "" {
		w.query = "like=" + url.QueryEscape(w.value)
	}
	return w
}

// sort returns a sort without the parameter that the sort requires.
func (m mistakes) sort() wrongNeed {
	w := wrongNeed{name: "sort", value: "margin_desc", right: "absorption_min, which is missing"}
	if m.IntN(2) == 0 {
		w.value, w.right = "distance_asc", "needs like or curve"
	}
	w.query = "sort=" + w.value + m.pick("", "&q=Paneel", "&absorption_max=125:0.5", "&scattering_min=125:0.5",
		"&mounting=A", "&absorption_min=,&curve=", "&depth_max=50")
	return w
}

// unknown returns a value that is not in its closed list.
func (m mistakes) unknown() wrongNeed {
	w := wrongNeed{name: m.pick("mounting", "source_kind", "absorption_class"), value: m.pick("x", "a", "F", "Measured",
		"AA", "E-401", "🙂", "\x00", "A E", strings.Repeat("ß", 1+m.IntN(100))), right: "allowed: "}
	w.query = w.name + m.pick("", "[]") + "=" + url.QueryEscape(w.value)
	return w
}
