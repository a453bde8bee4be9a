package product_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// table returns the names and values of nonempty columns.
func table(t *testing.T, columns []product.Column, values []product.Value) (shown []string) {
	t.Helper()
	if len(values) != len(columns) {
		t.Fatalf("%d values in %d columns", len(values), len(columns))
	}
	for i, v := range values {
		text := ""
		switch c := v.Cell; c.Kind {
		case product.EmptyCell:
			if v.Curve == nil {
				continue
			}
			text = fmt.Sprint(v.Curve)
		case product.TextCell:
			text = c.Text
		case product.NumberCell:
			text = fmt.Sprint(c.Number)
		case product.ListCell:
			text = strings.Join(c.List, "|")
		case product.JSONCell:
			text = "JSON " + c.Text
		}
		if (v.Curve != nil) != (columns[i].BandsHz != nil) {
			t.Errorf("%s: curve %v in a column with the bands %v", columns[i].Name, v.Curve, columns[i].BandsHz)
		}
		shown = append(shown, columns[i].Name+"="+text)
	}
	return shown
}

func namesOf(columns []product.Column) string {
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return strings.Join(names, " ")
}

func TestColumns(t *testing.T) {
	const ofProducts = "id slug label label_en commercial_name manufacturer manufacturer_slug manufacturer_id description description_en data_source purchasable " +
		"material_category absorption_character installation_types fire_class alpha_w alpha_w_min nrc saa updated_at " +
		"has_epd url epd_url structured_meta images geometry absorption_octave"
	const ofEntries = "entry_id entry_label source_kind source_norm measuring_option mounting thickness_mm air_gap_mm calculated_absorption limit_frequency_hz " +
		"alpha_s_octave alpha_s_third_octave scatter_octave scatter_third_octave diffusion_octave diffusion_third_octave " +
		"normalized_diffusion_octave normalized_diffusion_third_octave " +
		"directional_diffusion_octave directional_diffusion_third_octave normalized_directional_diffusion_octave " +
		"normalized_directional_diffusion_third_octave"
	for want, columns := range map[string][]product.Column{ofProducts: product.ProductColumns,
		ofEntries: product.EntryColumns} {
		if got := namesOf(columns); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		for _, c := range columns {
			want := []int(nil)
			if strings.HasSuffix(c.Name, "third_octave") {
				want = acoustics.ThirdBands
			} else if strings.HasSuffix(c.Name, "_octave") {
				want = acoustics.OctaveBands
			}
			if !slices.Equal(c.BandsHz, want) {
				t.Errorf("%s has the bands %v, want %v", c.Name, c.BandsHz, want)
			}
		}
	}
}

func TestValues(t *testing.T) {
	for _, test := range []struct {
		rule string
		of   *product.Product
		want []string
	}{
		{"all fields", fullProduct(), []string{
			"id=0b6f4c3e-58a8-52eb-852b-be809a01c8e0", "slug=wellenpanel-45-600", `label=Wellenpanel "45/600"`,
			"label_en=Wave panel <45/600>", "commercial_name=Undula\t45",
			"manufacturer=Müller & Söhne", "manufacturer_slug=mueller-soehne",
			"manufacturer_id=11111111-2222-5333-8444-555555555555",
			"description=Paneel aus Holzwolle.\nFür Wände.", "description_en=Wood wool panel.", "data_source=manufacturer",
			"purchasable=true",
			"material_category=holz", "absorption_character=breitband", "installation_types=wall|free-standing",
			"fire_class=B-s1,d0",
			"alpha_w=0.85", "alpha_w_min=0.1", "nrc=1.15", "saa=0.87", "updated_at=2026-03-01T22:30:00.12Z", "has_epd=true",
			"url=https://example.com/p?a=1&b=2", "epd_url=https://example.com/epd.pdf",
			`structured_meta=JSON {"Brandklasse":"B-s1,d0","Dicke \"mm\"":"45"}`,
			`images=JSON [{"id":"img-1","url":"https://example.com/1.jpg","filename":"eins.jpg","display_order":-1},{"url":"https://example.com/2.jpg","filename":null,"display_order":null}]`,
			`geometry=JSON {"shape":"panel","bounding_box_mm":{"width":600,"height":1200,"depth":45.5},"size_variants":[{"label":"klein","width":300,"height":600,"depth":45.5},` +
				`{"label":null,"width":1,"height":2,"depth":3}],"exposed_area_m2":{"free-standing":1.6038,"wall":0.72}}`,
			"absorption_octave=[{125 0.2} {250 1}]",
		}},
		{"required fields only", bareProduct(), []string{
			"id=0b6f4c3e-58a8-52eb-852b-be809a01c8e1", "label=Vorhang", "manufacturer=ACME", "manufacturer_slug=acme",
			"manufacturer_id=11111111-2222-5333-8444-555555555556",
			"purchasable=true", "installation_types=", "has_epd=false",
		}},
	} {
		values := test.of.Values([]product.Value{{}})
		if got := table(t, product.ProductColumns, values[1:]); !slices.Equal(got, test.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", test.rule, got, test.want)
		}
	}
}

func TestEntryRows(t *testing.T) {
	var got []string
	for row := range fullProduct().EntryRows(new(product.EntryRow)) {
		got = append(got, fmt.Sprint(row.Norm, " ", row.Number, ": ",
			strings.Join(table(t, product.EntryColumns, row.Values), " ")))
	}
	want := []string{
		"ISO 354 1: entry_id=abs-1 entry_label=Absorption 1 source_kind=measured source_norm=ISO 354 " +
			"measuring_option=Hallraum mounting=E thickness_mm=45.5 air_gap_mm=200 " +
			"calculated_absorption=0.85 alpha_s_octave=[{63 -0.05} {125 0.2} {1000 1.15}] alpha_s_third_octave=[{100 0.15} " +
			"{1000 1}]",
		"ISO 354 2: entry_id=abs-2 entry_label=Absorption 2 source_kind=literature source_norm=ISO 354 alpha_s_octave=[]",
		"ISO 17497-1 1: entry_id=sca-1 entry_label=Scatter 1 source_kind=simulated source_norm=ISO 17497-1 " +
			"scatter_octave=[{500 0.4}] scatter_third_octave=[{500 0.41}]",
		"ISO 17497-2 1: entry_id=dif-1 entry_label=Diffusion 1 source_kind=measured source_norm=ISO 17497-2 " +
			"limit_frequency_hz=315 diffusion_octave=[{500 0.5}] " +
			"diffusion_third_octave=[{500 0.6}] normalized_diffusion_octave=[{500 0.7}] " +
			"normalized_diffusion_third_octave=[{500 0.8}] directional_diffusion_octave=[{500 0.1}] " +
			"directional_diffusion_third_octave=[{500 0.2}] normalized_directional_diffusion_octave=[{500 0.3}] " +
			"normalized_directional_diffusion_third_octave=[{500 0.4}]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for range bareProduct().EntryRows(new(product.EntryRow)) {
		t.Error("got a row for a product without measurements")
	}
	for row := range fullProduct().EntryRows(new(product.EntryRow)) {
		if row.Number == 2 {
			t.Error("got a row after the loop ended")
		}
		break
	}
}
