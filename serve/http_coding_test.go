package serve

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// FuzzAcceptEncoding checks that only a coding that the client named is chosen.
func FuzzAcceptEncoding(f *testing.F) {
	for _, seed := range []string{"gzip, deflate, br, zstd", "identity;q=0, *;q=0", "zstd;q=0.5,gzip;q=0.50", ";;,q=,*",
		"gzip;q=1e-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, field string) {
		c := chooseCoding([]string{field}, false)
		if lower := strings.ToLower(field); c != identity && !strings.Contains(lower, contentCodings[c].name[0]) &&
			!strings.Contains(lower, "*") {
			t.Errorf("%q: got %s", field, contentCodings[c].name[0])
		}
		if twice := chooseCoding([]string{field, field}, false); twice != c {
			t.Errorf("%q: got %v, and %v when it is repeated", field, c, twice)
		}
		if other := chooseCoding([]string{field}, true); other != c && (c != zstandard || other != gzipped) {
			t.Errorf("%q: got %v, and %v with gzip first", field, c, other)
		}
	})
}

func TestCodedBodiesReadBackTheSame(t *testing.T) {
	body := []byte(strings.Repeat(`{"label":"Akustikpaneel"},`, 1000))
	for range 2 { // the second time, with pooled encoders
		for to, open := range map[coding]func(io.Reader) (io.Reader, error){
			gzipped:   func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
			zstandard: func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
		} {
			coded := appendCoded(nil, to, body)
			r, err := open(bytes.NewReader(coded))
			if err != nil {
				t.Fatal(err)
			}
			back, err := io.ReadAll(r)
			if err != nil || !bytes.Equal(back, body) {
				t.Errorf("%s: got %d bytes back, %v; want %d", contentCodings[to].name, len(back), err, len(body))
			}
			if len(coded) > len(body)/10 {
				t.Errorf("%s: %d bytes became %d", contentCodings[to].name, len(body), len(coded))
			}
		}
	}
}
