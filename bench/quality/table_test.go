package quality

import (
	"fmt"
	"io"
)

// A row is the means of the measures over the answers to the queries of one class.
type row struct {
	Class     string
	Queries   int
	Success1  float64
	Success10 float64
	NDCG10    float64
	Fallback  float64 // the share of answers that only a fallback found
}

// tableOf returns a row for every class, in the order of the answers, and one over all of them.
func tableOf(answers []*answer) []row {
	var classes []string
	byClass := map[string][]*answer{}
	for _, a := range answers {
		class := a.Query.Class
		if byClass[class] == nil {
			classes = append(classes, class)
		}
		byClass[class] = append(byClass[class], a)
	}
	var rows []row
	for _, class := range classes {
		rows = append(rows, mean(class, byClass[class]))
	}
	return append(rows, mean("all", answers))
}

func mean(class string, answers []*answer) row {
	r := row{Class: class, Queries: len(answers)}
	share := 1 / float64(len(answers))
	for _, a := range answers {
		if a.Success1 {
			r.Success1 += share
		}
		if a.Success10 {
			r.Success10 += share
		}
		r.NDCG10 += a.NDCG10 * share
		if a.Fallback {
			r.Fallback += share
		}
	}
	return r
}

// writeTable writes rows as a Markdown table whose columns are aligned.
func writeTable(w io.Writer, rows []row) {
	fmt.Fprintf(w, "| %-25s | %7s | %9s | %10s | %7s | %8s |\n", "Class", "queries", "success@1", "success@10", "nDCG@10", "fallback")
	fmt.Fprintln(w, "|---------------------------|--------:|----------:|-----------:|--------:|---------:|")
	for _, r := range rows {
		fmt.Fprintf(w, "| %-25s | %7d | %9.2f | %10.2f | %7.2f | %8.2f |\n",
			r.Class, r.Queries, r.Success1, r.Success10, r.NDCG10, r.Fallback)
	}
}
