// Command scenarios runs real servers under load. In two scenarios much happens to them, and a promise
// that is broken makes it fail; the third one only measures:
//
//	go run ./bench/scenarios soak
//	go run ./bench/scenarios fleet
//	go run ./bench/scenarios http
//
// In soak one server, whose snapshot has 700 MB, answers while generations are built, switched, refused and
// damaged, while exports, agents, slow and idle clients hold on to it, keys come and go, budgets are spent,
// and SIGHUP asks for what is in force to be verified again. In fleet three servers of one S3 store and one
// Redis answer while generations are published and rolled back by the commands of operators, and while the
// store and Redis are paused, killed and started again in turn.
//
// The promises of both; those of one are beside its limits, in soak.go and fleet.go:
//
//   - no wrong answer: every one is, byte by byte, that of the generation that it names;
//   - no misplaced one: a server moves from generation to generation as the pointer did, and never back;
//   - no request fails: each has the status that it must have; in fleet 503 rate_limit_unavailable is right
//     while Redis is away and a moment after;
//   - a budget is exact, over all servers; and it is never exceeded, whatever becomes of Redis;
//   - no log has a panic or a race, and no server ends by itself.
//
// They are no tests of `make test`: they take minutes, and a machine that has something else to do breaks the
// promises of time.
//
// In http sabine takes turns with a bare httprouter handler that writes a constant body of the same size
// with the same header fields and the same access-log line, and with nginx serving that body from a file.
// wrk drives them; each server has one core, and wrk the other. The figures are medians of the turns. With
// -beside sabine takes turns with itself with other flags, such as --explorer=false: what a part of it
// costs. So what counters in Redis cost, with a redis-server --save "" that runs:
//
//	go run ./bench/scenarios -class '^(detail|public search)$' \
//		-beside '--rate-limit-store redis://127.0.0.1 --rate-limit-secret FILE' http
//
// Read main.go first: a scenario, its record and its verdict. Then site.go (who asks, and what is right),
// generations.go (which may answer), and of each scenario what happens: soak.go, fleet.go, http.go.
package main
