// Package queries makes questions from the products in a catalogue, class by class, with a fixed seed. The
// questions serve to judge what a search finds and to measure its cost.
//
// It never searches and does not depend on how the engine searches. The rules for good answers read only
// products.
//
// Read classes.go first. It contains the table of classes and the type Question.
package queries
