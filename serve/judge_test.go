package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	pathpkg "path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/tidwall/gjson"
)

// A judge knows the contract's rules for all responses, and the OpenAPI description that the server serves.
type judge struct {
	base   string
	shown  bool   // whether the explorer is enabled
	agents bool   // whether /mcp is enabled
	site   string // public URL, or ""
	doc    *openapi3.T
	public string // RateLimit-Policy field of the public budget
	ids    sync.Map
}

// newJudge reads the description from the server.
func newJudge(s *site, publicURL string) (*judge, error) {
	r, err := http.NewRequest("GET", s.url+s.base+"/v1/openapi.json", nil)
	if err != nil {
		return nil, err
	}
	a, err := s.do(r)
	if err != nil {
		return nil, err
	}
	j := &judge{base: s.base, site: publicURL, public: a.header.Get("RateLimit-Policy")}
	j.doc, err = description(a.body)
	return j, err
}

// descriptions caches parsed descriptions by their text: parsing takes longer than a build.
var descriptions sync.Map

func description(text string) (*openapi3.T, error) {
	if doc, ok := descriptions.Load(text); ok {
		return doc.(*openapi3.T), nil
	}
	doc, err := openapi3.NewLoader().LoadFromData([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("the description: %w\n%.500s", err, text)
	}
	descriptions.Store(text, doc)
	return doc, nil
}

// A kind is a kind of response. It determines which rules for the header apply.
type kind struct {
	operation string // path in the description, or "" for an unknown path
	data      bool   // whether the response depends on a snapshot
	own       bool   // whether the request is counted, but needs no snapshot
	cache     string // Cache-Control field of 200 and 304
	tagged    bool   // whether 200 and 304 have an ETag
	streamed  bool   // whether the body of a 200 is an export
	page      string // media type of a 200; "" means JSON
	languages bool   // whether the response depends on Accept-Language
	posts     bool   // whether the operation accepts messages from agents
}

// segmentsOf decodes a path, but not the encoded slashes inside a segment.
func segmentsOf(u *url.URL) string {
	var segments []string
	for raw := range strings.SplitSeq(u.EscapedPath(), "/") {
		text, err := url.PathUnescape(raw)
		if err != nil {
			return ""
		}
		segments = append(segments, strings.ReplaceAll(text, "/", "%2F"))
	}
	return strings.Join(segments, "/")
}

// kindOf returns the kind of response for a path. It does not use the code under test.
func (j *judge) kindOf(path string) kind {
	if path == "/mcp" && j.agents {
		return kind{posts: true, cache: "no-store"}
	}
	if path == j.base+"/reference" {
		return kind{cache: "no-cache", tagged: true, page: htmlType}
	}
	if k, ok := fileKinds[pathpkg.Ext(path)]; ok && (strings.HasPrefix(path, "/assets/") && j.shown ||
		strings.HasPrefix(path, j.base+"/reference/")) {
		return k
	}
	if path == "/.well-known/openapi.json" {
		return kind{operation: "/v1/openapi.json", cache: "public, max-age=300", tagged: true} // same document
	}
	if k, ok := pageKinds[path]; ok && (j.shown || !k.languages) {
		return k
	}
	if id, ok := strings.CutPrefix(path, "/products/"); ok && j.shown && id != "" && !strings.Contains(id, "/") {
		return pageKinds["/"]
	}
	rest, ok := strings.CutPrefix(path, j.base)
	if !ok {
		return kind{}
	}
	switch rest {
	case "/v1/openapi.json":
		return kind{operation: rest, cache: "public, max-age=300", tagged: true}
	case "/public/search", "/public/compare-products", "/public/reverberation":
		return kind{operation: rest, data: true, cache: "public, max-age=60", tagged: true}
	case "/public/building-surfaces":
		return kind{operation: rest, own: true, cache: "public, max-age=60", tagged: true}
	case "/v1/materials", "/v1/materials/search", "/v1/changes":
		return kind{operation: rest, data: true, cache: "private, no-cache"}
	case "/v1/export":
		return kind{operation: rest, data: true, cache: "private, no-cache", tagged: true, streamed: true}
	}
	if id, ok := strings.CutPrefix(rest, "/public/materials/"); ok && id != "" && !strings.Contains(id, "/") {
		return kind{operation: "/public/materials/{id}", data: true, cache: "public, max-age=60", tagged: true}
	}
	if id, ok := strings.CutPrefix(rest, "/v1/materials/"); ok && id != "" && !strings.Contains(id, "/") {
		return kind{operation: "/v1/materials/{id}", data: true, cache: "private, no-cache", tagged: true}
	}
	return kind{}
}

// pageKinds contains the kinds of pages by their paths.
var pageKinds = func() map[string]kind {
	html := kind{cache: "no-cache", tagged: true, page: htmlType, languages: true}
	text := func(mediaType string) kind { return kind{cache: "public, max-age=300", tagged: true, page: mediaType} }
	icon := func(mediaType string) kind {
		return kind{cache: "public, max-age=86400", tagged: true, page: mediaType}
	}
	return map[string]kind{
		"/": html, "/compare": html, "/room": html,
		"/robots.txt": text("text/plain; charset=utf-8"), "/llms.txt": text("text/markdown; charset=utf-8"),
		"/licences.md":             text("text/markdown; charset=utf-8"),
		"/.well-known/api-catalog": text(`application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`),
		"/favicon.svg":             icon("image/svg+xml"), "/favicon.ico": icon("image/x-icon"),
	}
}()

const htmlType = "text/html; charset=utf-8"

// fileKinds contains the kinds of the pages' files, by their extensions.
var fileKinds = func() map[string]kind {
	file := func(mediaType string) kind {
		return kind{cache: "public, max-age=31536000, immutable", tagged: true, page: mediaType}
	}
	return map[string]kind{".js": file("text/javascript; charset=utf-8"), ".css": file("text/css; charset=utf-8"),
		".txt": file("text/plain; charset=utf-8")}
}()

// Statuses of responses that the OpenAPI document does not describe.
var (
	pageStatuses    = []int{200, 204, 304, 405, 412}
	messageStatuses = []int{200, 202, 204, 400, 401, 403, 404, 405, 413, 415, 429, 500, 503}
)

// codes contains the error codes that can occur with each status.
var codes = map[int][]string{
	400: {"invalid_request", "missing_ids"},
	401: {"invalid_token"},
	403: {"token_revoked", "token_paused", "token_expired", "partner_inactive", "partner_not_allowed"},
	404: {"not_found"},
	410: {"gone"},
	405: {"invalid_request"},
	412: {"invalid_request"},
	413: {"invalid_request"},
	415: {"invalid_request"},
	429: {"rate_limit_exceeded"},
	500: {"internal_error"},
	503: {"rate_limit_unavailable", "internal_error"},
}

const exposed = "RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, ETag, Link, " +
	"X-Request-Id, X-Snapshot, X-Ignored-Parameters, WWW-Authenticate"

var (
	uuid4    = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	hash16   = regexp.MustCompile(`^[0-9a-f]{16}$`)
	etagForm = regexp.MustCompile(`^"[0-9a-f]{32}(-gzip|-zstd)?"$`)
	policies = regexp.MustCompile(`^[1-9][0-9]*;w=[1-9][0-9]*(, [1-9][0-9]*;w=[1-9][0-9]*)*$`)
)

// wantsPage reports whether a browser requests an address outside the API.
func (j *judge) wantsPage(r *http.Request) bool {
	path := r.URL.EscapedPath()
	ofAPI := []string{j.base}
	if j.base == "" {
		ofAPI = []string{"/v1", "/public"}
	}
	for _, api := range ofAPI {
		if strings.HasPrefix(path+"/", api+"/") {
			return false
		}
	}
	return (r.Method == "GET" || r.Method == "HEAD") && strings.Contains(r.Header.Get("Accept"), "text/html") &&
		strings.Count(path, "/") <= 8
}

// check returns all violations of the general rules and of the description by a response.
func (j *judge) check(r *http.Request, a *answer) error {
	k := j.kindOf(segmentsOf(r.URL))
	if k == (kind{}) && j.shown && j.wantsPage(r) {
		k = pageKinds["/"]
	}
	if a.status == 404 && k.page != "" && !k.languages { // the response for a missing file
		k = kind{}
	}
	faults := &faults{}
	k.streamed = k.streamed && a.status == 200
	j.checkAlways(faults, k, r, a)
	j.checkBudget(faults, k, r, a)
	checkCaching(faults, k, a)
	switch {
	case k.streamed:
		checkExport(faults, r, a)
	case k.posts:
		checkMessage(faults, r, a)
	case k.page != "" && (a.status == 200 || a.status == 404):
		checkPage(faults, k, r, a)
	default:
		checkBody(faults, k, r, a)
	}
	switch {
	case k.posts:
		faults.want(slices.Contains(messageStatuses, a.status), "status %d of a message", a.status)
	case k.page != "":
		faults.want(slices.Contains(pageStatuses, a.status) || k.languages && a.status == 404, "status %d of a page",
			a.status)
	case k.operation == "":
		faults.want(a.status == 404, "status %d of nothing", a.status)
	}
	want := k.data && slices.Contains([]int{200, 304, 400, 404, 410}, a.status)
	if k.posts { // a message can be refused before or after a snapshot is chosen
		want = a.status == 200 || a.status == 202 || (a.status == 400 || a.status == 404) && a.header.Get("X-Snapshot") != ""
	}
	faults.want(hash16.MatchString(a.header.Get("X-Snapshot")) == want && (a.header.Get("X-Snapshot") != "") == want,
		"X-Snapshot %q", a.header.Get("X-Snapshot"))
	if k.operation != "" && r.Method != http.MethodOptions {
		faults.add(j.validate(k, r, a))
	}
	return errors.Join(faults.all...)
}

type faults struct{ all []error }

func (f *faults) add(err error) {
	if err != nil {
		f.all = append(f.all, err)
	}
}

// want adds a fault unless holds is true.
func (f *faults) want(holds bool, format string, args ...any) {
	if !holds {
		f.all = append(f.all, fmt.Errorf(format, args...))
	}
}

// checkAlways checks the header fields that every response must have exactly once.
func (j *judge) checkAlways(f *faults, k kind, r *http.Request, a *answer) {
	for name, values := range a.header {
		f.want(len(values) == 1, "%s occurs %d times", name, len(values))
	}
	readable := exposed
	if k.streamed {
		readable += ", Content-Disposition, X-Export-Notes"
	}
	link := "<" + j.site + j.base + `/v1/openapi.json>; rel="service-desc"`
	if r.URL.Path == "/.well-known/api-catalog" && (a.status == 200 || a.status == 304) {
		link += ", <" + j.site + `/.well-known/api-catalog>; rel="api-catalog"`
	}
	noSniffing := "nosniff" // for bodies that are not JSON
	if a.header.Get("Content-Type") == "" || a.header.Get("Content-Type") == "application/json" {
		noSniffing = ""
	}
	for name, want := range map[string]string{
		"Link":                             link,
		"Access-Control-Allow-Origin":      "*",
		"Access-Control-Expose-Headers":    readable,
		"X-Content-Type-Options":           noSniffing,
		"Access-Control-Allow-Credentials": "",
		"Set-Cookie":                       "",
		"Location":                         "",
	} {
		f.want(a.header.Get(name) == want, "%s %q, want %q", name, a.header.Get(name), want)
	}
	id := a.header.Get("X-Request-Id")
	if sent := r.Header.Get("X-Request-Id"); sent == "" || id != sent {
		_, used := j.ids.LoadOrStore(id, true)
		f.want(uuid4.MatchString(id) && !used, "X-Request-Id %q is no fresh UUIDv4", id)
	}
	f.want((a.header.Get("WWW-Authenticate") == "Bearer") == (a.status == 401), "WWW-Authenticate %q",
		a.header.Get("WWW-Authenticate"))
	allow := ""
	if a.status == 405 || a.status == 204 {
		allow = "GET, HEAD, OPTIONS"
		if k.posts {
			allow = "POST, OPTIONS"
		}
	}
	f.want(a.header.Get("Allow") == allow, "Allow %q, want %q", a.header.Get("Allow"), allow)
	f.want((a.header.Get("Access-Control-Allow-Methods") != "") == (a.status == 204), "Access-Control-Allow-Methods %q",
		a.header.Get("Access-Control-Allow-Methods"))
}

// checkBudget checks that the RateLimit fields are consistent. Other tests check the counts.
func (j *judge) checkBudget(f *faults, k kind, r *http.Request, a *answer) {
	policy := a.header.Get("RateLimit-Policy")
	limit, limitErr := strconv.Atoi(a.header.Get("RateLimit-Limit"))
	remaining, remainingErr := strconv.Atoi(a.header.Get("RateLimit-Remaining"))
	reset, resetErr := strconv.Atoi(a.header.Get("RateLimit-Reset"))
	f.add(errors.Join(limitErr, remainingErr, resetErr))
	f.want(policies.MatchString(policy), "RateLimit-Policy %q", policy)
	window := 0
	for w := range strings.SplitSeq(policy, ", ") {
		if number, seconds, _ := strings.Cut(w, ";w="); number == strconv.Itoa(limit) {
			window, _ = strconv.Atoi(seconds)
		}
	}
	f.want(window > 0, "RateLimit-Limit %d is not in the policy %s", limit, policy)
	f.want(0 <= remaining && remaining <= limit && 1 <= reset && reset <= window,
		"limit %d, remaining %d, reset %d of %d s", limit, remaining, reset, window)
	counted := (k.data || k.own) && a.status != 405 && r.Method != http.MethodOptions
	switch {
	case k.posts: // a call is counted, but other messages are not
	case !counted:
		f.want(policy == j.public && remaining == limit, "an uncounted response shows %d of %s", remaining, policy)
	case a.status == 401 || a.status == 403 || strings.HasPrefix(k.operation, "/public"):
		f.want(policy == j.public, "policy %s, want the public one, %s", policy, j.public)
	}
	after := a.header.Get("Retry-After")
	switch {
	case a.status == 429 || a.code() == "rate_limit_unavailable":
		f.want(remaining == 0 && after == strconv.Itoa(reset), "remaining %d, Retry-After %q, reset %d", remaining, after,
			reset)
	case a.status == 503:
		f.want(after == "1", "Retry-After %q", after)
	default:
		f.want(after == "", "Retry-After %q", after)
	}
}

// checkCaching checks Cache-Control, Vary and ETag.
func checkCaching(f *faults, k kind, a *answer) {
	cache, tagged, vary := "no-store", false, "Accept-Encoding"
	if k.languages && a.status != 405 && a.status != 412 {
		vary = "Accept-Encoding, Accept-Language"
	}
	switch a.status {
	case 204:
		cache, vary = "", ""
	case 200, 202, 304:
		cache, tagged = k.cache, k.tagged
	}
	f.want(a.header.Get("Cache-Control") == cache, "Cache-Control %q, want %q", a.header.Get("Cache-Control"), cache)
	f.want(a.header.Get("Vary") == vary, "Vary %q, want %q", a.header.Get("Vary"), vary)
	tag := a.header.Get("ETag")
	f.want(etagForm.MatchString(tag) == tagged && (tag != "") == tagged, "ETag %q", tag)
	if coding := a.header.Get("Content-Encoding"); tagged && a.status == 200 {
		_, suffix, _ := strings.Cut(strings.Trim(tag, `"`), "-")
		f.want(suffix == coding, "ETag %s of a body in coding %q", tag, coding)
	}
}

// checkBody checks the body and the header fields that describe it.
func checkBody(f *faults, k kind, r *http.Request, a *answer) {
	length := a.header.Get("Content-Length")
	if k.operation == "/v1/changes" && a.status == 200 && length == "" { // streamed, without a length
		f.want(len(a.body) > 64<<10 || r.Method == http.MethodHead, "no Content-Length of %d bytes", len(a.body))
		length = strconv.FormatInt(a.sent, 10)
	}
	if a.status == 304 || a.status == 204 {
		f.want(a.sent == 0 && length == "" && a.header.Get("Content-Type") == "" && a.header.Get("Content-Encoding") == "",
			"%d bytes, Content-Length %q, Content-Type %q", a.sent, length, a.header.Get("Content-Type"))
		return
	}
	f.want(a.header.Get("Content-Type") == "application/json", "Content-Type %q", a.header.Get("Content-Type"))
	f.want(a.header.Get("Content-Disposition") == "" && a.header.Get("X-Export-Notes") == "", "it calls itself %q",
		a.header.Get("Content-Disposition"))
	if r.Method == http.MethodHead {
		f.want(a.sent == 0 && length != "", "the answer to HEAD has %d bytes, Content-Length %q", a.sent, length)
		return
	}
	f.want(length == strconv.FormatInt(a.sent, 10), "Content-Length %q of %d bytes", length, a.sent)
	f.want(len(a.body) >= 512 || a.header.Get("Content-Encoding") == "", "a body of %d bytes is coded", len(a.body))
	f.want(utf8.ValidString(a.body), "the body is not UTF-8")
	var compact bytes.Buffer
	f.add(json.Compact(&compact, []byte(a.body)))
	f.want(compact.String() == a.body, "the body is not compact JSON")
	if a.status >= 400 {
		// invalid_request can occur with any status, even for a page of another site
		known := slices.Contains(codes[a.status], a.code()) || k.posts && a.code() == "invalid_request"
		f.want(keysOf(a.json("@this")) == "error message" && a.json("message").String() != "" && known,
			"not the error object of a %d", a.status)
	}
}

// checkMessage checks the body of a response to an agent: the error object, or a message of JSON-RPC 2.0.
func checkMessage(f *faults, r *http.Request, a *answer) {
	if a.status != 200 && a.json("jsonrpc").Raw == "" {
		if a.status != 202 {
			checkBody(f, kind{posts: true}, r, a)
			return
		}
		f.want(a.sent == 0 && a.header.Get("Content-Type") == "", "202 with %d bytes", a.sent)
		return
	}
	mediaType, messages := "application/json", []string{a.body}
	if strings.HasPrefix(a.body, "event: ") { // a subscription ends immediately, after its events
		mediaType, messages = "text/event-stream", strings.Split(strings.TrimSuffix(a.body, "\n\n"), "\n\n")
	}
	// The library uses 404 for an unknown method.
	f.want(a.status == 200 || a.status == 400 || a.status == 404, "status %d", a.status)
	f.want(a.header.Get("Content-Type") == mediaType, "Content-Type %q", a.header.Get("Content-Type"))
	message := gjson.Parse(strings.TrimPrefix(messages[len(messages)-1], "event: message\ndata: "))
	f.want(gjson.Valid(message.Raw) && utf8.ValidString(a.body) && message.Get("jsonrpc").String() == "2.0" &&
		message.Get("id").Exists() &&
		message.Get("result").Exists() != message.Get("error").Exists(), "no answer of JSON-RPC 2.0")
	f.want(a.header.Get("Content-Length") == strconv.FormatInt(a.sent, 10), "Content-Length %q of %d bytes",
		a.header.Get("Content-Length"), a.sent)
}

// checkPage checks the body of a page and its metadata. A page of the explorer loads nothing from other sites
// and has no inline scripts.
func checkPage(f *faults, k kind, r *http.Request, a *answer) {
	f.want(a.header.Get("Content-Type") == k.page, "Content-Type %q", a.header.Get("Content-Type"))
	f.want(a.header.Get("Content-Length") == strconv.FormatInt(a.sent, 10) || r.Method == http.MethodHead,
		"Content-Length %q of %d bytes", a.header.Get("Content-Length"), a.sent)
	f.want(r.Method != http.MethodHead || a.sent == 0, "the answer to HEAD has %d bytes", a.sent)
	policy := a.header.Get("Content-Security-Policy")
	if f.want((policy != "") == (k.page == htmlType), "Content-Security-Policy %q", policy); policy == "" {
		return
	}
	f.want(strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; style-src 'self'") &&
		(!strings.Contains(policy, "unsafe") || !k.languages), "Content-Security-Policy %q", policy)
	f.want(a.header.Get("Referrer-Policy") == "same-origin", "Referrer-Policy %q", a.header.Get("Referrer-Policy"))
	f.want(utf8.ValidString(a.body), "the page is not UTF-8")
}

// exports contains the media types of exports, by the extensions of their files.
var exports = map[string]string{
	"ndjson": "application/x-ndjson", "csv": "text/csv; charset=utf-8; header=present", "json": "application/json",
	"txt": "text/plain; charset=utf-8",
}

// checkExport checks the body of an export, whose length is unknown in advance, and its header fields.
func checkExport(f *faults, r *http.Request, a *answer) {
	name, _ := strings.CutSuffix(a.header.Get("Content-Disposition"), `"`)
	name, extension, _ := strings.Cut(name, ".")
	f.want(name == `attachment; filename="sabine-`+a.header.Get("X-Snapshot"), "Content-Disposition %q of %s",
		a.header.Get("Content-Disposition"), a.header.Get("X-Snapshot"))
	f.want(a.header.Get("Content-Type") == exports[extension], "Content-Type %q of .%s", a.header.Get("Content-Type"),
		extension)
	noted := (extension == "json" || extension == "txt") && r.Method != http.MethodHead
	f.want((a.header.Get("X-Export-Notes") != "") == noted, "X-Export-Notes %q of .%s", a.header.Get("X-Export-Notes"),
		extension)
	length := ""
	if !r.ProtoAtLeast(1, 1) && r.Method != http.MethodHead { // HTTP/1.0 has no chunks
		length = strconv.FormatInt(a.sent, 10)
	}
	f.want(a.header.Get("Content-Length") == length, "Content-Length %q", a.header.Get("Content-Length"))
	f.want(r.Method != http.MethodHead || a.sent == 0, "the answer to HEAD has %d bytes", a.sent)
	f.want(utf8.ValidString(a.body), "the body is not UTF-8")
	if extension == "ndjson" {
		for line := range strings.Lines(a.body) {
			f.want(gjson.Valid(line) && strings.HasSuffix(line, "}\n"), "a line is no JSON: %.200s", line)
		}
	}
}

// validate checks a response against the served description. It uses a library that the program does not use.
func (j *judge) validate(k kind, r *http.Request, a *answer) error {
	operation := k.operation
	item := j.doc.Paths.Value(operation)
	if item == nil || item.Get == nil {
		return fmt.Errorf("the description lacks %s", operation)
	}
	described := item.Get.Responses.Status(a.status)
	if described == nil {
		return fmt.Errorf("the description has no %d for %s", a.status, operation)
	}
	known := map[string]bool{"Content-Type": true, "Content-Length": true, "Date": true, "Connection": true} // HTTP fields
	for name := range described.Value.Headers {
		known[http.CanonicalHeaderKey(name)] = true
	}
	for name := range a.header {
		if !known[name] {
			return fmt.Errorf("the description has no %s for a %d of %s", name, a.status, operation)
		}
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: r,
			Route:   &routers.Route{Spec: j.doc, Path: operation, PathItem: item, Method: http.MethodGet, Operation: item.Get},
		},
		Status: a.status,
		Header: a.header.Clone(),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true,
			ExcludeResponseBody: r.Method == http.MethodHead || k.streamed},
	}
	input.SetBodyBytes([]byte(a.body))
	return openapi3filter.ValidateResponse(context.Background(), input)
}

