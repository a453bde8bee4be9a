package dataset

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"sabine/dataset/product"
)

// sampleRecords decodes the records in the sample catalogue as plain JSON.
func sampleRecords(t *testing.T) []map[string]any {
	t.Helper()
	var records []map[string]any
	for _, input := range Sample() {
		if !strings.HasSuffix(input.Name, ".ndjson") {
			continue
		}
		file, err := input.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		records = append(records, decodeLines(t, file)...)
	}
	return records
}

func decodeLines(t *testing.T, r io.Reader) []map[string]any {
	t.Helper()
	var records []map[string]any
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxRecordBytes)
	for lines.Scan() {
		var record map[string]any
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			t.Fatalf("%v in %s", err, lines.Bytes())
		}
		records = append(records, record)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return records
}

func TestSampleIsLargeAndTranslated(t *testing.T) {
	records, translated, references := sampleRecords(t), 0, 0
	for _, r := range records {
		if label, ok := r["label"].(map[string]any); ok && label["de"] != "" && label["en"] != "" {
			translated++
		}
		if r["data_source"] == "ptb" {
			references++
			source, _ := r["structured_meta"].(map[string]any)["Literaturquelle"].(string)
			if source == "" {
				t.Errorf("reference material %v names no literature source", r["slug"])
			}
		}
	}
	if translated < 300 || references < 60 || len(records)-references < 240 {
		t.Errorf("%d records, %d of them translated, %d references; want at least 300, 60, and 240 others", len(records),
			translated, references)
	}
}

// TestSampleHasEveryField checks that some record in the sample has a value for each field, and that some
// record lacks each optional field.
func TestSampleHasEveryField(t *testing.T) {
	values, nulls := map[string]int{}, map[string]int{}
	for _, r := range sampleRecords(t) {
		countFields(values, nulls, "", r)
	}
	always := []string{
		"id", "published", "label", "label.de", "label.en", "description.de", "description.en", "manufacturer",
		"manufacturer.name", "data_source",
		"purchasable", "installation_types", "structured_meta", "images[].url", "geometry.shape",
		"geometry.bounding_box_mm.width",
		"geometry.bounding_box_mm.height", "geometry.bounding_box_mm.depth", "geometry.size_variants[].width",
		"geometry.exposed_area_m2.wall",
		"geometry.exposed_area_m2.ceiling", "geometry.exposed_area_m2.free-standing",
		"measurements.absorption_iso_354[].source_kind",
		"measurements.scatter_iso_17497_1[].source_kind", "measurements.diffusion_iso_17497_2[].source_kind",
		"measurements.absorption_iso_354[].label", "measurements.absorption_iso_354[].source_norm",
		"measurements.scatter_iso_17497_1[].scatter_octave",
		"measurements.diffusion_iso_17497_2[].directional_diffusion_octave",
		"measurements.diffusion_iso_17497_2[].diffusion_octave",
		"measurements.diffusion_iso_17497_2[].normalized_directional_diffusion_octave",
		"measurements.diffusion_iso_17497_2[].normalized_diffusion_octave",
	}
	nullable := []string{
		"slug", "commercial_name", "description", "manufacturer.id", "manufacturer.slug", "data_source", "material_category",
		"absorption_character",
		"fire_class", "alpha_w", "alpha_w_min", "updated_at", "url", "epd_url", "structured_meta", "images", "images[].id",
		"images[].filename",
		"images[].display_order", "geometry", "geometry.size_variants[].label", "measurements.absorption_iso_354[].id",
		"measurements.absorption_iso_354[].measuring_option", "measurements.absorption_iso_354[].mounting",
		"measurements.absorption_iso_354[].thickness_mm", "measurements.absorption_iso_354[].air_gap_mm",
		"measurements.absorption_iso_354[].calculated_absorption", "measurements.absorption_iso_354[].alpha_s_octave",
		"measurements.absorption_iso_354[].alpha_s_third_octave", "measurements.scatter_iso_17497_1[].measuring_option",
		"measurements.scatter_iso_17497_1[].scatter_third_octave", "measurements.diffusion_iso_17497_2[].measuring_option",
		"measurements.diffusion_iso_17497_2[].limit_frequency_hz",
		"measurements.diffusion_iso_17497_2[].directional_diffusion_third_octave",
		"measurements.diffusion_iso_17497_2[].normalized_directional_diffusion_third_octave",
		"measurements.diffusion_iso_17497_2[].diffusion_third_octave",
		"measurements.diffusion_iso_17497_2[].normalized_diffusion_third_octave",
	}
	for _, field := range slices.Concat(always, nullable) {
		if values[field] == 0 {
			t.Errorf("no record has a value of %s", field)
		}
	}
	records := values["id"]
	for _, field := range nullable {
		parent := records
		if i := strings.LastIndex(field, "."); i >= 0 {
			parent = values[field[:i]]
		}
		if nulls[field] == 0 && values[field] == parent {
			t.Errorf("no record has null for %s, or lacks it", field)
		}
	}
}

