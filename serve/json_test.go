package serve

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzStrings holds our JSON strings against encoding/json.
func FuzzStrings(f *testing.F) {
	for _, seed := range []string{"", "Säule", "\"\\/\b\n\x00\x7f", "<&>\u2028", "\xff\xc3", "😀"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var back string
		coded := appendString(nil, text)
		if err := json.Unmarshal(coded, &back); err != nil {
			t.Fatalf("%q: %s: %v", text, coded, err)
		}
		if want := strings.ToValidUTF8(strings.Map(func(r rune) rune { return r }, text), "\uFFFD"); back != want {
			t.Errorf("%q: %s reads back as %q, want %q", text, coded, back, want)
		}
	})
}

func TestStringsAreEscapedWhereTheyMustBe(t *testing.T) {
	if got := string(appendString(nil, "a\"b\\c\n<&>/ü\u2028")); got != `"a\"b\\c\u000a<&>/ü`+"\u2028"+`"` {
		t.Errorf("got %s", got)
	}
}
