//go:build race

package main_test

// raceDetector reports whether the race detector is enabled in the tests, and therefore in the program.
const raceDetector = true
