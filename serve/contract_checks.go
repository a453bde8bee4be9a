package serve

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// checks lists the checks before the operation's answer, in the contract's order, with their statuses.
var checks = []func(*exchange) *problem{
	(*exchange).checkPath,     // 404
	(*exchange).checkMethod,   // 405, 403
	(*exchange).checkKey,      // 401, 403, or 429 if the address guesses keys
	(*exchange).checkBudget,   // 429 or 503
	(*exchange).checkSnapshot, // 503
	(*exchange).checkQuery,    // 400
}

// run answers the request, or returns the first problem.
func (x *exchange) run() *problem {
	for _, check := range checks {
		if p := check(x); p != nil {
			return p
		}
		if x.status != 0 { // checkMethod has answered a preflight request
			return nil
		}
	}
	r, p := x.operation.answer(x)
	if p != nil { // 400, 404 or 410; for an MCP message 400, 413, 415, 429 or 503
		return p
	}
	if p := x.checkMatch(&r); p != nil { // 412
		return p
	}
	if r.hash != "" && matchesTag(x.request.Header["If-None-Match"], r.hash, false) {
		x.setValidators(&r, x.choose(&r))
		x.finish(http.StatusNotModified, nil)
		return nil
	}
	if p := x.checkExport(); p != nil { // 429 or 503
		return p
	}
	x.respond(&r) // 200, or the status of the representation
	return nil
}

// checkPath finds the operation of the API or, if there is none, the page.
func (x *exchange) checkPath() *problem {
	path := routingPath(x.request.URL)
	if handle, parameters, _ := x.server.router.Lookup(http.MethodGet, path); handle != nil {
		handle(x, nil, parameters) // sets operation and identifier, see Server.addOperation
		return nil
	}
	x.operation = x.server.pages[path]
	if start := strings.LastIndexByte(path, '/') + 1; x.operation == nil && start < len(path) {
		x.operation, x.identifier = x.server.pagesByPrefix[path[:start]], path[start:]
	}
	if x.operation == nil && x.wantsPage(path) {
		x.operation = x.server.pageNotFound
	}
	if x.operation == nil {
		return errUnknownPath
	}
	return nil
}

const maxPageDepth = 8 // maximum number of folders in an unknown address that is answered with a page

// wantsPage reports whether to answer an unknown path with a page, because a browser requests it. Errors at
// addresses of the API are JSON.
func (x *exchange) wantsPage(path string) bool {
	folders := []string{x.server.addresses.base}
	if folders[0] == "" { // the API and the pages are both at the root of the site
		folders = []string{"/v1", "/public"}
	}
	if slices.ContainsFunc(folders, func(folder string) bool { return strings.HasPrefix(path+"/", folder+"/") }) {
		return false
	}
	r, depth := x.request, strings.Count(x.request.URL.EscapedPath(), "/") // depth is 0 for GET *
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		strings.Contains(r.Header.Get("Accept"), "text/html") && depth > 0 && depth <= maxPageDepth
}

// encodedSlashes replaces encoded slashes by U+0000, which no identifier contains.
var encodedSlashes = strings.NewReplacer("%2F", "%00", "%2f", "%00")

// routingPath returns the decoded path of a URL. A slash that was sent as %2F is part of its segment, and
// does not separate segments.
func routingPath(u *url.URL) string {
	if u.RawPath == "" {
		return u.Path
	}
	path, _ := url.PathUnescape(encodedSlashes.Replace(u.RawPath)) // valid, because net/url has decoded it
	return path
}

// checkMethod answers preflight requests, and refuses other methods, and POST from pages of foreign origins.
func (x *exchange) checkMethod() *problem {
	h, onlyPost := x.Header(), x.operation.access == byPost
	switch method := x.request.Method; {
	case method == http.MethodOptions:
		x.preflight()
	case onlyPost && method == http.MethodPost:
		return x.checkOrigin() // 403
	case onlyPost:
		h["Allow"] = postMethods
		return errOnlyPost
	case method != http.MethodGet && method != http.MethodHead:
		h["Allow"] = allowedMethods
		return errWrongMethod
	}
	return nil
}

// checkOrigin refuses requests from pages of other sites, which could use a browser inside the server's
// network to access the server. Such a page can also make its own host name resolve to the server's address
// (DNS rebinding), so that Origin and Host agree. Therefore both must name this server. Schemes and ports are
// not compared, because a proxy can change them. Clients other than browsers do not send Origin.
func (x *exchange) checkOrigin() *problem {
	origins := x.request.Header["Origin"]
	if len(origins) == 0 {
		return nil
	}
	origin := strings.Join(origins, ", ") // several fields result in a malformed origin
	u, err := url.Parse(origin)
	valid := err == nil && isSite(u) && strings.EqualFold(origin, u.Scheme+"://"+u.Host)
	host := url.URL{Host: x.request.Host}
	if valid && x.isOwnHost(u.Hostname()) && x.isOwnHost(host.Hostname()) {
		return nil
	}
	return &problem{foreignOrigin, fmt.Sprintf("unexpected Origin %s or Host %s: both must be the host of --public-url, "+
		"a loopback name or an IP address that the server listens on", quote(origin), quote(x.request.Host))}
}

// isOwnHost reports whether a host is the host of the public URL, a loopback name or the local address of the
// connection, which is an address that the server listens on.
func (x *exchange) isOwnHost(host string) bool {
	host = strings.ToLower(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") || host != "" && host == x.server.addresses.host {
		return true
	}
	a, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	local, known := x.request.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return a.Unmap().IsLoopback() || known && a.Unmap() == peerAddress(local.String())
}

