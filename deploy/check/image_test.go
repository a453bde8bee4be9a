package check

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// TestImage checks that BuildKit can read the Containerfile. The image must contain only the program, and its
// user must be a number, because Kubernetes' runAsNonRoot does not accept names.
func TestImage(t *testing.T) {
	text, err := os.ReadFile("../Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.Parse(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	stages, _, err := instructions.Parse(file.AST, nil)
	if err != nil || len(file.Warnings) > 0 || len(stages) != 2 || stages[1].BaseName != "scratch" {
		t.Fatalf("expected two stages, the second one from scratch, got %v, %v, %v", stages, file.Warnings, err)
	}
	for _, command := range stages[1].Commands {
		args := []string{"version"}
		switch c := command.(type) {
		case *instructions.RunCommand:
			t.Errorf("nothing can run on scratch: %s", c)
		case *instructions.HealthCheckCommand:
			args = c.Health.Test[2:]
		case *instructions.CmdCommand:
			args = c.CmdLine
		}
		if out, err := exec.Command("../../bin/sabine", append(args, "--help")...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", command, err, out)
		}
	}
	for _, want := range []string{"\nUSER 65532:65532\n", "--chown=65532:65532 /data /var/lib/sabine\n",
		"\nENTRYPOINT [\"/usr/bin/sabine\"]\n", "\nHEALTHCHECK ", "\nCMD "} {
		if !strings.Contains(string(text), want) {
			t.Errorf("expected %q", want)
		}
	}
}
