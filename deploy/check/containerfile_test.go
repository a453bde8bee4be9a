package check

import (
	"go/version"
	"regexp"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

func TestContainerfileIsOfTheProgramAlone(t *testing.T) {
	file, err := parser.Parse(strings.NewReader(read(t, deploy+"/Containerfile")))
	if err != nil {
		t.Fatal(err)
	}
	stages, _, err := instructions.Parse(file.AST, nil)
	if err != nil || len(stages) != 2 || len(file.Warnings) > 0 {
		t.Fatalf("%d stages, %v, %v", len(stages), file.Warnings, err)
	}
	golang, ok := strings.CutPrefix(stages[0].BaseName, "docker.io/library/golang:")
	if least := regexp.MustCompile(`(?m)^go (\S+)$`).FindStringSubmatch(read(t, "../../go.mod")); !ok || version.Compare("go"+golang, "go"+least[1]) < 0 {
		t.Errorf("it builds on %s: go.mod expects Go %s", stages[0].BaseName, least[1])
	}
	image := stages[1]
	if image.BaseName != "scratch" {
		t.Errorf("the image is built on %s", image.BaseName)
	}
	seen := map[string]bool{}
	for _, command := range image.Commands {
		seen[command.Name()] = true
		switch c := command.(type) {
		case *instructions.RunCommand:
			t.Errorf("nothing runs on scratch: %s", c)
		case *instructions.UserCommand:
			if !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(c.User) { // Kubernetes' runAsNonRoot believes no name
				t.Errorf("user %s: expected numbers, and not root's", c.User)
			}
		case *instructions.HealthCheckCommand:
			accepts(t, "health check", c.Health.Test[2:]...)
		case *instructions.CmdCommand:
			accepts(t, "command", c.CmdLine...)
		}
	}
	for _, name := range []string{"USER", "HEALTHCHECK", "CMD"} {
		if !seen[name] {
			t.Errorf("expected %s", name)
		}
	}
}
