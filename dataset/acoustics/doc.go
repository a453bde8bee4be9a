// Package acoustics computes single-number ratings of sound absorption from measured bands: the practical
// coefficient alpha_p and the weighted coefficient alpha_w of ISO 11654, NRC and SAA of ASTM C423, all in
// exact decimal arithmetic. It computes the reverberation times of rooms and compares them with targets. It
// also contains the absorber and diffuser models of the synthetic catalogue.
//
// It never reads product records, files or JSON. It computes numbers from frequency bands.
//
// Read ratings.go first. curve.go defines the curves, practical.go and weighted.go implement ISO 11654,
// averages.go implements ASTM C423, and decimal.go contains the exact arithmetic. reverberation.go implements
// Sabine and Eyring with the air in air.go (ISO 9613-1). target.go and din18041.go define the targets for
// rooms. fill.go computes the area of a covering that meets a target.
package acoustics
