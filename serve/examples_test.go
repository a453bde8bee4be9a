package serve_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// TestEveryExampleIsAnswered sends the examples in the description to a server with the sample catalogue,
// like a new user: each parameter together with the parameters that it requires.
func TestEveryExampleIsAnswered(t *testing.T) {
	t.Parallel()
	s := sample(t)
	for path, item := range s.judge.doc.Paths.Map() {
		for _, p := range item.Get.Parameters {
			target, fields := exampleRequest(path, item.Get, p.Value)
			want := 200
			if path == "/v1/changes" {
				want = 410 // the server does not know the hash in the example
			}
			if a := s.get(t, target, fields...); a.status != want {
				t.Errorf("%s %v: %d %s", target, fields, a.status, a.body)
			}
		}
	}
	for _, tt := range []struct{ path, example, target string }{
		{"/v1/materials/search", "page", "/v1/materials/search?q=SilentWood+40"},
		{"/v1/materials/search", "facets", "/v1/materials/search?q=SilentWood+40&include=acoustics&facets=true"},
		{"/v1/materials/search", "needs",
			"/v1/materials/search?q=SilentWood+40&absorption_min=125:0.2,250:0.5&like=steinwolle-50mm"},
		{"/v1/materials/{id}", "detail", "/v1/materials/akustikpaneel-fichte-40"},
		{"/v1/materials/{id}", "geometry", "/v1/materials/akustikpaneel-fichte-40?include=geometry"},
		{"/v1/materials", "partial", "/v1/materials?ids=akustikpaneel-fichte-40,gibt-es-nicht"},
		{"/public/search", "page", "/public/search?q=SilentWood+40&locale=en"},
		{"/public/search", "needs",
			"/public/search?q=SilentWood+40&locale=en&absorption_min=125:0.2,250:0.5&like=steinwolle-50mm"},
		{"/public/compare-products", "comparison", "/public/compare-products?id=akustikpaneel-fichte-40"},
		{"/public/materials/{id}", "material", "/public/materials/akustikpaneel-fichte-40?locale=en"},
		{"/public/reverberation", "room",
			"/public/reverberation?volume=180&target=din18041:A3&surface=akustikpaneel-fichte-40:64" +
				"&surface=125:0.02,250:0.03,500:0.03,1000:0.04,2000:0.05,4000:0.05:154"},
	} {
		example := s.judge.doc.Paths.Value(tt.path).Get.Responses.Status(200).Value.Content.Get(
			"application/json").Examples[tt.example].Value.Value
		var got any
		if err := json.Unmarshal([]byte(s.get(t, tt.target).body), &got); err != nil {
			t.Fatal(err)
		}
		if got, want := compact(t, got), compact(t, example); got != want {
			t.Errorf("%s: the example %s of the description differs\n got %s\nwant %s", tt.target, tt.example, got, want)
		}
	}
}

// TestTheExamplesOfExportsAreWhatIsExported compares the examples in the description with exports from the
// sample catalogue.
func TestTheExamplesOfExportsAreWhatIsExported(t *testing.T) {
	t.Parallel()
	s := sample(t)
	content := s.judge.doc.Paths.Value("/v1/export").Get.Responses.Status(200).Value.Content
	for format, media := range map[string]string{"ndjson": "application/x-ndjson", "pyroomacoustics": "application/json",
		"catt": "text/plain"} {
		got, want := s.get(t, "/v1/export?q=SilentWood+40&format="+format).body, content[media].Examples[format].Value.Value
		if media == "application/json" {
			var v any
			if err := json.Unmarshal([]byte(got), &v); err != nil {
				t.Fatal(err)
			}
			got, want = compact(t, v), compact(t, want)
		}
		if got != want {
			t.Errorf("%s: the example differs\n got %s\nwant %s", format, got, want)
		}
	}
}

// needed lists the other parameters that a parameter requires, by path and name.
var needed = map[string]string{
	"/v1/export separator": "format=csv", "/v1/export bands": "format=pyroomacoustics", "/v1/export fill": "format=catt",
	"/public/reverberation height": "target=din18041:B3", "/public/reverberation fill": "target=din18041:A3",
	"/public/reverberation covers": "target=0.6&fill=akustikpaneel-fichte-40",
}

// exampleRequest returns a request with the examples for a parameter and for the parameters that it requires.
func exampleRequest(path string, op *openapi3.Operation, of *openapi3.Parameter) (target string, fields []string) {
	query, err := url.ParseQuery(needed[path+" "+of.Name])
	if err != nil {
		panic(err) // impossible, because the query string is constant
	}
	for _, ref := range op.Parameters {
		p := ref.Value
		if p != of && !p.Required && p.Name != "surface" { // a room needs surfaces or a target
			continue
		}
		value := exampleText(p.Example)
		if list, ok := p.Example.([]any); ok && p.Explode != nil && *p.Explode { // repeated parameter
			for _, v := range list {
				query.Add(p.Name, exampleText(v))
			}
			continue
		}
		switch p.In {
		case openapi3.ParameterInPath:
			path = strings.Replace(path, "{"+p.Name+"}", url.PathEscape(value), 1)
		case openapi3.ParameterInHeader:
			fields = append(fields, p.Name, value)
		default:
			query.Set(p.Name, value)
		}
	}
	return path + "?" + query.Encode(), fields
}

// exampleText formats an example as the value of a parameter. Lists are separated by commas.
func exampleText(example any) string {
	if list, ok := example.([]any); ok {
		var values []string
		for _, v := range list {
			values = append(values, exampleText(v))
		}
		return strings.Join(values, ",")
	}
	return fmt.Sprint(example)
}

// compact returns a value as JSON with sorted keys.
func compact(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
