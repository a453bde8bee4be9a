// Package queries makes questions of a catalogue's products, class by class, by a fixed seed: to judge what a
// search finds, and to measure what it costs.
//
// It never searches and knows nothing of how the engine finds: a rule of what a good answer is reads products
// alone.
//
// Read classes.go first: the one table of the classes, and what a question is.
package queries
