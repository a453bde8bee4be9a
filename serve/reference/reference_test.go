package reference

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// plain returns the content of a file in dist.
func plain(t *testing.T, name string) string {
	t.Helper()
	b, err := load()
	if err != nil {
		t.Fatal(err)
	}
	file := b.files[b.addresses[name]]
	if file == nil {
		t.Fatalf("%s is not in dist", name)
	}
	return string(file.Plain())
}

func TestAddressesContainAHash(t *testing.T) {
	files, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^assets/[a-z]+-[0-9a-f]{16}\.(js|css|txt)$`)
	for address := range files {
		if !form.MatchString(address) {
			t.Errorf("%s", address)
		}
	}
	if len(files) != 4 {
		t.Errorf("%d files, want 4", len(files))
	}
}

func TestThePageLinksToTheExplorerIfThereIsOne(t *testing.T) {
	for _, explorer := range []bool{false, true} {
		text, err := Page("../../", explorer)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(text), `<a href="../../">Explorer</a>`); got != explorer {
			t.Errorf("with an explorer: %t\n%s", explorer, text)
		}
	}
}

func TestThePageHasNoInlineScripts(t *testing.T) {
	text, err := Page("./", true)
	if err != nil {
		t.Fatal(err)
	}
	for _, inline := range []string{"<style", " style=", " onload=", " onclick=", "<script>", "://"} {
		if strings.Contains(string(text), inline) {
			t.Errorf("the page has %s, which its policy forbids", inline)
		}
	}
	for directive := range strings.SplitSeq(Policy, "; ") {
		if name, _, _ := strings.Cut(directive, " "); strings.Contains(directive, "unsafe") && name != "style-src" {
			t.Errorf("%s", directive)
		}
	}
}

// TestScalarIsThePinnedVersion fails if the pinned version was changed and dist was not built again.
func TestScalarIsThePinnedVersion(t *testing.T) {
	text, err := os.ReadFile("web/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var pins struct{ Dependencies map[string]string }
	if err := json.Unmarshal(text, &pins); err != nil {
		t.Fatal(err)
	}
	version := pins.Dependencies["@scalar/api-reference"]
	if version == "" || !strings.Contains(plain(t, "scalar.js"), "`"+version+"`") {
		t.Errorf("scalar.js is not of version %q", version)
	}
}

// TestDistIsBuiltFromTheSources compares only the files of this package. make web compares Scalar's files.
func TestDistIsBuiltFromTheSources(t *testing.T) {
	for name, source := range map[string]string{"reference.js": "web/reference.js", "reference.css": "web/reference.css"} {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		if plain(t, name) != string(text) {
			t.Errorf("%s in dist differs from %s: run make web", name, source)
		}
	}
	if licences := plain(t, "licences.txt"); !strings.Contains(licences, "@scalar/api-reference") ||
		!strings.Contains(licences, "2023-present Scalar") {
		t.Error("Scalar's licence is not in licences.txt")
	}
}
