package serve

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
)

func TestClientAddresses(t *testing.T) {
	trusted := proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8"),
		netip.MustParsePrefix("127.0.0.1/32")}
	tests := []struct {
		rule, peer string
		forwarded  []string
		want       string
	}{
		{"the peer", "203.0.113.5:4321", nil, "203.0.113.5"},
		{"the field of an untrusted peer is ignored", "203.0.113.5:4321", []string{"198.51.100.1"}, "203.0.113.5"},
		{"a trusted peer names its client", "10.0.0.1:1", []string{"198.51.100.1"}, "198.51.100.1"},
		{"the right-most untrusted one", "10.0.0.1:1", []string{"192.0.2.66, 198.51.100.1, 10.2.3.4"}, "198.51.100.1"},
		{"several fields are one list", "10.0.0.1:1", []string{"192.0.2.66", "198.51.100.1", "10.2.3.4, 10.2.3.5"},
			"198.51.100.1"},
		{"all trusted: the left-most", "10.0.0.1:1", []string{"10.9.9.9, 10.2.3.4"}, "10.9.9.9"},
		{"no field", "10.0.0.1:1", nil, "10.0.0.1"},
		{"empty elements are skipped", "10.0.0.1:1", []string{"198.51.100.1, , 10.2.3.4,"}, "198.51.100.1"},
		{"an empty field", "10.0.0.1:1", []string{" , "}, "10.0.0.1"},
		{"what is no address ends the walk", "10.0.0.1:1", []string{"198.51.100.1, unknown, 10.2.3.4"}, "10.2.3.4"},
		{"an address with a port", "10.0.0.1:1", []string{"198.51.100.1:8080"}, "198.51.100.1"},
		{"an IPv6 client is its /64", "[2001:db8:1:2:3:4:5:6]:1", nil, "2001:db8:1:2::/64"},
		{"forwarded as well", "[fd00::1]:1", []string{"2001:db8:1:2:ffff::1"}, "2001:db8:1:2::/64"},
		{"in brackets", "[fd00::1]:1", []string{"[2001:db8:1:2::9]"}, "2001:db8:1:2::/64"},
		{"in brackets with a port", "[fd00::1]:1", []string{"[2001:db8:1:2::9]:443"}, "2001:db8:1:2::/64"},
		{"IPv4 in IPv6 is IPv4", "[::ffff:203.0.113.5]:1", nil, "203.0.113.5"},
		{"a trusted proxy in IPv6 form", "[::ffff:10.0.0.1]:1", []string{"::ffff:198.51.100.1"}, "198.51.100.1"},
		{"a zone is of this machine only", "[fe80::1%eth0]:1", nil, "fe80::/64"},
		{"a peer without an address", "@", []string{"198.51.100.1"}, "unknown"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := trusted.client(peerAddress(tt.peer), tt.forwarded); got != tt.want {
				t.Errorf("peer %s, X-Forwarded-For %q: got %s, want %s", tt.peer, tt.forwarded, got, tt.want)
			}
		})
	}
}

func TestParseProxies(t *testing.T) {
	for _, tt := range []struct{ rule, text, want string }{
		{"none", "", "[]"},
		{"networks and addresses", "10.1.2.3/8, 192.0.2.1,fd00::/8,2001:db8::1,",
			"[10.0.0.0/8 192.0.2.1/32 fd00::/8 2001:db8::1/128]"},
		{"an IPv4 address in IPv6 form", "::ffff:10.0.0.1", "[10.0.0.1/32]"},
		{"an IPv4 network in IPv6 form", "::ffff:10.1.2.3/104", "[10.0.0.0/8]"},
		{"all of IPv4 in IPv6 form", "::ffff:0:0/96", "[0.0.0.0/0]"},
		{"more than IPv4 in IPv6 form", "::ffff:0:0/95",
			`"::ffff:0:0/95" is larger than ::ffff:0:0/96, all of IPv4: use a network such as 10.0.0.0/8`},
		{"neither", "10.0.0.0/33", `"10.0.0.0/33" is invalid: expected a network such as 10.0.0.0/8, or an address`},
	} {
		prefixes, err := ParseProxies(tt.text)
		got := fmt.Sprint(prefixes)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %q: got %s, want %s", tt.rule, tt.text, got, tt.want)
		}
	}
}

// FuzzForwardedFor checks that the result depends only on the address that the trusted proxy adds.
func FuzzForwardedFor(f *testing.F) {
	for _, seed := range []string{"", "198.51.100.1", "a, b", "[::1]:80,", ",,,", "::ffff:1.2.3.4%x"} {
		f.Add(seed)
	}
	trusted := proxies{netip.MustParsePrefix("10.0.0.0/8")}
	peer := netip.MustParseAddr("10.0.0.1")
	f.Fuzz(func(t *testing.T, sent string) {
		if got := trusted.client(peer, []string{sent + ", 203.0.113.5, 10.0.0.2"}); got != "203.0.113.5" {
			t.Errorf("%q: got %s", sent, got)
		}
		if got := trusted.client(peer, []string{sent}); got == "" || strings.ContainsAny(got, " \n%") {
			t.Errorf("%q: got %q", sent, got)
		}
	})
}
