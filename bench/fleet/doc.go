// Command fleet holds a fleet of servers against its promises, and fails when one is broken: three servers of
// one S3 store and one Redis answer a steady load while generations are published and rolled back, and while
// the store and Redis are paused, killed and started again in turn. All of them are real processes on this
// machine, and every generation goes the way of operators: sabine build, sabine publish, sabine rollback.
//
// The promises:
//
//   - no wrong answer: every one is, byte by byte, that of the generation that it names;
//   - a server moves from generation to generation as the store's pointer did, and never back;
//   - no request fails, but for 503 rate_limit_unavailable while Redis is away and a moment after;
//   - what is published, or rolled back, is in force everywhere within the time between two looks at the store and two seconds,
//     counted from the return of the store when it was away;
//   - budgets are exact over all servers, and never exceeded, whatever becomes of Redis.
//
// It is no test of `make test`: it takes three minutes, and a machine that has something else to do breaks
// its promises of time.
//
// Read rounds.go first: what happens. Then package trial and tally.go: what is right, and report.go: what is
// held.
package main
