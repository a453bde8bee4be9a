package compiler

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"sabine/dataset"
	"sabine/dataset/product"
	"sabine/dataset/synthetic"
	"sabine/indexes"
)

// generatedProducts returns the products of a synthetic catalogue.
func generatedProducts(t testing.TB, n int) (all []*product.Product) {
	t.Helper()
	var text bytes.Buffer
	if err := synthetic.Generate(&text, n, 1); err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text.Bytes()) {
		parsed := dataset.Parse(dataset.Raw{JSON: bytes.Clone(line)})
		if parsed.Product == nil {
			t.Fatal(&parsed.Faults[0])
		}
		all = append(all, parsed.Product)
	}
	return all
}

// mustRender returns the body that a new renderer makes of a product.
func mustRender(p *product.Product) *indexes.Body {
	r := newRenderer()
	r.appendRecord(nil, p)
	return &r.body
}

// checkCoded compares the ETags of a body with the hashes of its content, and the gzip form with the detail.
// The gzip form must consist of a single member.
func checkCoded(t *testing.T, b *indexes.Body) {
	t.Helper()
	detail := b.Detail()
	for tag, identity := range map[string]string{
		b.ETag:         string(detail),
		b.GeometryETag: string(detail[:len(detail)-1]) + string(b.Geometry()) + "}",
	} {
		sum := sha256.Sum256([]byte(identity))
		if want := hex.EncodeToString(sum[:16]); tag != want {
			t.Errorf("tag %s, want %s", tag, want)
		}
	}
	if len(detail) < 512 {
		if b.Gzip != nil {
			t.Errorf("a detail of %d bytes has a gzip form", len(detail))
		}
		return
	}
	member := bytes.NewReader(b.Gzip)
	r, err := gzip.NewReader(member)
	if err != nil {
		t.Fatal(err)
	}
	r.Multistream(false)
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, detail) || member.Len() > 0 {
		t.Errorf("gzip holds %.200q, %v, want %.200q; %d bytes come after it", got, err, detail, member.Len())
	}
	if r.ModTime.Unix() != 0 || r.Name != "" {
		t.Errorf("the gzip header has the time %v and the name %q, want none", r.ModTime, r.Name)
	}
}

func TestTheGzipFormContainsTheDetail(t *testing.T) {
	of := func(name string, meta func(i int) product.MetaEntry) *product.Product {
		p := *mustParse(t, `"geometry":{"shape":"box","bounding_box_mm":{"width":1,"height":2,"depth":3}}`)
		p.CommercialName = &name
		for i := range 20_000 {
			p.StructuredMeta = append(p.StructuredMeta, meta(i))
		}
		return &p
	}
	products := append(generatedProducts(t, 30),
		of("long", func(i int) product.MetaEntry {
			return product.MetaEntry{Key: fmt.Sprint("Schlüssel ", i), Value: fmt.Sprint(i * i)}
		}),
		of(strings.Repeat("a", 500_000), func(int) product.MetaEntry { return product.MetaEntry{} }),
		of("hard to compress", func(i int) product.MetaEntry {
			return product.MetaEntry{Key: fmt.Sprintf("%x", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))}
		}))
	for _, p := range products {
		checkCoded(t, mustRender(p))
	}
}

func TestDetailsUnder512BytesAreNotCoded(t *testing.T) {
	for _, size := range []int{100, 500, 511, 512, 513} { // with geometry, 500 bytes become more than 512
		text := `{"label":"` + strings.Repeat("a", size-len(`{"label":""}`)) + `"}` + `,"geometry":null`
		body := indexes.Body{Text: []byte(text), Marks: indexes.Marks{DetailEnd: size, GeometryEnd: len(text),
			RestEnd: len(text)}}
		newRenderer().code(&body)
		checkCoded(t, &body)
	}
}

// The renderer and its encoder retain state between products, but their output must not depend on it.
func TestARecordDoesNotDependOnWhatCameBefore(t *testing.T) {
	products := generatedProducts(t, 100)
	bare, long := mustParse(t, `"has_epd":false`), mustParse(t, `"description":"`+strings.Repeat("Andere Wörter ", 500)+
		`"`)
	used := newRenderer()
	for _, p := range slices.Concat(products, []*product.Product{bare, long, bare}, products) {
		before := []byte("before")
		if got, want := used.appendRecord(before, p), newRenderer().appendRecord([]byte("before"), p); !bytes.Equal(got,
			want) {
			t.Fatalf("%s: a used renderer gives different bytes", p.ID)
		}
	}
}
