package products

import "sabine/dataset"

// findings are what is wrong or doubtful about a row or a product.
type findings struct {
	faults, warnings []dataset.Fault
	doubts           []doubt
}

// A doubt is one occurrence of a note.
type doubt struct {
	note  dataset.Note
	place dataset.Place
}

func (f *findings) add(g findings) {
	f.faults, f.warnings = append(f.faults, g.faults...), append(f.warnings, g.warnings...)
	f.doubts = append(f.doubts, g.doubts...)
}

func (f *findings) fault(place dataset.Place, path, problem string) {
	f.faults = append(f.faults, dataset.Fault{Place: place, Path: path, Problem: problem})
}

func (f *findings) warn(place dataset.Place, path, problem string) {
	f.warnings = append(f.warnings, dataset.Fault{Place: place, Path: path, Problem: problem})
}

// doubt adds an occurrence of a note, which counts things of a unit, if any.
func (f *findings) doubt(place dataset.Place, path, problem, unit string) {
	f.doubts = append(f.doubts, doubt{dataset.Note{Path: path, Problem: problem, Unit: unit}, place})
}