// countFields counts fields by path. It counts null values separately.
func countFields(values, nulls map[string]int, path string, value any) {
	if value == nil {
		nulls[path]++
		return
	}
	values[path]++
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			if path == "" {
				countFields(values, nulls, key, member)
			} else {
				countFields(values, nulls, path+"."+key, member)
			}
		}
	case []any:
		for _, element := range value {
			countFields(values, nulls, path+"[]", element)
		}
	}
}

// TestSampleHasEveryCase checks for all cases that a demonstration needs, in addition to single fields.
func TestSampleHasEveryCase(t *testing.T) {
	found := map[string]int{}
	meet := func(what string, ok bool) {
		if ok {
			found[what]++
		} else {
			found[what] += 0
		}
	}
	for _, p := range parseCatalogue(t, Sample()).products {
		m := &p.Measurements
		meet("unpublished", !p.Published)
		meet("purchasable", p.Purchasable)
		meet("not purchasable", !p.Purchasable)
		meet("an EPD", p.HasEPD)
		meet("no EPD", !p.HasEPD)
		meet("four variants", len(m.Absorption) == 4)
		meet("no measurements", len(m.Absorption)+len(m.Scatter)+len(m.Diffusion) == 0)
		meet("a diffuser without absorption", len(m.Absorption) == 0 && len(m.Diffusion) > 0)
		meet("scattering without diffusion", len(m.Scatter) > 0 && len(m.Diffusion) == 0)
		meet("no installation type", len(p.InstallationTypes) == 0)
		meet("several installation types", len(p.InstallationTypes) > 1)
		meet("several images", len(p.Images) > 2)
		for _, shape := range product.Shapes {
			meet("shape "+shape, p.Geometry != nil && p.Geometry.Shape == shape)
		}
		class := product.FireClass{}
		if p.FireClass != nil {
			class = *p.FireClass
		}
		for _, letters := range product.FireClasses {
			meet("fire class "+letters, class.Class == letters)
		}
		meet("a flooring's fire class", strings.Contains(class.Text, "fl"))
		meet("a pipe insulation's fire class", strings.Contains(class.Text, "L"))
		meet("a fire class with droplets alone", strings.HasSuffix(class.Text, "E-d2"))
	}
	for what, count := range found {
		if count == 0 {
			t.Errorf("nothing in the sample: %s", what)
		}
	}
}

// TestSampleVocabularyHasBothLanguages checks that every sample value has names and synonyms.
func TestSampleVocabularyHasBothLanguages(t *testing.T) {
	var vocabulary map[string]map[string]struct {
		De, En   string
		Synonyms []string
	}
	text, err := sampleFiles.ReadFile("sample/vocabulary.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &vocabulary); err != nil {
		t.Fatal(err)
	}
	for _, p := range parseCatalogue(t, Sample()).products {
		used := map[string][]string{product.FamilyInstallation: p.InstallationTypes}
		for family, value := range map[string]*string{product.FamilyCategory: p.MaterialCategory,
			product.FamilyCharacter: p.AbsorptionCharacter} {
			if value != nil {
				used[family] = []string{*value}
			}
		}
		for family, values := range used {
			for _, value := range values {
				if term, ok := vocabulary[family][value]; !ok || term.De == "" || term.En == "" || len(term.Synonyms) == 0 {
					t.Fatalf("%s %q is not declared with both names and synonyms", family, value)
				}
			}
		}
	}
}
