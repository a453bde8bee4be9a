package main

import (
	"slices"

	"sabine/indexes"
)

// fireRank returns 1 for A1 to 7 for F, 0 for what is no class.
func fireRank(class string) int { return slices.Index(indexes.FireClasses, class) + 1 }

// fireName is the reverse of fireRank.
func fireName(rank int) string { return indexes.FireClasses[rank-1] }

// safest returns the classes that pass a fire class filter.
func safest(class string) []string { return indexes.FireClasses[:fireRank(class)] }

// cumulated appends the counts of fire classes, each with all safer ones, to counts. exactly has the products of each class
// alone, by rank.
func cumulated(counts []count, exactly *[8]int) []count {
	sum := 0
	for i, class := range indexes.FireClasses {
		sum += exactly[i+1]
		if sum > 0 {
			counts = append(counts, count{fireClass, class, sum})
		}
	}
	return counts
}
