package quality

import (
	"fmt"
	"io"
)

// A Row is the means of the measures over the answers to the queries of one class.
type Row struct {
	Class     string
	Queries   int
	Success1  float64
	Success10 float64
	NDCG10    float64
	Fallback  float64 // the share of answers that only a fallback found
	Complete  int     // queries that have to be complete
	Recall    float64 // of these
	Wrong     int     // answers that have a hit which only a mistake explains
}

// All is the class of the row over all classes.
const All = "all"

// TableOf returns a row for every class, in the order of the answers, and one over all of them.
func TableOf(answers []*Answer) []Row {
	var classes []string
	byClass := map[string][]*Answer{}
	for _, a := range answers {
		class := a.Query.Class
		if byClass[class] == nil {
			classes = append(classes, class)
		}
		byClass[class] = append(byClass[class], a)
	}
	var rows []Row
	for _, class := range classes {
		rows = append(rows, mean(class, byClass[class]))
	}
	return append(rows, mean(All, answers))
}

func mean(class string, answers []*Answer) Row {
	r := Row{Class: class, Queries: len(answers)}
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
		if a.Query.Complete {
			r.Complete++
			r.Recall += a.recall()
		}
		if len(a.Wrong) > 0 {
			r.Wrong++
		}
	}
	r.Recall /= float64(max(1, r.Complete))
	return r
}

// writeTable writes rows as a Markdown table whose columns are aligned.
func writeTable(w io.Writer, rows []Row) {
	fmt.Fprintf(w, "| %-37s | %7s | %9s | %10s | %7s | %6s | %8s | %5s |\n", "Class", "queries", "success@1",
		"success@10", "nDCG@10", "recall", "fallback", "wrong")
	fmt.Fprintln(w,
		"|---------------------------------------|--------:|----------:|-----------:|--------:|-------:|---------:|------:|")
	for _, r := range rows {
		recall := ""
		if r.Complete > 0 {
			recall = fmt.Sprintf("%.3f", r.Recall)
		}
		fmt.Fprintf(w, "| %-37s | %7d | %9.2f | %10.2f | %7.2f | %6s | %8.2f | %5d |\n",
			r.Class, r.Queries, r.Success1, r.Success10, r.NDCG10, recall, r.Fallback, r.Wrong)
	}
}
