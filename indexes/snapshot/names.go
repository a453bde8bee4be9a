package snapshot

import (
	"crypto/sha256"
	"strings"
)

// The names of the files in a folder, and their suffixes, which follow the content hash.
const (
	suffix        = ".snapshot"    // suffix of a generation
	reportSuffix  = ".report.json" // suffix of the report on a generation, or on a refused snapshot after its suffix
	refusedSuffix = ".refused"     // suffix of a snapshot that must not be served
	currentName   = "CURRENT"      // file with one line, the name of the current generation
	MirrorName    = "MIRROR.json"  // file with the state of the mirror that fills the folder
	lockName      = ".lock"        // file that a build locks while it writes; it is never removed
	tempPrefix    = ".building-"   // prefix of an unfinished file
	hashDigits    = 2 * sha256.Size
)

// FileName returns the file name of the snapshot with the given content hash.
func FileName(hash string) string { return hash + suffix }

// ReportOf returns the file name of a snapshot's report: <hash>.report.json, or <hash>.refused.report.json
// for a refused snapshot.
func ReportOf(name string) string { return strings.TrimSuffix(name, suffix) + reportSuffix }

// isRefused reports whether name is the name of a refused snapshot or of its report.
func isRefused(name string) bool {
	hash, ok := strings.CutSuffix(strings.TrimSuffix(name, reportSuffix), refusedSuffix)
	return ok && IsHash(hash)
}

// hashOf returns the content hash in the name of a generation, or "" for any other name.
func hashOf(name string) string {
	if hash, ok := strings.CutSuffix(name, suffix); ok && IsHash(hash) {
		return hash
	}
	return ""
}

func isGeneration(name string) bool { return hashOf(name) != "" }

// IsHash reports whether text is a SHA-256 as file names and pointers contain it: 64 lower-case hex digits.
func IsHash(text string) bool {
	return len(text) == hashDigits && strings.Trim(text, "0123456789abcdef") == ""
}
