package analysis

import (
	"strings"
	"testing"
)

func TestJoined(t *testing.T) {
	tests := []struct{ rule, key, want string }{
		{"words are written as one", "dk 4711 b", "dk4711b"},
		{"an e after an o is part of an umlaut", "dko e4711", "dko4711"},
		{"also after two letters of several bytes", "ßßßß 𝔞𝔞𝔞qu e1", "ßßßß𝔞𝔞𝔞que1"},
		{"40 letters are the most", strings.Repeat("1 ", 39) + "ß", strings.Repeat("1", 39) + "ß"},
		{"but not 41", strings.Repeat("1 ", 40) + "1", ""},
		{"also for a word of that length", strings.Repeat("1", 41), ""},
	}
	for _, test := range tests {
		if got, ok := Joined(test.key); got != test.want || ok != (test.want != "") {
			t.Errorf("%s: %q: got %q, %v, want %q", test.rule, test.key, got, ok, test.want)
		}
	}
}

func TestJoinedStopsAtTheLimit(t *testing.T) {
	short, long := strings.Repeat("1 ", 100)+"1", strings.Repeat("1 ", 100_000)+"1"
	inShort := testing.AllocsPerRun(5, func() { Joined(short) })
	if inLong := testing.AllocsPerRun(5, func() { Joined(long) }); inLong != inShort {
		t.Errorf("%v allocations for 100,000 words, %v for 100", inLong, inShort)
	}
}
