package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/tidwall/gjson"

	"sabine/dataset/acoustics"
)

func description(t *testing.T) *openapi3.T {
	t.Helper()
	r := newDescription("/api")
	if n := strings.Count(string(r.body), defaultServer); n != 1 {
		t.Fatalf("the document has %s %d times, not once", defaultServer, n)
	}
	doc, err := openapi3.NewLoader().LoadFromData(r.body)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestTheDescriptionAndItsExamplesAreValid(t *testing.T) {
	doc := description(t)
	if err := doc.Validate(context.Background(), openapi3.EnableExamplesValidation(),
		openapi3.EnableSchemaFormatValidation()); err != nil {
		t.Fatal(err)
	}
	if doc.Info.Version != "1.2.0" || !strings.HasPrefix(doc.OpenAPI, "3.1") {
		t.Errorf("got version %s of OpenAPI %s", doc.Info.Version, doc.OpenAPI)
	}
}

// TestEveryExampleOfASchemaFitsIt checks the examples in schemas, because the library does not check them.
func TestEveryExampleOfASchemaFitsIt(t *testing.T) {
	var written struct {
		Components struct {
			Schemas map[string]struct {
				Examples []any `json:"examples"`
			} `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(openAPI, &written); err != nil {
		t.Fatal(err)
	}
	doc := description(t)
	for name, schema := range written.Components.Schemas {
		for i, example := range schema.Examples {
			if err := doc.Components.Schemas[name].Value.VisitJSON(example, openapi3.EnableJSONSchema2020()); err != nil {
				t.Errorf("%s, example %d: %v", name, i, err)
			}
		}
	}
}

func TestTheDescriptionCoversEveryOperation(t *testing.T) {
	doc := description(t)
	var names []string
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			if method != "GET" {
				t.Errorf("%s %s: the API only reads", method, path)
			}
			names = append(names, op.OperationID)
			i := slices.IndexFunc(operations, func(o *operation) bool { return o.name == op.OperationID })
			if i < 0 {
				t.Errorf("%s: the server has no operation %s", path, op.OperationID)
				continue
			}
			wantTag := map[access]string{open: "Description", public: "Public", authenticated: "Materials"}[operations[i].access]
			if !slices.Equal(op.Tags, []string{wantTag}) {
				t.Errorf("%s: tagged %v, want %s", op.OperationID, op.Tags, wantTag)
			}
			if needsKey := len(*op.Security) > 0; needsKey != (operations[i].access == authenticated) {
				t.Errorf("%s: needs a key: %t", op.OperationID, needsKey)
			}
			if op.Summary == "" || strings.Contains(op.Summary, "\n") || op.Description == "" {
				t.Errorf("%s: summary %q, description %q", op.OperationID, op.Summary, op.Description)
			}
			for _, p := range op.Parameters {
				if p.Value.Description == "" || p.Value.Example == nil {
					t.Errorf("%s: parameter %s has no description or no example", op.OperationID, p.Value.Name)
				}
				if items := p.Value.Schema.Value.Items; items != nil && items.Value.MinLength == 0 && items.Value.Enum == nil {
					t.Errorf("%s: parameter %s may hold an empty text", op.OperationID, p.Value.Name)
				}
			}
		}
	}
	// This description is outside the base address.
	if len(names) != len(operations)-1 || slices.Contains(names, getWellKnownDescription.name) {
		t.Errorf("got the operations %v, want all %d but %s", names, len(operations), getWellKnownDescription.name)
	}
}

// TestParametersOfAddedOperationsAreMarked checks that a parameter of the contract's operations is marked as
// an addition if and only if the contract does not contain it.
func TestParametersOfAddedOperationsAreMarked(t *testing.T) {
	const mark = "x-sabine-extension"
	contracts := map[string]bool{}
	var added []*openapi3.Operation
	for _, item := range description(t).Paths.Map() {
		if item.Get.Extensions[mark] != nil {
			added = append(added, item.Get)
			continue
		}
		for _, p := range item.Get.Parameters {
			contracts[p.Value.Name] = true
		}
	}
	for _, op := range added {
		for _, p := range op.Parameters {
			if marked := p.Value.Extensions[mark] != nil; !marked && !contracts[p.Value.Name] {
				t.Errorf("%s: parameter %s is not marked", op.OperationID, p.Value.Name)
			}
		}
	}
	if len(added) == 0 {
		t.Error("no operation is marked")
	}
}

func TestTheDescriptionExplainsEveryFieldAndCode(t *testing.T) {
	doc := description(t)
	for name, schema := range doc.Components.Schemas {
		if schema.Value.Description == "" {
			t.Errorf("%s has no description", name)
		}
		for field, property := range schema.Value.Properties {
			if property.Value.Description == "" {
				t.Errorf("%s.%s has no description", name, field)
			}
		}
		if slices.Contains(schema.Value.Type.Slice(), "object") && len(schema.Value.Properties) > 0 &&
			name != "Description" &&
			(schema.Value.AdditionalProperties.Has == nil || *schema.Value.AdditionalProperties.Has) {
			t.Errorf("%s lets other fields through", name)
		}
	}
	codes := doc.Components.Schemas["Error"].Value.Properties["error"].Value
	for _, c := range allCodes {
		if !slices.Contains(codes.Enum, any(c.name)) || !strings.Contains(codes.Description, "`"+c.name+"`") {
			t.Errorf("the description does not explain %s", c.name)
		}
	}
	for _, listed := range codes.Enum {
		if !slices.ContainsFunc(allCodes, func(c code) bool { return c.name == listed }) {
			t.Errorf("the server never answers %s", listed)
		}
	}
}

// TestGeneratorsReadTheDescription checks that the description avoids forms that client generators misread:
// they ignore members next to a $ref, generate a float32 in Go for a number without a format, and do not
// support null next to a $ref. Some models refuse or truncate a tool description longer than 1024 characters.
func TestGeneratorsReadTheDescription(t *testing.T) {
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			if _, ok := v["$ref"].(string); ok {
				for key := range v {
					if key != "$ref" && key != "description" {
						t.Errorf("%s: %s is next to a $ref", at, key)
					}
				}
			}
			types, ok := v["type"].([]any)
			if !ok {
				types = []any{v["type"]}
			}
			if text, ok := v["description"].(string); ok && len(text) >= 1024 {
				t.Errorf("%s has a description of %d bytes", at, len(text))
			}
			format, _ := v["format"].(string)
			if slices.Contains(types, any("number")) && format != "double" || slices.Contains(types, any("integer")) &&
				!strings.HasPrefix(format, "int") {
				t.Errorf("%s: a number of the format %q", at, format)
			}
			if slices.Contains(types, any("null")) && v["properties"] != nil {
				t.Errorf("%s: an inline object that can be null", at)
			}
			for key, below := range v {
				if key != "example" && key != "examples" {
					walk(at+"/"+key, below)
				}
			}
		case []any:
			for i, below := range v {
				walk(at+"/"+strconv.Itoa(i), below)
			}
		}
	}
	var document any
	if err := json.Unmarshal(openAPI, &document); err != nil {
		t.Fatal(err)
	}
	walk("", document)
	for name, response := range description(t).Components.Responses {
		content := response.Value.Content.Get("application/json")
		if content == nil {
			continue // a 304 has no body
		}
		parts := content.Schema.Value.AllOf
		if len(parts) != 2 || parts[0].Ref != "#/components/schemas/Error" || !parts[0].Value.Type.Is("object") ||
			!parts[1].Value.Type.Is("object") {
			t.Errorf("%s: the body is not Error and the status's codes, both with their type", name)
		}
	}
}

// TestABandOfARoomIsOneOfTwo checks that a band has either all fields of a reverberation or all fields of a
// DIN 18041 ratio.
func TestABandOfARoomIsOneOfTwo(t *testing.T) {
	doc := description(t)
	const times, ratios = `{"band":125,"sabine_s":1,"eyring_s":null,"air_m2":0,"target_s":null,"missing_m2":null`,
		`{"band":250,"required_per_m":0.2,"reached_per_m":null`
	for _, tt := range []struct {
		schema, value string
		fits          bool
	}{
		{"RoomBand", times + `}`, true},
		{"RoomBand", ratios + `}`, true},
		{"RoomBand", `{"band":125}`, false},
		{"RoomBand", `{"band":125,"sabine_s":1,"eyring_s":1,"air_m2":0,"target_s":1}`, false},
		{"RoomBand", `{"band":250,"required_per_m":0.2}`, false},
		{"RoomBand", times + `,"required_per_m":0.2,"reached_per_m":0.1}`, false},
		{"RoomFillBand", `{"band":125,"t_s":null,"verdict":null}`, true},
		{"RoomFillBand", `{"band":250,"reached_per_m":0.1,"verdict":"long"}`, true},
		{"RoomFillBand", `{"band":250,"verdict":null}`, false},
		{"RoomFillBand", `{"band":250,"t_s":1,"reached_per_m":0.1,"verdict":null}`, false},
	} {
		err := doc.Components.Schemas[tt.schema].Value.VisitJSON(gjson.Parse(tt.value).Value(),
			openapi3.EnableJSONSchema2020())
		if fits := err == nil; fits != tt.fits {
			t.Errorf("%s %s: fits %t, want %t: %v", tt.schema, tt.value, fits, tt.fits, err)
		}
	}
}

// TestTheDescriptionSaysWhyThereIsNoNumber checks that null is explained for a fill's area and for depth.
func TestTheDescriptionSaysWhyThereIsNoNumber(t *testing.T) {
	for path, want := range map[string]string{
		"components.schemas.RoomFill.properties.reason.description": "`uneven`: no area in steps of 0.5 m² meets the target in all octaves",
		"components.parameters.DepthMax.description":                "thicker than nnn mm",
	} {
		if got := gjson.GetBytes(openAPI, path).String(); !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q in it", path, got, want)
		}
	}
}

// TestTheNumbersOfTheDescriptionAreTheServers checks that the limits in schemas are the server's constants.
func TestTheNumbersOfTheDescriptionAreTheServers(t *testing.T) {
	const parameters, properties = "paths./v1/materials%s.get.parameters.#(name==%q).schema.%s",
		"components.schemas.%s.properties.%s"
	const room = "paths./public/reverberation.get.parameters.#(name==%q).schema.%s"
	for path, want := range map[string]any{
		"components.parameters.Q.schema.maxLength":                         maxTextLength,
		"components.headers.X-Snapshot.schema.pattern":                     fmt.Sprintf("^[0-9a-f]{%d}$", shownHashDigits),
		fmt.Sprintf(parameters, "/search", "limit", "default"):             DefaultLimit,
		fmt.Sprintf(parameters, "/search", "limit", "maximum"):             MaxLimit,
		fmt.Sprintf(properties, "MaterialSearchResult", "limit.maximum"):   MaxLimit,
		fmt.Sprintf(properties, "MaterialSearchResult", "items.maxItems"):  MaxLimit,
		fmt.Sprintf(parameters, "", "ids", "maxItems"):                     maxBatch,
		fmt.Sprintf(properties, "MaterialBatch", "items.maxItems"):         maxBatch,
		fmt.Sprintf(properties, "MaterialBatch", "missing.maxItems"):       maxBatch,
		fmt.Sprintf(properties, "PublicSearchResult", "products.maxItems"): publicLimit,
		fmt.Sprintf(properties, "Comparison", "products.maxItems"):         maxCompared,
		fmt.Sprintf(properties, "Reverberation", "surfaces.maxItems"):      acoustics.MaxSurfaces,
		fmt.Sprintf(properties, "Reverberation", "objects.maxItems"):       acoustics.MaxObjects,
		fmt.Sprintf(properties, "Reverberation", "fill.maxItems"):          maxFills,
		fmt.Sprintf(properties, "RoomObjects", "count.maximum"):            maxPieces,
		fmt.Sprintf(room, "volume", "minimum"):                             minVolume,
		fmt.Sprintf(properties, "Reverberation", "volume_m3.minimum"):      minVolume,
		fmt.Sprintf(room, "volume", "maximum"):                             int(maxExtent),
		fmt.Sprintf(room, "height", "maximum"):                             int(maxExtent),
		fmt.Sprintf(room, "surface", "maxItems"):                           acoustics.MaxSurfaces,
		fmt.Sprintf(room, "object", "maxItems"):                            acoustics.MaxObjects,
		fmt.Sprintf(room, "fill", "maxItems"):                              maxFills,
		fmt.Sprintf(room, "covers", "maximum"):                             acoustics.MaxSurfaces - 1,
	} {
		if got := gjson.GetBytes(openAPI, path).String(); got != fmt.Sprint(want) {
			t.Errorf("%s is %q, want %v", path, got, want)
		}
	}
}

// TestTheExportOfTheDescriptionIsTheServers compares the formats, media types and bands of exports.
func TestTheExportOfTheDescriptionIsTheServers(t *testing.T) {
	const export = "paths./v1/export.get."
	var formats, bands, types []string
	for _, f := range gjson.GetBytes(openAPI, export+`parameters.#(name=="format").schema.enum`).Array() {
		formats = append(formats, f.String())
	}
	for _, b := range gjson.GetBytes(openAPI, export+`parameters.#(name=="bands").schema.items.enum`).Array() {
		bands = append(bands, b.Raw)
	}
	gjson.GetBytes(openAPI, export+"responses.200.content").ForEach(func(name, _ gjson.Result) bool {
		types = append(types, name.String())
		return true
	})
	if !slices.Equal(formats, ExportFormats()) || strings.Join(bands, " ") != strings.Trim(fmt.Sprint(octaves.hz), "[]") {
		t.Errorf("got the formats %q and the bands %q", formats, bands)
	}
	for i, f := range exportFormats {
		if mediaType, _, _ := strings.Cut(f.mediaType[0], ";"); i >= len(types) || types[i] != mediaType {
			t.Errorf("%s: the description has the types %q, the server %q", f.Format, types, f.mediaType)
		}
	}
}

// allCodes lists the codes in problems.go.
var allCodes = []code{
	invalidRequest, missingIDs, invalidToken, tokenRevoked, tokenExpired, tokenPaused, partnerInactive, partnerNotAllowed,
	notFound, wrongMethod, gone, noMatch, rateLimitExceeded, internalError, noSnapshot, rateLimitUnavailable,
}
