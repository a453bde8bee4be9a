// Command load measures HTTP: sabine serve against a bare httprouter handler that writes a constant body of
// the same size with the same header fields and the same access-log line, and against nginx serving that body
// from a file. wrk drives them; each server has one core, and wrk the other.
//
// It only measures: it installs nothing (make bench-http does) and never decides whether a figure is good.
// The engines take turns, so that what else the machine does falls on all of them, and the figures are
// medians of the rounds.
//
// With -beside it measures sabine against itself with other flags, such as --explorer=false: what a part of
// it costs. So what counters in Redis cost, with a redis-server --save "" that runs:
//
//	go run ./bench/load -class '^(detail|public search)$' -beside '--rate-limit-store redis://127.0.0.1 --rate-limit-secret FILE'
//
// Read classes.go first: what is asked. Then engines.go: who answers.
package main
