package quality

import (
	"math"
	"testing"
)

func TestSuccess(t *testing.T) {
	tests := []struct {
		rule   string
		grades []int
		k      int
		wanted int
		want   bool
	}{
		{"the first hit is the one", []int{3, 0}, 1, 3, true},
		{"the second is not the first", []int{0, 3}, 1, 3, false},
		{"but among the first ten", []int{0, 3}, 10, 3, true},
		{"the eleventh is not", []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3}, 10, 3, false},
		{"a lesser grade than wanted is none", []int{2, 1}, 10, 3, false},
		{"nothing came", nil, 10, 3, false},
	}
	for _, tt := range tests {
		if got := success(tt.grades, tt.k, tt.wanted); got != tt.want {
			t.Errorf("%s: success(%v, %d, %d) = %v", tt.rule, tt.grades, tt.k, tt.wanted, got)
		}
	}
}

func TestNDCG(t *testing.T) {
	tests := []struct {
		rule           string
		grades, judged []int
		k              int
		want           float64
	}{
		{"the best order is 1", []int{3, 2, 1}, []int{1, 2, 3}, 10, 1},
		{"what was not judged behind it costs nothing", []int{3, 0, 0}, []int{3}, 10, 1},
		{"the second place is worth 1/log2(3)", []int{0, 3}, []int{3}, 10, 0.6309},
		{"the third is worth 1/log2(4)", []int{0, 0, 1}, []int{1}, 10, 0.5},
		// Grades 3, 2 and 1 gain 7, 3 and 1: (1 + 3/1.58496 + 7/2) / (7 + 3/1.58496 + 1/2).
		{"a grade of 3 gains 7, of 2 gains 3, of 1 gains 1", []int{1, 2, 3}, []int{3, 2, 1}, 10, 0.6806},
		// 7 / (7 + 7/1.58496)
		{"what is missing counts", []int{3}, []int{3, 3}, 10, 0.6131},
		{"but not beyond the first k places", []int{3}, []int{3, 3}, 1, 1},
		{"nor does a hit beyond them", []int{0, 3}, []int{3}, 1, 0},
		{"nothing came", nil, []int{3}, 10, 0},
		{"rightly nothing", nil, nil, 10, 1},
		{"something where nothing should come", []int{0}, nil, 10, 0},
	}
	for _, tt := range tests {
		if got := ndcg(tt.grades, tt.judged, tt.k); math.Abs(got-tt.want) > 0.00005 {
			t.Errorf("%s: ndcg(%v, %v, %d) = %.4f, want %.4f", tt.rule, tt.grades, tt.judged, tt.k, got, tt.want)
		}
	}
}
