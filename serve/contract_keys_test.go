package serve_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// TestKeys checks how every operation that needs a key responds to keys. Other operations ignore keys.
func TestKeys(t *testing.T) {
	t.Parallel()
	s := shared(t)
	good := s.keys[goodKey]
	const form = "Authorization: Bearer <key>" // fix that the error message for a misplaced key suggests
	type row struct {
		rule   string
		fields []string
		status int
		code   string
		told   bool // whether the message contains the form
	}
	tests := []row{
		{"the scheme is read without regard to case", []string{"Authorization", "bEARER " + good}, 200, "", false},
		{"several blanks", []string{"Authorization", "Bearer   " + good}, 200, "", false},
		{"no header", nil, 401, "invalid_token", false},
		{"an empty header", []string{"Authorization", ""}, 401, "invalid_token", true},
		{"only the scheme", []string{"Authorization", "Bearer"}, 401, "invalid_token", true},
		{"the scheme and a blank", []string{"Authorization", "Bearer "}, 401, "invalid_token", true},
		{"only the key", []string{"Authorization", good}, 401, "invalid_token", true},
		{"another scheme", []string{"Authorization", "Basic " + good}, 401, "invalid_token", true},
		{"the key in another field", []string{"X-Api-Key", good}, 401, "invalid_token", true},
		{"an unknown key", []string{"Authorization", "Bearer sab_" + strings.Repeat("A", 43)}, 401, "invalid_token", false},
		{"an unknown key next to another field", []string{"Authorization", "Bearer sab_x", "X-Api-Key", good}, 401,
			"invalid_token", false},
		{"a key cut short", []string{"Authorization", "Bearer " + good[:len(good)-1]}, 401, "invalid_token", false},
		{"a key with a letter more", []string{"Authorization", "Bearer " + good + "x"}, 401, "invalid_token", false},
		{"a key in small letters", []string{"Authorization", "Bearer " + strings.ToLower(good) + "_"}, 401, "invalid_token",
			false},
		{"a long key", []string{"Authorization", "Bearer " + strings.Repeat("A", 8000)}, 401, "invalid_token", false},
		{"two keys", []string{"Authorization", "Bearer " + good, "Authorization", "Bearer " + s.keys[otherKey]}, 401,
			"invalid_token", false},
	}
	hash := sha256.Sum256([]byte(good))
	for i, near := range []string{"sab_", good + "\u00e9", "sab-" + good[4:], good[:20] + "." + good[21:],
		hex.EncodeToString(hash[:]), "' OR 1=1", "../keys.json"} {
		tests = append(tests, row{fmt.Sprint("nearly a key ", i), []string{"Authorization", "Bearer " + near}, 401,
			"invalid_token", false})
	}
	shapes := map[string]string{} // response by path, the same for every invalid key
	open := map[string]*answer{}  // responses without a key, by path
	for _, path := range []string{"/public/search?q=Samt", "/public/compare-products?id=panel-2", "/v1/openapi.json"} {
		open[path] = s.open(t, path)
	}
	for _, k := range keyStates {
		status := 200
		if k.code != "" {
			status = 403
		}
		tests = append(tests, row{k.name, s.as(k.name), status, k.code, false})
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			for _, path := range []string{"/v1/materials/search?limit=1", "/v1/materials/panel-2", "/v1/materials?ids=panel-2"} {
				a := s.open(t, path, tt.fields...)
				if a.status != tt.status || a.code() != tt.code || strings.Contains(a.message(), form) != tt.told {
					t.Errorf("%s: got %d %.300s, want %d %s", path, a.status, a.body, tt.status, tt.code)
				}
				if tt.status == 401 && !tt.told {
					for _, own := range []string{"X-Request-Id", "Date", "Ratelimit-Remaining", "Ratelimit-Reset"} {
						a.header.Del(own)
					}
					shape := fmt.Sprint(a.status, a.header, a.body)
					if shapes[path] = cmp.Or(shapes[path], shape); shape != shapes[path] {
						t.Errorf("%s: got  %s\nelse %s", path, shape, shapes[path])
					}
				}
				if strings.Contains(a.body, "sab_") || strings.Contains(a.body, good[4:]) {
					t.Errorf("%s: the answer repeats the key: %s", path, a.body)
				}
			}
			for path, without := range open {
				if a := s.open(t, path, tt.fields...); a.status != 200 || a.body != without.body {
					t.Errorf("%s looks at the key: got %d", path, a.status)
				}
			}
		})
	}
}
