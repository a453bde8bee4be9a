// Package queries makes questions from the products of a catalogue, class by class, with a fixed seed. They
// are used to judge what a search finds and to measure its cost.
//
// It never searches and does not depend on how the engine searches: the rule of a good answer reads only
// products.
//
// Read classes.go first. It has the table of the classes and the type of a question.
package queries
