package serve

import (
	"net/http"

	"sabine/serve/keys"
)

// A code is an error code of the contract with its HTTP status.
type code struct {
	status int
	name   string
}

// All codes of the contract. Some names are repeated, because the contract has no separate codes for an
// unsupported method, a failed If-Match, an agent's invalid message, or a server without data.
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
	gone                 = code{http.StatusGone, "gone"} // an addition to the contract, only for getChanges
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

// A problem is the reason why a request is refused: a code and a message, which never contains a key.
type problem struct {
	code
	message string
}

// Problems with a constant message.
var (
	errUnknownPath = &problem{notFound, "unknown path: see the API description in the Link header"}
	errWrongMethod = &problem{wrongMethod, "unsupported method: use GET or HEAD"}
	errTooMany     = &problem{rateLimitExceeded, "too many requests: wait for the number of seconds in Retry-After"}
	errNoCounters  = &problem{rateLimitUnavailable,
		"requests cannot be counted now: try again after the number of seconds in Retry-After"}
	errNoSnapshot = &problem{noSnapshot, "no catalogue is loaded: the server is waiting for a valid snapshot"}
	errNoIDs      = &problem{missingIDs, "identifiers are missing"}
	errNoProduct  = &problem{notFound, "no published product has this id or slug"}
	errNeedsKey   = &problem{notFound, "this server requires a key for details"}
	errNoMatch    = &problem{noMatch, "If-Match does not match the current version"}
	errKeyForm    = &problem{invalidToken,
		"the API key is missing or malformed: send it in the header field Authorization: Bearer <key>"}
	errPanic = &problem{internalError,
		"internal error: try again shortly, and include X-Request-Id in a report"}
	errOnlyPost = &problem{wrongMethod, "unsupported method: send messages of the Model Context Protocol by POST"}
)

// keyCodes are the codes for refused keys.
var keyCodes = map[error]code{
	keys.ErrInvalid:    invalidToken,
	keys.ErrRevoked:    tokenRevoked,
	keys.ErrExpired:    tokenExpired,
	keys.ErrPaused:     tokenPaused,
	keys.ErrInactive:   partnerInactive,
	keys.ErrNotAllowed: partnerNotAllowed,
}

// keyProblem returns the problem for a key that keys.Store.Authorize refused, even if the reason is unknown.
func keyProblem(err error) *problem {
	if c, known := keyCodes[err]; known {
		return &problem{c, err.Error()}
	}
	return &problem{invalidToken, keys.ErrInvalid.Error()}
}
