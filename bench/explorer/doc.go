// Package explorer measures the explorer in a real browser: what a first visit loads and how soon it shows a result, and how
// soon a result stands there after a key. `make bench-explorer` runs it, and beside it what the explorer costs the API
// (bench/load) and Lighthouse (lighthouse.mjs).
//
// It only measures, and never decides whether a figure is good. The machine should be quiet.
package explorer
