package ratelimit

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseAddress(t *testing.T) {
	for _, tt := range []struct{ address, want string }{
		{"redis://127.0.0.1:7000/2", "[127.0.0.1:7000] db 2"},
		{"redis://cache", "[cache:6379] db 0"},
		{"redis://[::1]:7000?pool_size=7", "[[::1]:7000] db 0"},
		{"redis://:p%40ss@cache:7000/0", "[cache:7000] db 0, as :p%40ss"},
		{"rediss://sabine:pass@cache:7000", "[cache:7000] db 0, as sabine:pass, TLS cache"},
		{"redis+cluster://cache?addr=one:1&addr=two:2", "[cache:6379 one:1 two:2] db 0, cluster"},
		{"rediss+cluster://sabine:pass@cache:7000/0", "[cache:7000] db 0, as sabine:pass, TLS cache, cluster"},
		{"redis+sentinel://watch/1?master_name=counters&addr=two:2", "[watch:26379 two:2] db 1, master counters"},
		{"rediss+sentinel://s:w@watch:1?master_name=m&username=sabine&password=pass",
			"[watch:1] db 0, as sabine:pass, TLS watch, master m by s:w"},
	} {
		a, err := parseAddress(tt.address)
		if err != nil {
			t.Errorf("%s: %v", tt.address, err)
			continue
		}
		got := fmt.Sprintf("%v db %d", a.hosts, a.db)
		if u := a.user.String(); u != "" && u != ":" {
			got += ", as " + u
		}
		if a.tls != nil {
			got += ", TLS " + a.tls.ServerName
		}
		if a.kind == "cluster" {
			got += ", cluster"
		}
		if a.kind == "sentinel" {
			got += ", master " + a.primary
		}
		if a.sentinelUser != nil {
			got += " by " + a.sentinelUser.String()
		}
		if got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.address, got, tt.want)
		}
	}
}

// TestAnInvalidAddressIsNotRepeated checks errors, because any part of an invalid address may be a password.
func TestAnInvalidAddressIsNotRepeated(t *testing.T) {
	for _, address := range []string{
		"", "geheim", "geheim@localhost", "http://:geheim@localhost", "redis+geheim://localhost", "unix:///geheim",
		"redis://:geheim@localhost/x", "redis://:geheim%zz@localhost/0", "rediss://u:geheim@ho st",
		"redis://:ge/heim@localhost/0", "redis://u:1/geheim@localhost",
		"redis://u:1?geheim@localhost", "redis://u:1#geheim@localhost", "redis://localhost?addr=geheim:1",
		"redis://localhost/geheim", "redis://localhost/-1",
		"redis+cluster://:geheim@localhost/1", "redis+cluster://localhost?addr=geheim",
		"redis+cluster://localhost?addr=geheim@host:1", "redis+cluster://localhost?a;geheim",
		"redis+sentinel://:geheim@localhost", "redis+cluster://:geheim@localhost?master_name=m",
		"redis://localhost?password=geheim",
	} {
		if _, err := NewRedis(address, secret); err == nil || strings.Contains(err.Error(), "heim") ||
			!strings.Contains(err.Error(), "redis+sentinel://") {
			t.Errorf("NewRedis(%q): got %v", address, err)
		}
	}
}

func FuzzParseAddress(f *testing.F) {
	f.Add("redis://:geheim@127.0.0.1:6379/0?pool_size=3")
	f.Add("rediss+cluster://[::1]:7000?addr=one:1")
	f.Add("redis+sentinel://s:w@watch/1?master_name=m&username=u&password=p")
	f.Fuzz(func(_ *testing.T, address string) {
		if store, err := NewRedis(address, secret); err == nil {
			_ = store.Close() // must not panic
		}
	})
}