// checkKey finds the account. An authenticated operation requires a key, and for byPost a key is optional. A
// refused key is charged to the public budget of the client's address, which limits the guessing of keys. If
// the request cannot be counted, the response is still the refusal of the key.
func (x *exchange) checkKey() *problem {
	fields, by := x.request.Header["Authorization"], x.operation.access
	if by == open || by == public || by == byPost && fields == nil {
		return nil
	}
	key := "" // refused as malformed
	if len(fields) == 1 {
		key = fields[0]
	}
	caller, err := x.server.options.Keys.Authorize(key, x.began)
	if x.caller = caller; err == nil {
		x.account = caller.AccountID
		return nil
	}
	refused := keyProblem(err)
	if refused.code == invalidToken && isMisplaced(x.request.Header) {
		refused = errKeyForm
	}
	switch x.count(public) {
	case errTooMany:
		return errTooMany
	case errNoCounters:
		x.counted = false // the header fields show a full public budget
	}
	if refused.status == http.StatusUnauthorized {
		x.Header()["Www-Authenticate"] = bearer
	}
	return refused
}

// isMisplaced reports whether a request contains a key, but not after "Bearer" in Authorization.
func isMisplaced(h http.Header) bool {
	fields := h["Authorization"]
	if len(fields) == 0 {
		return len(h["X-Api-Key"]) > 0
	}
	scheme, key, _ := strings.Cut(fields[0], " ")
	return !strings.EqualFold(scheme, "Bearer") || strings.TrimLeft(key, " ") == ""
}

// checkBudget counts the request. For byPost, answerMessage counts tool calls, after it has read the message.
func (x *exchange) checkBudget() *problem {
	if x.operation.access == open || x.operation.access == byPost {
		return nil
	}
	return x.count(x.operation.access)
}

// count charges a request to the budget of the address, for public, or of the account, for authenticated. It
// stores the result for the response header.
func (x *exchange) count(by access) *problem {
	var err error
	budget := "account"
	switch ctx, o := x.request.Context(), &x.server.options; {
	case by == public:
		budget = "address"
		x.budget, err = o.Limits.Public(ctx, x.address(), x.began)
	case x.operation.exports:
		x.budget, err = o.Limits.AccountAndExports(ctx, x.account, x.began)
	default:
		x.budget, err = o.Limits.Account(ctx, x.account, x.began)
	}
	x.counted = true
	p := x.budgetProblem(budget, err)
	if p == errTooMany && by == authenticated {
		x.server.metrics.accountRefusals.WithLabelValues(x.caller.Account).Inc()
	}
	return p
}

// address returns the client's address, to which public requests are charged.
func (x *exchange) address() string {
	trusted := proxies(x.server.options.TrustedProxies)
	return trusted.client(peerAddress(x.request.RemoteAddr), x.request.Header["X-Forwarded-For"])
}

// checkExport charges an export to the account's budget of exports before the export begins. HEAD and a 304
// export nothing, so they are not charged.
func (x *exchange) checkExport() (p *problem) {
	if !x.operation.exports || x.request.Method == http.MethodHead {
		return nil
	}
	budget, err := x.server.options.Limits.Export(x.request.Context(), x.account, &x.budget, x.began)
	x.budget = budget
	if p = x.budgetProblem("export", err); p != nil {
		delete(x.Header(), "X-Snapshot")
	}
	return p
}

// budgetProblem returns the problem for the result of a budget check, which is x.budget or err. It also
// records whether the rate-limit store responds.
func (x *exchange) budgetProblem(budget string, err error) (p *problem) {
	switch {
	case err != nil:
		if context.Cause(x.request.Context()) == nil { // otherwise the client has disconnected
			x.server.metrics.storeFailures.Inc()
			x.server.outage.failed(err, time.Now())
		}
		return errNoCounters
	case !x.budget.Allowed:
		x.server.metrics.refusals.WithLabelValues(budget).Inc()
		p = errTooMany
	}
	x.server.outage.answered(x.began)
	return p
}

// checkSnapshot requires a snapshot for operations that read it. For byPost, answerMessage requires it, after
// it has read the message.
func (x *exchange) checkSnapshot() *problem {
	if x.operation.access == open || x.operation.access == byPost || x.operation.builtIn {
		return nil
	}
	return x.requireSnapshot()
}

// requireSnapshot refuses the request if no snapshot is in use, and sets X-Snapshot otherwise.
func (x *exchange) requireSnapshot() *problem {
	if x.generation == nil {
		x.Header()["Retry-After"] = oneSecond
		return errNoSnapshot
	}
	x.set("X-Snapshot", x.snapshot)
	return nil
}

// checkQuery reads the query string. An unknown parameter is a fault, except in public operations, because
// trackers and caches append parameters to these; X-Ignored-Parameters then lists them. The description
// documents ignore valid query strings. A page reads its query string itself.
func (x *exchange) checkQuery() *problem {
	if x.operation.page || x.operation.access == byPost {
		return nil
	}
	if err := x.params.parse(x.request.URL.RawQuery); err != nil {
		return &problem{invalidRequest, err.Error()}
	}
	if x.operation.access == open {
		return nil
	}
	unknown := x.params.matchNames(x.operation.singles, x.operation.lists)
	if x.operation.access == authenticated {
		x.params.addUnknown(unknown, x.operation.singles, x.operation.lists)
	} else if unknown != nil {
		x.set("X-Ignored-Parameters", ignored(unknown))
	}
	return nil
}

// checkMatch compares the response with If-Match. A response without an ETag matches only *. If-Match is
// ignored for a representation with a status: a missing page or an answer to an MCP message.
func (x *exchange) checkMatch(r *representation) *problem {
	fields := x.request.Header["If-Match"]
	if fields == nil || r.status != 0 || matchesTag(fields, r.hash, true) {
		return nil
	}
	delete(x.Header(), "X-Snapshot")
	return errNoMatch
}
