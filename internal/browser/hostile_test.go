package browser_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sabine/internal/browser"
)

// markup ends any element or attribute into which a page writes a string without escaping.
const markup = `"'></title></noscript></script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">{{.}}<b>`

// hostile returns a catalogue with markup in every free-text field.
func hostile() string {
	product := func(n int, slug string) string {
		text := strings.ReplaceAll(`{"id":"20000000-0000-4000-8000-00000000000N","slug":"SLUG","label":{"de":"deN M","en":"enN M"},"commercial_name":"M",
			"description":{"de":"M","en":"M"},"manufacturer":{"name":"M","slug":"werk"},"data_source":"manufacturer","material_category":"M",
			"absorption_character":"M","installation_types":["M","wall"],"updated_at":"2024-01-01T00:00:00Z","url":"https://example.org/?<b>","epd_url":"https://example.org/#<b>",
			"structured_meta":{"M":"M","__proto__":"M"},"images":[{"id":"M","url":"https://example.org/<b>.png","filename":"M"}],
			"geometry":{"shape":"panel","bounding_box_mm":{"width":600,"height":600,"depth":40},"size_variants":[{"label":"M","width":1,"height":1,"depth":1}]},
			"measurements":{"absorption_iso_354":[{"id":"M","label":"M","source_kind":"measured","measuring_option":"M","mounting":"M","thickness_mm":40,
				"alpha_s_octave":{"125":0.2,"250":0.4,"500":0.8,"1000":0.9,"2000":0.9,"4000":0.8}}],
			"scatter_iso_17497_1":[{"id":"M","label":"M","source_kind":"measured","measuring_option":"M","scatter_octave":{"500":0.5,"1000":0.7}}],
			"diffusion_iso_17497_2":[{"id":"M","label":"M","source_kind":"measured","measuring_option":"M","diffusion_octave":{"500":0.5,"1000":0.7}}]}}`,
			"M", strings.ReplaceAll(markup, `"`, `\"`))
		return strings.NewReplacer("00N", fmt.Sprintf("%03d", n), "deN", fmt.Sprintf("de%d", n), "enN",
			fmt.Sprintf("en%d", n), "SLUG", slug).Replace(text)
	}
	names := strings.ReplaceAll(`{"material_category":{"M":{"de":"de M","en":"en M","synonyms":["M"]}}}`, "M",
		strings.ReplaceAll(markup, `"`, `\"`))
	return `{"products":[` + product(1, "eins") + "," + product(2, "zwei") + `],"vocabulary":` + names + "}"
}

// TestMarkupIsText checks that pages show strings from a catalogue unchanged, with and without scripts.
func TestMarkupIsText(t *testing.T) {
	t.Parallel()
	snapshots := filepath.Join(t.TempDir(), "snapshots")
	browser.Build(t, snapshots, hostile())
	for _, flags := range [][]string{{"--public-detail"}, {}} {
		s := browser.Serve(t, snapshots, append(flags, "--public-limit", browser.Unlimited)...)
		for _, v := range []browser.View{{}, {NoScript: true}} {
			b := browser.Open(t, s, v, "")
			for _, path := range []string{"/", "/products/eins", "/compare?id=eins,zwei",
				"/room?volume=100&surface=eins:20&surface=zwei:50",
				"/?q=" + strings.NewReplacer("%", "%25", "#", "%23", " ", "%20", "&", "%26", `"`, "%22", "<", "%3C", ">",
					"%3E").Replace(markup)} {
				b.Goto(path)
				b.Sees("1 " + markup)
				if browser.Eval[bool](b, "'hacked' in window || document.querySelector('img[src=x], body b') !== null") {
					t.Errorf("%s %+v: markup became part of the page", path, v)
				}
			}
		}
	}
}
