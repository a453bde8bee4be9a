package quality

import (
	"maps"
	"math"
	"slices"

	"github.com/google/uuid"
)

// PageSize is the number of judged hits, k in the measures.
const PageSize = 10

// An Answer contains an engine's hits for a query and their measures.
type Answer struct {
	Query     *Query
	Hits      []uuid.UUID // best hit first
	Success1  bool
	Success10 bool
	NDCG10    float64

	// The following are set only by MeasureAll.
	Fallback bool
	Missing  []uuid.UUID // graded products that are missing although the query must be complete
	Wrong    []uuid.UUID // hits that a correct search never returns
}

// Measure measures an engine's first hits, with the best hit first. total is the number of all hits. Success
// means that a product with the query's highest grade is the first hit, or is on the first page. If no
// product is good, an answer without hits is a success.
func (q *Query) Measure(hits []uuid.UUID, total int) *Answer {
	a := &Answer{Query: q, Hits: hits, Success1: total == 0, Success10: total == 0}
	var grades []int
	for _, id := range hits[:min(PageSize, len(hits))] {
		grades = append(grades, q.Grades[id])
	}
	a.NDCG10 = ndcg(grades, slices.Collect(maps.Values(q.Grades)), PageSize)
	if len(q.Grades) > 0 {
		a.Success1, a.Success10 = success(grades, 1, q.best()), success(grades, PageSize, q.best())
	}
	return a
}

// MeasureAll does what Measure does, and also sets Missing and Wrong. hits contains all hits.
func (q *Query) MeasureAll(hits []uuid.UUID) *Answer {
	a := q.Measure(hits, len(hits))
	for _, id := range hits {
		if q.Never[id] {
			a.Wrong = append(a.Wrong, id)
		}
	}
	for id := range q.Grades {
		if q.Complete && !slices.Contains(hits, id) {
			a.Missing = append(a.Missing, id)
		}
	}
	return a
}

// success reports whether the grade of one of the first k hits is at least wanted. grades contains the grades
// of the hits in order, with 0 for products without a grade. The mean over queries is success@k.
//
// Source: N. Craswell, Success at n, Encyclopedia of Database Systems, Springer 2009.
func success(grades []int, k, wanted int) bool {
	return slices.ContainsFunc(grades[:min(k, len(grades))], func(grade int) bool { return grade >= wanted })
}

// ndcg returns the normalised discounted cumulated gain of the first k hits, from 0 to 1. This is their DCG
// divided by the DCG of the best order, in which all judged products have descending grades. If no product is
// good, it is 1 for no hits and 0 otherwise.
//
// Source: K. Järvelin, J. Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20 (2002);
// the gain is from C. Burges and others, Learning to rank using gradient descent, ICML 2005.
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

// dcg returns the sum of (2^grade - 1) / log2(rank + 1) over the ranks 1 to k.
func dcg(grades []int, k int) float64 {
	sum := 0.0
	for i, grade := range grades[:min(k, len(grades))] {
		sum += (math.Exp2(float64(grade)) - 1) / math.Log2(float64(i+2))
	}
	return sum
}

// A Row contains the means of the measures over the answers to queries in one class.
type Row struct {
	Class     string
	Queries   int
	Success1  float64
	Success10 float64
	NDCG10    float64
	Fallback  float64 // fraction of answers found only by a fallback
	Complete  int     // number of queries that must be complete
	Recall    float64 // fraction of graded products found, in queries that must be complete
	Wrong     int     // number of answers with a hit that a correct search never returns
}

// All is the class of the row for all classes together.
const All = "all"

// TableOf returns a row for every class, in the order of the answers, followed by a row for all classes.
func TableOf(answers []*Answer) (rows []Row) {
	for _, a := range answers {
		if !slices.ContainsFunc(rows, func(r Row) bool { return r.Class == a.Query.Class }) {
			rows = append(rows, rowOf(a.Query.Class, answers))
		}
	}
	return append(rows, rowOf(All, answers))
}

func rowOf(class string, answers []*Answer) Row {
	r := Row{Class: class}
	for _, a := range answers {
		if class == All || class == a.Query.Class {
			r.Queries++
			r.add(a)
		}
	}
	for _, mean := range []*float64{&r.Success1, &r.Success10, &r.NDCG10, &r.Fallback} {
		*mean /= float64(r.Queries)
	}
	r.Recall /= float64(max(1, r.Complete))
	return r
}

func (r *Row) add(a *Answer) {
	one := map[bool]float64{true: 1}
	r.Success1 += one[a.Success1]
	r.Success10 += one[a.Success10]
	r.Fallback += one[a.Fallback]
	r.NDCG10 += a.NDCG10
	if a.Query.Complete {
		r.Complete++
		r.Recall += 1 - float64(len(a.Missing))/float64(max(1, len(a.Query.Grades)))
	}
	if len(a.Wrong) > 0 {
		r.Wrong++
	}
}
