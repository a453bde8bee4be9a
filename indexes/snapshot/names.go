package snapshot

import (
	"crypto/sha256"
	"strings"
)

// Names and suffixes of the files in a folder.
const (
	suffix       = ".snapshot"    // a generation, after the content hash
	reportSuffix = ".report.json" // the report on a generation, after the content hash
	refused      = ".refused"     // a snapshot that must not be served, after the content hash
	currentName  = "CURRENT"      // one line: the name of the current generation
	MirrorName   = "MIRROR.json"  // state of the mirror that fills the folder; see package fleet
	lockName     = ".lock"        // locked by the build that is writing; never removed
	tempPrefix   = ".building-"   // an unfinished file
	hashDigits   = 2 * sha256.Size
)

// FileName returns the file name of the snapshot with a content hash.
func FileName(hash string) string { return hash + suffix }

func refusedName(hash string) string { return hash + refused }

func reportName(hash string) string { return hash + reportSuffix }

// ReportOf returns the file name of the report of a snapshot. The snapshot may be refused.
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

// IsHash reports whether text is a SHA-256 in the form that names and pointers use.
func IsHash(text string) bool {
	return len(text) == hashDigits && strings.Trim(text, "0123456789abcdef") == ""
}
