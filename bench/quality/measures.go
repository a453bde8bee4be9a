package quality

import (
	"math"
	"slices"
)

// success reports whether one of the first k hits has at least the wanted grade. grades are those of the hits
// in their order, 0 for a product that was not judged good. Averaged over queries it is success@k.
//
// Source: N. Craswell, Success at n, Encyclopedia of Database Systems, Springer 2009.
func success(grades []int, k, wanted int) bool {
	return slices.ContainsFunc(grades[:min(k, len(grades))], func(grade int) bool { return grade >= wanted })
}

// ndcg returns the normalised discounted cumulated gain of the first k hits: their DCG over that of the best
// order, in which all judged products come, the better grade first. It is from 0 to 1. Where nothing was
// judged good it is 1 if nothing came and else 0.
//
// Source: K. Järvelin, J. Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20 (2002);
// the gain is that of C. Burges and others, Learning to rank using gradient descent, ICML 2005.
func ndcg(grades, judged []int, k int) float64 {
	if len(judged) == 0 {
		if len(grades) == 0 {
			return 1
		}
		return 0
	}
	best := slices.SortedFunc(slices.Values(judged), func(a, b int) int { return b - a })
	return dcg(grades, k) / dcg(best, k)
}

// dcg is the sum, over the first k places from 1 on, of the gain 2^grade - 1 over log2(place + 1).
func dcg(grades []int, k int) float64 {
	sum := 0.0
	for i, grade := range grades[:min(k, len(grades))] {
		sum += (math.Exp2(float64(grade)) - 1) / math.Log2(float64(i+2))
	}
	return sum
}
