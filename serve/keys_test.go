package serve_test

import (
	"strings"
	"testing"
)

func TestKeys(t *testing.T) {
	w := newSite(t, settings{})
	secret := func(name string) string { return w.keys[name] }
	tests := []struct {
		rule, header string
		status       int
		code         string
	}{
		{"a key", "Bearer " + secret(goodKey), 200, ""},
		{"the scheme has no case", "bEARER " + secret(goodKey), 200, ""},
		{"an empty header", "", 401, "invalid_token"},
		{"another scheme", "Basic " + secret(goodKey), 401, "invalid_token"},
		{"no scheme", secret(goodKey), 401, "invalid_token"},
		{"no key", "Bearer ", 401, "invalid_token"},
		{"an unknown key", "Bearer sab_" + strings.Repeat("A", 43), 401, "invalid_token"},
		{"a cut key", "Bearer " + secret(goodKey)[:46], 401, "invalid_token"},
		{"a long key", "Bearer " + strings.Repeat("A", 8000), 401, "invalid_token"},
		{"a revoked key, even when it has expired", "Bearer " + secret(revokedKey), 403, "token_revoked"},
		{"an expired key, even when it is paused", "Bearer " + secret(expiredKey), 403, "token_expired"},
		{"a paused key", "Bearer " + secret(pausedKey), 403, "token_paused"},
		{"a disabled account, even without the scope", "Bearer " + secret(inactiveKey), 403, "partner_inactive"},
		{"a key for something else", "Bearer " + secret(scopelessKey), 403, "partner_not_allowed"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			for _, path := range []string{"/v1/materials/search", "/v1/materials/" + panelID, "/v1/materials?ids=" + panelID} {
				got := w.ask(t, "GET", w.base+path, "Authorization", tt.header)
				if got.status != tt.status || got.json("error").String() != tt.code {
					t.Errorf("%s: got %d %.200s, want %d %s", path, got.status, got.body, tt.status, tt.code)
				}
				want := ""
				if tt.status == 401 {
					want = "Bearer"
				}
				if got.header.Get("WWW-Authenticate") != want {
					t.Errorf("%s: got WWW-Authenticate %q", path, got.header.Get("WWW-Authenticate"))
				}
				if strings.Contains(got.body, "sab_") {
					t.Errorf("the answer repeats the key: %s", got.body)
				}
			}
		})
	}
	if got := w.ask(t, "GET", w.base+"/v1/materials/search"); got.status != 401 {
		t.Errorf("no header: got %d", got.status)
	}
	if got := w.ask(t, "GET", w.base+"/v1/materials/search", "Authorization", "Bearer "+secret(goodKey), "Authorization", "Bearer "+secret(otherKey)); got.status != 401 {
		t.Errorf("two keys: got %d", got.status)
	}
}

func TestAKeyInAnotherPlaceIsToldTheForm(t *testing.T) {
	w := newSite(t, settings{})
	secret := w.keys[goodKey]
	for _, tt := range []struct {
		rule   string
		fields []string
		told   bool
	}{
		{"a bare key", []string{"Authorization", secret}, true},
		{"another scheme", []string{"Authorization", "Basic " + secret}, true},
		{"the scheme alone", []string{"Authorization", "Bearer"}, true},
		{"another field", []string{"X-API-Key", secret}, true},
		{"an unknown key in the right form", []string{"Authorization", "Bearer sab_x"}, false},
		{"an unknown key beside another field", []string{"Authorization", "Bearer sab_x", "X-API-Key", secret}, false},
		{"no key", nil, false},
	} {
		got := w.ask(t, "GET", w.base+"/v1/materials/search", tt.fields...)
		message := got.json("message").String()
		if got.status != 401 || strings.Contains(message, "Authorization: Bearer <key>") != tt.told || strings.Contains(got.body, "sab_") {
			t.Errorf("%s: got %d %s", tt.rule, got.status, got.body)
		}
	}
}

func TestPublicEndpointsDoNotLookAtKeys(t *testing.T) {
	w := newSite(t, settings{})
	for _, path := range []string{"/public/search", "/public/compare-products?id=" + panelID, "/v1/openapi.json"} {
		plain := w.ask(t, "GET", w.base+path)
		for _, header := range []string{"Bearer " + w.keys[goodKey], "Bearer " + w.keys[revokedKey], "Basic x", "x"} {
			got := w.ask(t, "GET", w.base+path, "Authorization", header)
			if got.status != 200 || got.body != plain.body || got.header.Get("RateLimit-Limit") != "3000000" {
				t.Errorf("%s: got %d with %v", path, got.status, got.header)
			}
		}
	}
}
