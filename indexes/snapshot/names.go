package snapshot

import (
	"crypto/sha256"
	"strings"
)

// The names of the files in a folder, and their suffixes, which follow the content hash.
const (
	suffix       = ".snapshot"    // suffix of a generation
	reportSuffix = ".report.json" // suffix of the report on a generation
	refused      = ".refused"     // suffix of a snapshot that must not be served
	currentName  = "CURRENT"      // file with one line, the name of the current generation
	MirrorName   = "MIRROR.json"  // file with the state of the mirror that fills the folder
	lockName     = ".lock"        // file that a build locks while it writes; it is never removed
	tempPrefix   = ".building-"   // prefix of an unfinished file
	hashDigits   = 2 * sha256.Size
)

// FileName returns the file name of the snapshot with the given content hash.
func FileName(hash string) string { return hash + suffix }

func refusedName(hash string) string { return hash + refused }

func reportName(hash string) string { return hash + reportSuffix }

// ReportOf returns the file name of a snapshot's report. The snapshot may be a refused one.
func ReportOf(name string) string { return reportName(strings.TrimSuffix(name, suffix)) }

// isRefused reports whether name is the name of a refused snapshot or of its report.
func isRefused(name string) bool {
	hash, ok := strings.CutSuffix(strings.TrimSuffix(name, reportSuffix), refused)
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

// IsHash reports whether text is a SHA-256 in the format of file names and pointers.
func IsHash(text string) bool {
	return len(text) == hashDigits && strings.Trim(text, "0123456789abcdef") == ""
}
