package trial

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Load calls do so many times a second, with numbers from 0 on, whatever each call takes, until the context
// ends and the last one has returned. It returns how many were left out, since inFlight were on their way,
// and the longest time in which none could be made: what the machine does to all.
func Load(ctx context.Context, perSecond int, do func(n int)) (skipped int, stall time.Duration) {
	const beat = 10 * time.Millisecond
	var asking sync.WaitGroup
	defer asking.Wait()
	room := make(chan struct{}, inFlight)
	began := time.Now()
	last := began
	beats := time.NewTicker(beat)
	defer beats.Stop()
	for sent := 0; ; {
		select {
		case <-ctx.Done():
			return skipped, stall
		case <-beats.C:
			now := time.Now()
			stall = max(stall, now.Sub(last))
			last = now
			for ; sent < int(now.Sub(began).Seconds()*float64(perSecond)); sent++ {
				select {
				case room <- struct{}{}:
				default:
					skipped++
					continue
				}
				n := sent
				asking.Go(func() {
					defer func() { <-room }()
					do(n)
				})
			}
		}
	}
}

// Quantile returns the value that a share of a list does not exceed, 0 of an empty list. It sorts the list.
func Quantile(list []time.Duration, share float64) time.Duration {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[int(share*float64(len(list)-1))]
}
