package ratelimit

import (
	"cmp"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// errNoAddress tells of the forms that an address has. It repeats nothing of one that has none of them: a password may
// stand anywhere in it.
var errNoAddress = errors.New("expected redis://USER:PASSWORD@HOST:PORT/DB, redis+cluster://USER:PASSWORD@HOST:PORT?addr=HOST:PORT or " +
	"redis+sentinel://USER:PASSWORD@HOST:PORT/DB?master_name=NAME&addr=HOST:PORT&username=USER&password=PASSWORD, with rediss in place of redis for TLS")

// parseAddress reads where a store is:
//
//	redis://HOST:PORT/DB                              one server
//	redis+cluster://HOST:PORT?addr=HOST:PORT          a cluster, by some of its nodes
//	redis+sentinel://HOST:PORT/DB?master_name=NAME    the servers that sentinels watch under a name
//
// The user and password before the host are those of the servers or, in the last form, of the sentinels; the servers' are
// then the parameters username and password. addr names one more node or sentinel and may be repeated; pool_size is how
// many connections are held to a node. With rediss all speak TLS, with certificates for the first host.
func parseAddress(address string) (*redis.UniversalOptions, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errNoAddress
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, errNoAddress
	}
	protocol, kind, _ := strings.Cut(u.Scheme, "+")
	known, port := []string{"pool_size"}, "6379"
	switch kind {
	case "cluster":
		known = append(known, "addr")
	case "sentinel":
		known, port = append(known, "addr", "master_name", "username", "password"), "26379"
	}
	for parameter := range query {
		if !slices.Contains(known, parameter) {
			return nil, errNoAddress
		}
	}
	host := cmp.Or(u.Hostname(), "localhost")
	o := &redis.UniversalOptions{
		Addrs:         append([]string{net.JoinHostPort(host, cmp.Or(u.Port(), port))}, query["addr"]...),
		Username:      u.User.Username(),
		MasterName:    query.Get("master_name"),
		IsClusterMode: kind == "cluster",
	}
	o.Password, _ = u.User.Password()
	if kind == "sentinel" {
		o.SentinelUsername, o.SentinelPassword = o.Username, o.Password
		o.Username, o.Password = query.Get("username"), query.Get("password")
	}
	if protocol == "rediss" {
		o.TLSConfig = &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
	}
	var dbErr, poolErr error
	o.DB, dbErr = number(strings.Trim(u.Path, "/"))
	o.PoolSize, poolErr = number(query.Get("pool_size"))
	switch {
	case protocol != "redis" && protocol != "rediss", kind != "" && kind != "cluster" && kind != "sentinel",
		(kind == "sentinel") != (o.MasterName != ""), kind == "cluster" && o.DB != 0, dbErr != nil, poolErr != nil, u.Fragment != "",
		slices.ContainsFunc(o.Addrs, func(a string) bool { _, _, err := net.SplitHostPort(a); return err != nil }):
		return nil, errNoAddress
	}
	return o, nil
}

// number reads a whole number; an empty text is 0.
func number(text string) (int, error) {
	n, err := strconv.ParseUint(cmp.Or(text, "0"), 10, 16)
	return int(n), err
}
