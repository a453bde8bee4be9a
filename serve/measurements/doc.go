// Package measurements reads the ISO 354 and ISO 17497-1 measurements of a product back from its
// MaterialDetail, for who computes with them: exports to simulators, reverberation times.
//
// It reads bodies that a build has made and never asks where they come from.
package measurements
