package serve

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// proxies is the list of networks whose X-Forwarded-For and X-Request-Id are trusted.
type proxies []netip.Prefix

// mappedBits is the number of bits that precede an IPv4 address in IPv6 form.
const mappedBits = 96

// ParseProxies reads networks and addresses, separated by commas. It unmaps IPv4 addresses in IPv6 form.
func ParseProxies(text string) ([]netip.Prefix, error) {
	var prefixes []netip.Prefix
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(part)
		if address, notAddress := netip.ParseAddr(part); notAddress == nil {
			prefix, err = address.Prefix(address.BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("%q is invalid: expected a network such as 10.0.0.0/8, or an address", part)
		}
		if a := prefix.Addr(); a.Is4In6() { // addresses are compared unmapped
			if prefix = netip.PrefixFrom(a.Unmap(), prefix.Bits()-mappedBits); !prefix.IsValid() {
				return nil, fmt.Errorf("%q is larger than ::ffff:0:0/%d, all of IPv4: use a network such as 10.0.0.0/8",
					part, mappedBits)
			}
		}
		prefixes = append(prefixes, prefix.Masked())
	}
	return prefixes, nil
}

// trust reports whether an address belongs to a trusted proxy.
func (p proxies) trust(a netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(a) })
}

// client returns the address whose budget a request is charged to. It is the peer's address or, if the peer
// is a trusted proxy, the right-most untrusted address in X-Forwarded-For. Addresses to its left, or to the
// left of an invalid address, can be forged. If all addresses are trusted, it is the left-most one. IPv6
// addresses are reduced to their /64 network, because a subscriber usually has an entire /64 network.
func (p proxies) client(peer netip.Addr, forwarded []string) string {
	client, hops := peer, strings.Join(forwarded, ",")
	for p.trust(client) && hops != "" {
		comma := strings.LastIndexByte(hops, ',')
		hop := strings.Trim(hops[comma+1:], " \t")
		hops = hops[:max(comma, 0)]
		if hop == "" {
			continue
		}
		a, ok := parseHop(hop)
		if !ok {
			break
		}
		client = a
	}
	if !client.IsValid() {
		return "unknown" // the peers of the listener have no addresses, for example on a Unix socket
	}
	if client.Is4() {
		return client.String()
	}
	network, _ := client.Prefix(64) // never fails for IPv6
	return network.String()
}

// parseHop reads an address with or without a port, in the forms that proxies write: 192.0.2.1,
// 192.0.2.1:8080, 2001:db8::1, [2001:db8::1], [2001:db8::1]:8080.
func parseHop(text string) (netip.Addr, bool) {
	withPort, err := netip.ParseAddrPort(text)
	a := withPort.Addr()
	if err != nil {
		if inner, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(inner, "]") {
			text = strings.TrimSuffix(inner, "]")
		}
		a, err = netip.ParseAddr(text)
	}
	return a.Unmap().WithZone(""), err == nil
}

// peerAddress reads http.Request.RemoteAddr. The result is invalid if the listener's peers have no addresses.
func peerAddress(remote string) netip.Addr {
	a, _ := parseHop(remote)
	return a
}
