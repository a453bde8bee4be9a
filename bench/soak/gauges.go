package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"sabine/bench/results"
)

// A sample is what the process of a server has at a moment. Bytes, where it is no number.
type sample struct{ anonymous, file, heap, goroutines, files, mappings int64 }

// gauge measures the process of a site.
func (t *site) gauge() (s sample, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.ID()))
	if err != nil {
		return s, err
	}
	for name, to := range map[string]*int64{"RssAnon:": &s.anonymous, "RssFile:": &s.file} {
		kilobytes, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(after(string(status), name)), " kB"), 10, 64)
		if err != nil {
			return s, fmt.Errorf("/proc/%d/status: %s %w", t.ID(), name, err)
		}
		*to = kilobytes << 10
	}
	metrics, err := t.told("/metrics")
	if err != nil {
		return s, err
	}
	for name, to := range map[string]*int64{"\ngo_goroutines ": &s.goroutines,
		"\ngo_memstats_heap_inuse_bytes ": &s.heap} {
		number, err := strconv.ParseFloat(after(metrics, name), 64)
		if err != nil {
			return s, fmt.Errorf("/metrics: %s%w", name[1:], err)
		}
		*to = int64(number)
	}
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", t.ID()))
	if err != nil {
		return s, err
	}
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", t.ID()))
	s.files, s.mappings = int64(len(files)), int64(strings.Count(string(maps), ".snapshot"))
	return s, err
}

// after returns what follows a word on its line.
func after(text, word string) string {
	_, rest, _ := strings.Cut(text, word)
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// watch measures a site once a second, into the window of the moment, until the context ends.
func (s *soak) watch(ctx context.Context, t *site) error {
	for tick := time.NewTicker(time.Second); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return nil
		case <-tick.C:
		}
		now, err := t.gauge()
		if err != nil {
			return err
		}
		s.tally.mu.Lock()
		s.tally.now.samples = append(s.tally.now.samples, now)
		s.tally.mu.Unlock()
	}
}

// held returns the medians of what was measured, and the most mappings.
func held(samples []sample) results.Held {
	median := func(of func(*sample) int64) int64 {
		all := make([]int64, len(samples))
		for i := range samples {
			all[i] = of(&samples[i])
		}
		slices.Sort(all)
		return append(all, 0)[len(all)/2]
	}
	h := results.Held{
		Anonymous: median(func(s *sample) int64 {
			return s.anonymous
		}), File: median(func(s *sample) int64 { return s.file }),
		Heap: median(func(s *sample) int64 {
			return s.heap
		}), Goroutines: int(median(func(s *sample) int64 { return s.goroutines })),
		Files: int(median(func(s *sample) int64 {
			return s.files
		})), Mappings: int(median(func(s *sample) int64 { return s.mappings })),
	}
	for _, s := range samples {
		h.MostMappings = max(h.MostMappings, int(s.mappings))
		h.MostAnonymous = max(h.MostAnonymous, s.anonymous)
	}
	return h
}

// complaints returns the lines of a server's log that no server may write.
func (t *site) complaints() (lines []string, err error) {
	f, err := os.Open(t.Log)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		if line := scanner.Text(); strings.Contains(line, "panic") || strings.Contains(line, "goroutine ") ||
			strings.Contains(line, "DATA RACE") {
			lines = append(lines, line)
		}
	}
	return lines, scanner.Err()
}
