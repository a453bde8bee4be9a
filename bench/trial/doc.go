// Package trial is what trials of real servers share (bench/fleet, bench/soak): processes that start, pause
// and end; catalogues of which each generation tells its number in every product; questions whose right
// answer is known for each of them, learnt from a server that stands aside; and which generation a server may
// answer from.
//
// It neither loads nor judges a server. Read question.go first, then generation.go and history.go.
package trial
