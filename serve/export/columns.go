package export

import (
	"strconv"

	"sabine/dataset/acoustics"
)

// The columns of CSV, the same whatever the products are: those of the product, which its rows repeat, then those of the entry.
// Their names are those of the fields that the API, or the source record, has them in; an entry's id and label have "entry_" before
// them, since the product has such too.
//
//   - A curve has a column a band, called after the field, the band and its unit: "alpha_s_third_octave 630 Hz".
//   - structured_meta, images and geometry are JSON.
//   - installation_types are parted by ", "; they are a JSON array when one of them has a character that parts values in tables.
//   - entry_number counts the entries of a norm from 1, so that their order can be read back.
//   - norm is "ISO 354", "ISO 17497-1" or "ISO 17497-2", whatever source_norm says.
//   - empty names the fields of the row that have an empty text or a curve without bands, parted by blanks, since an empty cell is
//     null.
//
// nrc, saa and absorption_octave are computed, the last where no ISO 354 entry has octave values declared. label_en and
// description_en are empty where they are the German ones.
var (
	productColumns = []string{
		"id", "slug", "label", "label_en", "commercial_name", "manufacturer", "manufacturer_slug", "manufacturer_id",
		"description", "description_en", "data_source", "purchasable",
		"material_category", "absorption_character", "installation_types", "fire_class",
		"alpha_w", "alpha_w_min", "nrc", "saa", "updated_at", "has_epd", "url", "epd_url", "structured_meta", "images", "geometry",
	}
	productCurves = []curve{{"absorption_octave", octaves}}

	entryColumns = []string{
		"entry_number", "norm", "entry_id", "entry_label", "source_kind", "source_norm", "measuring_option",
		"mounting", "thickness_mm", "air_gap_mm", "calculated_absorption", "limit_frequency_hz", "empty",
	}
	entryCurves = []curve{
		{"alpha_s_octave", octaves}, {"alpha_s_third_octave", thirds},
		{"scatter_octave", octaves}, {"scatter_third_octave", thirds},
		{"diffusion_octave", octaves}, {"diffusion_third_octave", thirds},
		{"normalized_diffusion_octave", octaves}, {"normalized_diffusion_third_octave", thirds},
		{"directional_diffusion_octave", octaves}, {"directional_diffusion_third_octave", thirds},
		{"normalized_directional_diffusion_octave", octaves}, {"normalized_directional_diffusion_third_octave", thirds},
	}
)

// A curve is the columns of a frequency map.
type curve struct {
	field string
	bands []string // in Hz, ascending
}

var octaves, thirds = texts(acoustics.OctaveBands), texts(acoustics.ThirdBands)

func texts(bandsHz []int) (texts []string) {
	for _, hz := range bandsHz {
		texts = append(texts, strconv.Itoa(hz))
	}
	return texts
}

// norms are the arrays of entries in their order, as column norm calls them.
var norms = []struct{ array, name string }{
	{"absorption_iso_354", "ISO 354"}, {"scatter_iso_17497_1", "ISO 17497-1"}, {"diffusion_iso_17497_2", "ISO 17497-2"},
}

// places returns the place of each column by the field of the body that fills it.
func places(columns []string, field func(column string) string) map[string]int {
	places := map[string]int{}
	for i, column := range columns {
		places[field(column)] = i
	}
	return places
}
