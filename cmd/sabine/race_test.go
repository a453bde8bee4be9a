//go:build race

package main_test

// raceDetector tells that the tests run under the race detector; the test binary is the program.
const raceDetector = true
