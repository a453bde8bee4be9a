package explorer_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"sabine/dataset/acoustics"
)

var update = flag.Bool("update", false, "write the files that are made of what Go knows")

// The page draws the tolerance of DIN 18041 and says which volumes a use is for: both are what the server
// computes with.
func TestRoomOfThePageKnowsDIN18041(t *testing.T) {
	const path = "web/src/room/din18041.ts"
	var b strings.Builder
	b.WriteString(
		"// Written by serve/explorer/room_test.go, of what dataset/acoustics knows: go test ./serve/explorer -run " +
			"DIN18041 -update\n\n")
	b.WriteString(
		"/** Uses of rooms, and the volumes in m³ that they have a target for: `from` and more, less than `below`. " +
			"*/\nexport const uses = [\n")
	for _, u := range acoustics.DIN18041Uses {
		below := "Infinity"
		if !math.IsInf(u.Below, 1) {
			below = number(u.Below)
		}
		fmt.Fprintf(&b, "  { name: %q, from: %s, below: %s },\n", u.Name, number(u.From), below)
	}
	b.WriteString("] as const;\n\nexport type Use = (typeof uses)[number];\n\n")
	b.WriteString(
		"/** Octaves in Hz, and how far a reverberation time may lie from the target there, as ratios to it. */\nexport " +
			"const tolerance = [\n")
	for _, hz := range acoustics.RoomBands {
		low, high := acoustics.DIN18041Tolerance(hz)
		fmt.Fprintf(&b, "  { hz: %d, low: %s, high: %s },\n", hz, number(low), number(high))
	}
	b.WriteString("] as const;\n\n")
	b.WriteString("/** Uses of rooms in group B, which have a requirement for the absorption of each m³. */\nexport const usesB = [")
	for i, u := range acoustics.DIN18041Ratios {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", u.Name)
	}
	b.WriteString("] as const;\n")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != b.String() {
		t.Errorf("%s is not what acoustics says (%v): run this test with -update", path, err)
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
