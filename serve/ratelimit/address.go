package ratelimit

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"
)

// errNoAddress is returned for an invalid address. It omits the address, which may contain a password.
var errNoAddress = errors.New(
	"expected redis://USER:PASSWORD@HOST:PORT/DB, redis+cluster://USER:PASSWORD@HOST:PORT?addr=HOST:PORT or " +
		"redis+sentinel://USER:PASSWORD@HOST:PORT/DB?master_name=NAME&addr=HOST:PORT&username=USER&password=PASSWORD, with " +
		"rediss instead of redis for TLS")

// forms contains the default port and the valid parameters for each kind of address: "" for one server.
// pool_size, a parameter of other clients, is ignored: more connections are not faster.
var forms = map[string]struct {
	port       string
	parameters []string
}{
	"":         {"6379", []string{"pool_size"}},
	"cluster":  {"6379", []string{"pool_size", "addr"}},
	"sentinel": {"26379", []string{"pool_size", "addr", "master_name", "username", "password"}},
}

// An address is the location of a store and the options of its connections.
type address struct {
	kind    string   // "" (one server), "cluster" or "sentinel"
	hosts   []string // HOST:PORT of the server, the nodes or the sentinels
	primary string   // name under which the sentinels know the primary
	db      int
	timeout time.Duration // time limit for a request and for connecting
	tls     *tls.Config   // TLS configuration for netDial; nil without TLS

	user, sentinelUser *url.Userinfo
	netDial            func(ctx context.Context, network, address string) (net.Conn, error)
}

func (a *address) connect(ctx context.Context, server string, u *url.Userinfo, more ...redis.DialOption) (redis.Conn,
	error) {
	password, _ := u.Password()
	conn, err := redis.DialContext(ctx, "tcp", server, append(more,
		redis.DialContextFunc(a.netDial), redis.DialUsername(u.Username()), redis.DialPassword(password))...)
	// Cut "unknown command 'AUTH', with args beginning with: ...", which repeats the password.
	if reply, is := errors.AsType[redis.Error](err); is {
		text, _, _ := strings.Cut(string(reply), ",")
		return nil, redis.Error(text)
	}
	return conn, err
}

// parseAddress parses the address of a store in one of the forms in errNoAddress. The user and password
// before the host are for the servers. In an address of sentinels, they are for the sentinels, and the
// parameters username and password are for the servers. addr is another node or sentinel, and can be
// repeated. With rediss, all connections use TLS, with certificates for the first host.
func parseAddress(text string) (*address, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, errNoAddress
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, errNoAddress
	}
	protocol, kind, _ := strings.Cut(u.Scheme, "+")
	form, isKnown := forms[kind]
	for parameter := range query {
		isKnown = isKnown && slices.Contains(form.parameters, parameter)
	}
	host := cmp.Or(u.Hostname(), "localhost")
	a := &address{
		kind:    kind,
		hosts:   append([]string{net.JoinHostPort(host, cmp.Or(u.Port(), form.port))}, query["addr"]...),
		primary: query.Get("master_name"),
		timeout: storeTimeout,
		user:    u.User,
		netDial: new(net.Dialer).DialContext,
	}
	if kind == "sentinel" {
		a.sentinelUser, a.user = u.User, url.UserPassword(query.Get("username"), query.Get("password"))
	}
	if protocol == "rediss" {
		a.tls = &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
		a.netDial = (&tls.Dialer{Config: a.tls}).DialContext
	}
	db, err := strconv.ParseUint(cmp.Or(strings.Trim(u.Path, "/"), "0"), 10, 16)
	a.db = int(db)
	switch {
	case !isKnown, // an unknown kind or parameter
		protocol != "redis" && protocol != "rediss",
		kind == "sentinel" && a.primary == "",
		kind == "cluster" && a.db != 0, // a cluster has only database 0
		err != nil,
		u.Fragment != "",
		slices.ContainsFunc(a.hosts, func(h string) bool {
			_, _, err := net.SplitHostPort(h)
			return err != nil || strings.Contains(h, "@") // only the first host can have a user and password
		}):
		return nil, errNoAddress
	}
	return a, nil
}
