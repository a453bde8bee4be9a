package importers

import (
	"slices"

	"sabine/dataset"
	"sabine/dataset/importers/table"
)

// Corrections returns inputs for dataset.ReadCorrections. Each table is converted separately, to the fields
// that a product's rows contain.
func Corrections(inputs []dataset.Input) []dataset.Input {
	all := slices.Clone(inputs)
	for i, in := range all {
		if dataset.IsTableName(in.Name) {
			all[i] = table.Input([]dataset.Input{in}, table.Options{Partial: true})
		}
	}
	return all
}
