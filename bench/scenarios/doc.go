// Command scenarios runs real servers under load. Two scenarios expose the servers to many events and fail if
// a promise is broken. The third scenario only measures:
//
//	go run ./bench/scenarios soak
//	go run ./bench/scenarios fleet
//	go run ./bench/scenarios http
//
// In soak, one server with a snapshot of 700 MB serves requests while generations are built, switched,
// refused and damaged. Meanwhile, exports, agents, slow clients and idle clients keep the server busy, keys
// change, budgets are spent, and SIGHUP requests verifications. In fleet, three servers that share one S3
// store and one Redis serve requests while operators publish and roll back generations, and while the store
// or Redis is paused, killed and restarted.
//
// Both scenarios check these promises; soak.go and fleet.go list more, next to their limits:
//
//   - every answer is correct: byte for byte, it is the answer of the generation that it names;
//   - no answer is misplaced: a server follows the pointer from generation to generation and never goes back;
//   - no request fails: each has a valid status; in fleet, 503 rate_limit_unavailable is valid while Redis is
//     away and shortly afterwards;
//   - a budget is exact over all servers, and never exceeded while Redis is away;
//   - no log contains a panic or a data race, and no server ends before the scenario stops it.
//
// They are not part of `make test`, because they take minutes and a busy machine breaks promises about times.
//
// In http, sabine alternates with a bare handler, which sends a constant body of the same size with the
// header fields that any server sends. With -against, sabine runs at the same time as another sabine program,
// and with -beside at the same time as a sabine that has other flags of serve. Both options also alternate
// builds (`make bench-against`). The servers have one core, and wrk has another. The figures are medians over
// the turns. For example, this measures the cost of counting in Redis, where redis-server --save "" runs:
//
//	go run ./bench/scenarios -class '^(detail|public search)$' \
//		-beside '--rate-limit-store redis://127.0.0.1 --rate-limit-secret FILE' http
//
// Read main.go first: it contains the types scenario, record and run. Then read site.go (the load and the
// correct answers), generations.go (which generation can answer), soak.go, fleet.go and http.go.
package main
