// Command soak lets a server live through everything at once, and fails when one of its laws is broken: a
// real process, with a catalogue whose snapshot has 700 MB, answers a steady load while generations are
// built, switched, refused and damaged, while exports, agents, slow and idle clients hold on to it, keys come
// and go, budgets are spent, and SIGHUP asks for what is in force to be verified again.
//
// The laws:
//
//   - no wrong answer: every one is, byte by byte, that of the generation that it names, and of one in force;
//   - no request fails: each has the status that it must have;
//   - 1,000 switches of a small catalogue, and as many of the large one as there is time for, at most double the p99;
//   - memory, open files, goroutines and mappings stay flat, and at rest they are what they were at the start;
//   - a damaged generation is refused, and the good one goes on; a refused key is refused within a second; a budget is exact;
//   - a client that is slow loses its place.
//
// It is no test of `make test`: it takes ten minutes, and a machine that has something else to do breaks its
// laws of time.
//
// Read soak.go first: what happens when. Then operator.go and clients.go: who does what, site.go and
// tally.go: what is right, gauges.go: what is measured, and laws.go: what is held.
package main
