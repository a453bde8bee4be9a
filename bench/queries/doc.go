// Package queries makes questions of a catalogue's products, class by class, by a fixed seed: to judge what a
// search finds, and to measure what it costs.
//
// It never searches and knows nothing of how the engine finds: a rule of what a good answer is reads products
// alone.
//
// Read question.go first, then classes.go, the one table of the classes; a file each says how their questions
// are made.
package queries