// keysOf returns the keys of an object in order.
func keysOf(object gjson.Result) string {
	var names []string
	object.ForEach(func(key, _ gjson.Result) bool {
		names = append(names, key.String())
		return true
	})
	return strings.Join(names, " ")
}

// TestTheJudgeNoticesDefects changes valid responses in ways that would break clients. The judge must notice
// every change; otherwise the other tests would be unreliable.
func TestTheJudgeNoticesDefects(t *testing.T) {
	s := shared(t)
	detail := s.get(t, "/v1/materials/akustikpaneel-fichte-40?include=geometry")
	search := s.get(t, "/public/search")
	refused := s.get(t, "/public/search?page=x")
	for _, defect := range []struct {
		name     string
		path     string
		of       *answer
		old, new string // parts of the body
		header   string
		value    string
	}{
		{name: "a key is missing", path: "/v1/materials/x", of: detail, old: `"nrc":0.9,`},
		{name: "a key is there that the contract lacks", path: "/v1/materials/x", of: detail, old: `"nrc":0.9`,
			new: `"nrc":0.9,"x":1`},
		{name: "a number is text", path: "/v1/materials/x", of: detail, old: `"nrc":0.9`, new: `"nrc":"0.9"`},
		{name: "a text is null", path: "/v1/materials/x", of: detail, old: `"manufacturer":"Beispiel Akustik"`,
			new: `"manufacturer":null`},
		{name: "a band is not in the series", path: "/v1/materials/x", of: detail, old: `"4000":0.95`, new: `"4001":0.95`},
		{name: "a kind is not in the list", path: "/v1/materials/x", of: detail, old: `"measured"`, new: `"guessed"`},
		{name: "a key of a measurement is missing", path: "/v1/materials/x", of: detail, old: `"mounting":"E",`},
		{name: "a key of geometry is missing", path: "/v1/materials/x", of: detail, old: `"shape":"panel",`},
		{name: "a count is text", path: "/public/search", of: search, old: `"total":15`, new: `"total":"15"`},
		{name: "a strategy is not in the list", path: "/public/search", of: search, old: `"matchedStrategy":"none"`,
			new: `"matchedStrategy":"magic"`},
		{name: "a bucket has a key more", path: "/public/search", of: search, old: `"value":"holz"`,
			new: `"value":"holz","x":1`},
		{name: "the body is not compact", path: "/public/search", of: search, old: `"total":15`, new: `"total": 15`},
		{name: "the code is not in the list", path: "/public/search", of: refused, old: "invalid_request", new: "bad"},
		{name: "the error has no message", path: "/public/search", of: refused, old: `,"message":"`, new: `,"text":"`},
		{name: "a header field is missing", path: "/public/search", of: search, header: "X-Snapshot"},
		{name: "a header field has the wrong type", path: "/public/search", of: search, header: "RateLimit-Reset",
			value: "soon"},
		{name: "a header field is in no description", path: "/public/search", of: search, header: "X-Powered-By",
			value: "Go"},
		{name: "the content type has a charset", path: "/public/search", of: search, header: "Content-Type",
			value: "application/json; charset=utf-8"},
		{name: "the ETag is weak", path: "/public/search", of: search, header: "ETag",
			value: `W/"00000000000000000000000000000000"`},
		{name: "the link is relative", path: "/public/search", of: search, header: "Link",
			value: `<v1/openapi.json>; rel="service-desc"`},
		{name: "the request id was used before", path: "/public/search", of: search},
	} {
		t.Run(defect.name, func(t *testing.T) {
			bad := &answer{defect.of.status, defect.of.header.Clone(), strings.Replace(defect.of.body, defect.old, defect.new,
				1), 0}
			bad.sent = int64(len(bad.body))
			bad.header.Set("Content-Length", strconv.Itoa(len(bad.body)))
			if defect.name != "the request id was used before" {
				bad.header.Set("X-Request-Id", fmt.Sprintf("00000000-0000-4000-8000-%012x", len(t.Name())))
				if bad.body == defect.of.body && defect.header == "" {
					t.Fatalf("the defect does not apply to %s", defect.of.body)
				}
			}
			if defect.header != "" {
				bad.header.Set(defect.header, defect.value)
			}
			r, err := http.NewRequest("GET", s.url+s.base+defect.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			s.judge.ids.Delete(fmt.Sprintf("00000000-0000-4000-8000-%012x", len(t.Name())))
			if err := s.judge.check(r, bad); err == nil {
				t.Error("the judge did not notice")
			}
		})
	}
	r, err := http.NewRequest("GET", s.url+s.base+"/v1/materials/x", nil)
	if err != nil {
		t.Fatal(err)
	}
	good := *detail
	s.judge.ids.Delete(good.header.Get("X-Request-Id"))
	if err := s.judge.check(r, &good); err != nil {
		t.Errorf("the good answer is not good: %v", err)
	}
}
