package serve

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// check goes through the contract's checks in the contract's order; the first that fails is the answer. When none
// does, it answers.
func (x *exchange) check() *problem {
	if p := x.checkPath(); p != nil { // 404
		return p
	}
	if x.request.Method == http.MethodOptions {
		x.preflight()
		return nil
	}
	if p := x.checkMethod(); p != nil { // 405
		return p
	}
	if p := x.checkKey(); p != nil { // 401 and 403, or the 429 of an address that guesses keys
		return p
	}
	if x.operation.posts {
		return x.converse()
	}
	if p := x.checkBudget(); p != nil { // 429, 503
		return p
	}
	if p := x.checkSnapshot(); p != nil { // 503
		return p
	}
	if p := x.checkParameters(); p != nil { // 400
		return p
	}
	if p := x.checkExistence(); p != nil { // 404
		return p
	}
	r := x.operation.answer(x)
	if p := x.checkMatch(&r); p != nil { // 412
		return p
	}
	if x.isKnown(&r) {
		x.confirm(&r) // 304
		return nil
	}
	if p := x.checkExport(); p != nil { // 429, 503
		return p
	}
	x.respond(&r) // 200
	return nil
}

// checkPath finds the operation: one of the API, or else a page.
func (x *exchange) checkPath() *problem {
	at := routingPath(x.request.URL)
	handle, path, _ := x.server.router.Lookup(http.MethodGet, at)
	if handle == nil {
		return x.checkPage(at)
	}
	handle(x, x.request, path)
	return nil
}

// checkMethod refuses the methods that an operation does not have, and what only browsers send, of pages that may not.
func (x *exchange) checkMethod() *problem {
	if x.operation.posts {
		if x.request.Method == http.MethodPost {
			return x.checkOrigin() // 403
		}
		x.Header()["Allow"] = postMethods
		return errOnlyPost
	}
	if x.request.Method == http.MethodGet || x.request.Method == http.MethodHead {
		return nil
	}
	x.Header()["Allow"] = allowedMethods
	return errWrongMethod
}

// checkKey finds the account. A request with a bad key costs its address a request of the public budget, so that keys
// cannot be guessed at leisure. While requests cannot be counted, a bad key is still a bad key.
func (x *exchange) checkKey() *problem {
	if x.operation.access != authenticated && (x.operation.access != either || x.request.Header["Authorization"] == nil) {
		return nil
	}
	header := ""
	if fields := x.request.Header["Authorization"]; len(fields) == 1 { // two keys are no key
		header = fields[0]
	}
	var err error
	if x.caller, err = x.server.keys.Authorize(header, x.began); err == nil {
		x.account = x.caller.AccountID
		return nil
	}
	refused := keyProblem(err)
	if refused.code == invalidToken && isMisplaced(x.request.Header) {
		refused = errKeyForm
	}
	if p := x.count(public); p == errTooMany {
		return p
	} else if p != nil {
		x.counted = false // the full public budget
	}
	if refused.status == http.StatusUnauthorized {
		x.Header()["Www-Authenticate"] = bearer
	}
	return refused
}

// isMisplaced reports whether a request has its key elsewhere than behind "Bearer" in Authorization.
func isMisplaced(h http.Header) bool {
	fields := h["Authorization"]
	if len(fields) == 0 {
		return len(h["X-Api-Key"]) > 0
	}
	scheme, key, _ := strings.Cut(fields[0], " ")
	return !strings.EqualFold(scheme, "Bearer") || strings.TrimLeft(key, " ") == ""
}

// checkBudget counts the request.
func (x *exchange) checkBudget() *problem {
	if x.operation.access == open {
		return nil
	}
	return x.count(x.operation.access)
}

// count takes a request from the budget of the account or of the address, and keeps what the header fields say of it.
func (x *exchange) count(by access) *problem {
	var err error
	switch ctx := x.request.Context(); {
	case by == public:
		x.budget, err = x.server.limits.Public(ctx, x.client(), x.began)
	case x.operation.exports:
		x.budget, err = x.server.limits.AskExport(ctx, x.account, x.began)
	default:
		x.budget, err = x.server.limits.Account(ctx, x.account, x.began)
	}
	x.counted = true
	p := x.judgeBudget(err, x.server.metrics.refusals[by])
	if p == errTooMany && by == authenticated {
		x.server.metrics.accountRefusals.WithLabelValues(x.caller.Account).Inc()
	}
	return p
}

// checkExport takes an export from the account's budget of them when one is about to begin.
func (x *exchange) checkExport() (p *problem) {
	if !x.operation.exports || x.request.Method == http.MethodHead {
		return nil
	}
	var err error
	x.budget, err = x.server.limits.Export(x.request.Context(), x.account, &x.budget, x.began)
	if p = x.judgeBudget(err, x.server.metrics.exportRefusals); p != nil {
		delete(x.Header(), "X-Snapshot")
	}
	return p
}

// judgeBudget says what is wrong with the budget, and notes whether the store answers.
func (x *exchange) judgeBudget(err error, refusals prometheus.Counter) (p *problem) {
	switch {
	case err != nil:
		if context.Cause(x.request.Context()) == nil { // else it is the client that went away
			x.server.metrics.storeFailures.Inc()
			x.server.outage.failed(err, time.Now())
		}
		return errNoCounters
	case !x.budget.Allowed:
		refusals.Inc()
		p = errTooMany
	}
	x.server.outage.answered(x.began)
	return p
}

// checkSnapshot finds the generation that answers, and says which one it is from here on.
func (x *exchange) checkSnapshot() *problem {
	if x.operation.access == open {
		return nil
	}
	if x.generation == nil {
		x.Header()["Retry-After"] = oneSecond
		return errNoSnapshot
	}
	x.Header()["X-Snapshot"] = []string{x.snapshot}
	return nil
}

// checkParameters reads the query string. A parameter that the operation does not have is a fault, except in public,
// where trackers and caches append what they like: there the answer says what it passed over. The description documents
// have none and say nothing. A page reads what it can of its query string by itself.
func (x *exchange) checkParameters() *problem {
	if x.operation.page {
		return nil
	}
	if err := x.params.parse(x.request.URL.RawQuery); err != nil {
		return &problem{invalidRequest, err.Error()}
	}
	if x.operation.read == nil {
		return nil
	}
	if unknown := x.params.settle(x.operation); x.operation.access == authenticated {
		x.params.refuse(unknown, x.operation)
	} else if unknown != nil {
		x.Header()["X-Ignored-Parameters"] = []string{ignored(unknown)}
	}
	return x.operation.read(x)
}

func (x *exchange) checkExistence() *problem {
	if x.operation.find == nil {
		return nil
	}
	return x.operation.find(x)
}

// checkMatch holds the answer against If-Match. An answer without a tag exists all the same, but no tag is its own. The page
// of what is not there says that it is not.
func (x *exchange) checkMatch(r *representation) *problem {
	fields := x.request.Header["If-Match"]
	if fields == nil || r.status != 0 || matchesTag(fields, r.hash, true) {
		return nil
	}
	delete(x.Header(), "X-Snapshot")
	return errNoMatch
}
