//go:build race

package main_test

// raceDetector tells that the tests run under the race detector; the program under test is built with it then, too.
const raceDetector = true
