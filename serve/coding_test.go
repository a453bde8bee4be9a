package serve

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func TestAcceptEncoding(t *testing.T) {
	tests := []struct {
		rule   string
		fields []string
		want   coding
	}{
		{"no field", nil, identity},
		{"an empty field", []string{""}, identity},
		{"gzip", []string{"gzip"}, gzipped},
		{"the old name of gzip", []string{"x-gzip"}, gzipped},
		{"zstd", []string{"zstd"}, zstandard},
		{"names have no case", []string{"GZip"}, gzipped},
		{"zstd wins at equal weights", []string{"gzip, deflate, br, zstd"}, zstandard},
		{"the larger weight wins", []string{"zstd;q=0.5, gzip;q=0.8"}, gzipped},
		{"weights have three digits", []string{"zstd;q=0.501, gzip;q=0.502"}, gzipped},
		{"blanks and case of the weight", []string{"zstd ; Q=0.5 , gzip ;q=1.000"}, gzipped},
		{"several fields are one list", []string{"gzip;q=0.9", "zstd;q=1"}, zstandard},
		{"weight 0 is a refusal", []string{"zstd;q=0, gzip"}, gzipped},
		{"all refused", []string{"gzip;q=0, zstd;q=0.000"}, identity},
		{"any is gzip: few who send it read zstd", []string{"*"}, gzipped},
		{"any with a weight", []string{"identity;q=0.5, *;q=0.8"}, gzipped},
		{"any beside zstd", []string{"*;q=0.1, zstd"}, zstandard},
		{"any but gzip", []string{"*, gzip;q=0"}, identity},
		{"any but zstd", []string{"*, zstd;q=0"}, gzipped},
		{"none but gzip", []string{"gzip, *;q=0"}, gzipped},
		{"identity preferred", []string{"identity, gzip;q=0.5"}, identity},
		{"identity equal", []string{"identity;q=0.5, gzip;q=0.5"}, gzipped},
		{"identity refused", []string{"identity;q=0, gzip;q=0.1"}, gzipped},
		{"everything refused: there is no 406", []string{"identity;q=0, *;q=0"}, identity},
		{"what is unknown", []string{"br, deflate, compress"}, identity},
		{"a weight over 1 is no weight", []string{"zstd;q=2, gzip"}, gzipped},
		{"a weight of four digits is none", []string{"zstd;q=0.9999, gzip;q=0.1"}, gzipped},
		{"a weight that is no number", []string{"zstd;q=NaN, gzip;q=0.1"}, gzipped},
		{"another parameter", []string{"zstd;level=3, gzip;q=0.1"}, gzipped},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := chooseCoding(tt.fields); got != tt.want {
				t.Errorf("%q: got %q, want %q", tt.fields, contentCodings[got].name, contentCodings[tt.want].name)
			}
		})
	}
}

// FuzzAcceptEncoding holds the choice against what it may never do: name a coding that the client did not.
func FuzzAcceptEncoding(f *testing.F) {
	for _, seed := range []string{"gzip, deflate, br, zstd", "identity;q=0, *;q=0", "zstd;q=0.5,gzip;q=0.50", ";;,q=,*", "gzip;q=1e-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, field string) {
		c := chooseCoding([]string{field})
		if lower := strings.ToLower(field); c != identity && !strings.Contains(lower, contentCodings[c].name) && !strings.Contains(lower, "*") {
			t.Errorf("%q: got %s", field, contentCodings[c].name)
		}
		if twice := chooseCoding([]string{field, field}); twice != c {
			t.Errorf("%q: got %v, and %v when it is said twice", field, c, twice)
		}
	})
}

func TestCodedBodiesReadBackTheSame(t *testing.T) {
	c, err := newCompressor()
	if err != nil {
		t.Fatal(err)
	}
	body := []byte(strings.Repeat(`{"label":"Akustikpaneel"},`, 1000))
	for range 2 { // the second time with what the pool kept
		for to, open := range map[coding]func(io.Reader) (io.Reader, error){
			gzipped:   func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
			zstandard: func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
		} {
			coded := c.encode(nil, to, body)
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
