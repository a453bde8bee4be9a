// Command scenarios runs real servers under load. In two scenarios much happens to the servers, and a broken
// promise fails the run; the third scenario only measures:
//
//	go run ./bench/scenarios soak
//	go run ./bench/scenarios fleet
//	go run ./bench/scenarios http
//
// In soak one server with a snapshot of 700 MB answers while generations are built, switched, refused and
// damaged, while exports, agents, slow and idle clients keep it busy, keys change and budgets are spent, and
// while SIGHUP requests another verification. In fleet three servers that share one S3 store and one Redis
// answer while operators publish and roll back generations, and while either the store or Redis is paused,
// killed and restarted.
//
// These promises belong to both; soak.go and fleet.go list more, beside their limits:
//
//   - no answer is wrong: each is, byte by byte, the answer of the generation that it names;
//   - no answer is misplaced: a server follows the pointer from generation to generation and never goes back;
//   - no request fails: each has a valid status; in fleet, 503 rate_limit_unavailable is valid while Redis is
//     away and shortly afterwards;
//   - a budget is exact over all servers, and never exceeded while Redis is away;
//   - no log contains a panic or a race, and no server ends by itself.
//
// They are not part of `make test`: they take minutes, and a busy machine breaks the promises about times.
//
// In http sabine alternates with a bare handler, which sends a constant body of the same size with the header
// fields that any server sends. With -against it alternates with another program of sabine, and with -beside
// with a sabine that has other flags of serve; both options also alternate the builds (`make bench-against`).
// Each server has one core and wrk another one. The figures are medians over the turns. For example, the cost
// of counting in Redis, where redis-server --save "" runs:
//
//	go run ./bench/scenarios -class '^(detail|public search)$' \
//		-beside '--rate-limit-store redis://127.0.0.1 --rate-limit-secret FILE' http
//
// Read main.go first: it contains the types scenario, record and run. Then read site.go (the load, and which
// answers are right), generations.go (which generation can answer), and soak.go, fleet.go and http.go.
package main
