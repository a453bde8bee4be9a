package serve

import (
	"net/http"

	"sabine/dataset/jsonwriter"
	"sabine/serve/keys"
)

// A code is one of the contract's error codes with the status that it comes with.
type code struct {
	status int
	name   string
}

// Every code of the contract, once. Two names stand again where the contract has no code of its own for a
// status: a wrong method, an If-Match that does not match, a message of an agent that cannot be taken, and a
// server that has no data yet.
var (
	invalidRequest       = code{http.StatusBadRequest, "invalid_request"}
	missingIDs           = code{http.StatusBadRequest, "missing_ids"}
	invalidToken         = code{http.StatusUnauthorized, "invalid_token"}
	tokenRevoked         = code{http.StatusForbidden, "token_revoked"}
	tokenExpired         = code{http.StatusForbidden, "token_expired"}
	tokenPaused          = code{http.StatusForbidden, "token_paused"}
	partnerInactive      = code{http.StatusForbidden, "partner_inactive"}
	partnerNotAllowed    = code{http.StatusForbidden, "partner_not_allowed"}
	notFound             = code{http.StatusNotFound, "not_found"}
	gone                 = code{http.StatusGone, "gone"} // an addition to the contract: getChanges alone answers it
	noMatch              = code{http.StatusPreconditionFailed, "invalid_request"}
	wrongMethod          = code{http.StatusMethodNotAllowed, "invalid_request"}
	wrongMediaType       = code{http.StatusUnsupportedMediaType, "invalid_request"}
	tooLong              = code{http.StatusRequestEntityTooLarge, "invalid_request"}
	foreignOrigin        = code{http.StatusForbidden, "invalid_request"}
	rateLimitExceeded    = code{http.StatusTooManyRequests, "rate_limit_exceeded"}
	internalError        = code{http.StatusInternalServerError, "internal_error"}
	noSnapshot           = code{http.StatusServiceUnavailable, "internal_error"}
	rateLimitUnavailable = code{http.StatusServiceUnavailable, "rate_limit_unavailable"}
)

// A problem is why a request is refused: a code and a message for people, which never holds a key.
type problem struct {
	code
	message string
}

// The problems that say the same to every request.
var (
	errUnknownPath = &problem{notFound, "there is nothing at this path; the Link header names the description of the API"}
	errWrongMethod = &problem{wrongMethod, "this API only reads: use GET or HEAD"}
	errTooMany     = &problem{rateLimitExceeded, "too many requests: wait for the seconds that Retry-After says"}
	errNoCounters  = &problem{rateLimitUnavailable,
		"requests cannot be counted at the moment: try again after the seconds that Retry-After says"}
	errNoSnapshot = &problem{noSnapshot, "no catalogue is loaded: the server waits for a snapshot that it can serve"}
	errNoIDs      = &problem{missingIDs, "no identifiers are given"}
	errNoProduct  = &problem{notFound, "no published product has this id or slug"}
	errNeedsKey   = &problem{notFound, "this server shows details to nobody without a key"}
	errNoMatch    = &problem{noMatch, "If-Match does not name what stands at this address"}
	errKeyForm    = &problem{invalidToken,
		"the API key is missing or malformed: it is sent as the header field Authorization: Bearer <key>"}
	errPanic = &problem{internalError,
		"the server failed to answer: try again shortly, and quote X-Request-Id in a report"}
	errOnlyPost = &problem{wrongMethod, "messages of the Model Context Protocol are sent by POST"}
)

// keyCodes say what a refused key gets.
var keyCodes = map[error]code{
	keys.ErrInvalid:    invalidToken,
	keys.ErrRevoked:    tokenRevoked,
	keys.ErrExpired:    tokenExpired,
	keys.ErrPaused:     tokenPaused,
	keys.ErrInactive:   partnerInactive,
	keys.ErrNotAllowed: partnerNotAllowed,
}

// keyProblem returns the problem of a key that keys.Store.Authorize refused. A reason that the table does not
// know refuses the key all the same.
func keyProblem(err error) *problem {
	c, known := keyCodes[err]
	if !known {
		c, err = invalidToken, keys.ErrInvalid
	}
	return &problem{c, err.Error()}
}

// appendTo appends the error object of the contract.
func (p *problem) appendTo(dst []byte) []byte {
	dst = append(append(append(dst, `{"error":"`...), p.name...), `","message":`...)
	return append(jsonwriter.AppendString(dst, p.message), '}')
}
