// Package acoustics computes the single-number ratings of sound absorption from measured bands: the practical
// coefficient alpha_p and the weighted coefficient alpha_w of ISO 11654, NRC and SAA of ASTM C423, all in
// exact decimal steps. It computes the reverberation times of rooms and judges them, and it holds the absorber
// and diffuser models behind the synthetic catalogue.
//
// It never sees a product record, reads no files and knows nothing of JSON: bands go in, numbers come out.
//
// Read ratings.go first. What it rates are the curves of curve.go; practical.go and weighted.go are ISO
// 11654, averages.go is ASTM C423, decimal.go their exact arithmetic; compared.go compares curves,
// mounting.go mountings; depth.go says how deep a set-up is. reverberation.go is Sabine and Eyring, with
// the air of air.go (ISO 9613-1). target.go judges a room by a target, such as those of din18041.go;
// fill.go computes how much of a covering meets one. building.go and building_table.go are common surfaces
// of buildings, people and chairs. models.go (absorbers) and diffusers.go stand apart; bands.go has what
// all need to give their results by band.
package acoustics
