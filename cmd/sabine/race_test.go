//go:build race

package main_test

// raceDetector reports whether the tests, and therefore the program, run under the race detector.
const raceDetector = true
