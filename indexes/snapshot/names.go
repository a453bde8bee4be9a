package snapshot

import "strings"

// The names in a folder.
const (
	suffix       = ".snapshot"    // of a generation, behind its content hash
	reportSuffix = ".report.json" // of a generation's report, behind the same hash
	currentName  = "CURRENT"      // one line: the name of the generation in force
	lockName     = ".lock"        // taken by the build that writes; never removed
	tempPrefix   = ".building-"   // of a file that a build has not finished
	hashDigits   = 64
)

// FileName returns the name of the snapshot with a content hash.
func FileName(hash string) string { return hash + suffix }

// ReportName returns the name of the report beside the snapshot with a content hash.
func ReportName(hash string) string { return hash + reportSuffix }

// hashOf returns the content hash that the name of a generation states; ok is false for every other name.
func hashOf(name string) (hash string, ok bool) {
	hash, ok = strings.CutSuffix(name, suffix)
	if !ok || len(hash) != hashDigits || strings.Trim(hash, "0123456789abcdef") != "" {
		return "", false
	}
	return hash, true
}
