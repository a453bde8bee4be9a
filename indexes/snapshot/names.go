package snapshot

import (
	"crypto/sha256"
	"strings"
)

// The names in a folder.
const (
	suffix       = ".snapshot"    // of a generation, behind its content hash
	reportSuffix = ".report.json" // of a generation's report, behind the same hash
	refused      = ".refused"     // of a snapshot that was built but is not to be served, behind its content hash
	currentName  = "CURRENT"      // one line: the name of the generation in force
	MirrorName   = "MIRROR.json"  // what whoever follows a store with the folder notes of it, see package fleet
	lockName     = ".lock"        // taken by the build that writes; never removed
	tempPrefix   = ".building-"   // of a file that a build has not finished
	hashDigits   = 2 * sha256.Size
)

// FileName returns the name of the snapshot with a content hash.
func FileName(hash string) string { return hash + suffix }

func refusedName(hash string) string { return hash + refused }

func reportName(hash string) string { return hash + reportSuffix }

// ReportOf returns the name of the report beside a snapshot by its name, also by that of one that lies aside.
func ReportOf(name string) string { return reportName(strings.TrimSuffix(name, suffix)) }

// isRefused reports whether a name is that of a snapshot that lies aside, or of its report.
func isRefused(name string) bool {
	hash, ok := strings.CutSuffix(strings.TrimSuffix(name, reportSuffix), refused)
	return ok && IsHash(hash)
}

// hashOf returns the content hash that the name of a generation states, "" for every other name.
func hashOf(name string) string {
	if hash, ok := strings.CutSuffix(name, suffix); ok && IsHash(hash) {
		return hash
	}
	return ""
}

func isGeneration(name string) bool { return hashOf(name) != "" }

// IsHash reports whether a text is a SHA-256 as names and pointers have it.
func IsHash(text string) bool {
	return len(text) == hashDigits && strings.Trim(text, "0123456789abcdef") == ""
}
