// Package acoustics computes the single-number ratings of sound absorption from measured bands: the practical
// coefficient alpha_p and the weighted coefficient alpha_w of ISO 11654, NRC and SAA of ASTM C423, all in exact
// decimal steps, and it holds the absorber and diffuser models behind the synthetic catalogue.
//
// It never sees a product record, reads no files and knows nothing of JSON: bands go in, numbers come out.
//
// Read ratings.go first. What it rates are the curves of curve.go; practical.go and weighted.go are ISO 11654, averages.go
// is ASTM C423, decimal.go their exact arithmetic. models.go (absorbers) and diffusers.go stand apart from it; bands.go
// has what both need to give their results by band.
package acoustics
