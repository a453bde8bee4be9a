package runtime_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"strings"
	"testing"

	"sabine/runtime"
)

func always(int) bool { return true }

// TestCompareStopsOnRequest stops Compare, and checks that equal generations have no changes.
func TestCompareStopsOnRequest(t *testing.T) {
	g, h := numbered(300).open(t), numbered(300).open(t)
	looks := 0
	if c := runtime.Compare(g, h, func(int) bool { looks++; return looks < 3 }); c != nil || looks != 3 {
		t.Errorf("got %v after %d calls, want nothing after 3", c, looks)
	}
	last := -1
	if c := runtime.Compare(g, h, func(products int) bool {
		if products <= last || products >= 600 {
			t.Errorf("%d products after %d", products, last)
		}
		last = products
		return true
	}); c == nil || c.Len() != 0 {
		t.Errorf("got %v", c)
	}
}

// TestCompareOfDifferentSizes checks that either generation may end first.
func TestCompareOfDifferentSizes(t *testing.T) {
	small, large := numbered(3).open(t), numbered(200).open(t)
	for _, tt := range []struct {
		before, after           *runtime.Generation
		added, changed, removed int
	}{
		{small, large, 197, 3, 0}, // the labels differ, because they contain the number of products
		{large, small, 0, 3, 197},
		{large, large, 0, 0, 0},
	} {
		added, changed, removed := runtime.Compare(tt.before, tt.after, always).Counts()
		if added != tt.added || changed != tt.changed || removed != tt.removed {
			t.Errorf("from %d to %d products: got %d, %d, %d", tt.before.Products(), tt.after.Products(), added, changed,
				removed)
		}
	}
}

// TestChangesNameTheFieldsThatDiffer checks that a difference in a field that no response contains is not a
// change on its own, but is listed with other changes.
func TestChangesNameTheFieldsThatDiffer(t *testing.T) {
	const first, second, third = `{"id":"00000000-0000-4000-8000-000000000001",`,
		`{"id":"00000000-0000-4000-8000-000000000002",`, `{"id":"00000000-0000-4000-8000-000000000003",`
	const wall = `"label":"Wand","manufacturer":{"id":"12345678-1234-4234-8234-123456789abc","slug":"acme","name":"Acme"}`
	for _, tt := range []struct{ rule, before, after, want string }{
		{"alike", wall, wall, ""},
		{"a field that a detail shows", wall, wall + `,"url":"https://example.org"`, "url"},
		{"and what others are made of", wall, wall + `,"epd_url":"https://example.org"`, "epd_url has_epd"},
		{"only an English label", wall, strings.Replace(wall, `"Wand"`, `{"de":"Wand","en":"Wall"}`, 1), "label.en"},
		{"fields of comparisons only", wall, wall + `,"absorption_character":"tiefton","data_source":"manufacturer"`,
			"absorption_character data_source"},
		{"a geometry", wall, wall + `,"geometry":{"shape":"box","bounding_box_mm":{"width":1,"height":1,"depth":1}}`,
			"geometry"},
		{"a field of no response, with another change", wall, strings.Replace(wall, "acme", "acme-gmbh", 1) +
			`,"fire_class":"A1","purchasable":false,"url":"https://example.org"`,
			"fire_class manufacturer.slug purchasable url"},
		{"a field of no response", wall, strings.Replace(wall, "acme", "acme-gmbh", 1) +
			`,"fire_class":"A1","purchasable":false`, ""},
		{"all of them", wall, strings.NewReplacer("acme", "acme-gmbh", "1234-", "1235-", "Acme", "Acme GmbH", `"Wand"`,
			`{"de":"Wand","fr":"Mur"}`).Replace(wall) + `,"alpha_w":0.6,"description":{"de":"beides","en":"both"}`,
			"alpha_w alpha_w_min description description.en label.fr manufacturer manufacturer.id manufacturer.slug"},
	} {
		before, after := ofRecords(t, first+tt.before+"}\n"+second+`"label":"x","manufacturer":"y"}`),
			ofRecords(t, first+tt.after+"}\n"+third+`"label":"x","manufacturer":"y"}`)
		got := map[runtime.ChangeKind]string{}
		for _, kind := range runtime.ChangeKinds {
			for change := range runtime.Compare(before, after, always).Of(kind, true) {
				id := change.Product.ID.String()
				got[kind] += id[len(id)-1:] + " " + strings.Join(change.Fields, " ")
			}
		}
		want := map[runtime.ChangeKind]string{runtime.Added: "3 ", runtime.Removed: "2 "}
		if tt.want != "" {
			want[runtime.Changed] = "1 " + tt.want
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", tt.rule, got, want)
		}
	}
}

// A failingWriter returns an error after left bytes.
type failingWriter struct{ left int }

func (w *failingWriter) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(b), nil
}

func TestChangesThatCannotBeWritten(t *testing.T) {
	g, h := numbered(1000).open(t), numbered(2000).open(t)
	changes := runtime.Compare(g, h, always)
	var whole bytes.Buffer
	if err := changes.Write(&whole, false); err != nil || !strings.HasSuffix(whole.String(), `"removed":[]}`) {
		t.Fatalf("%v, ...%s", err, whole.Bytes()[whole.Len()-50:])
	}
	for _, most := range []int{0, whole.Len() / 2, whole.Len() - 1} {
		if err := changes.Write(&failingWriter{most}, false); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("after %d of %d bytes: %v", most, whole.Len(), err)
		}
	}
}
