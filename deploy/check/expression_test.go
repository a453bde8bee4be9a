package check

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
)

// contexts are what the expressions of a workflow may name, by their names: github, env, vars, secrets, inputs, steps, needs.
type contexts map[string]any

// A status is how a job or its steps went until now, which success() and its kin ask.
type status string

const (
	success   status = "success"
	failure   status = "failure"
	cancelled status = "cancelled"
	skipped   status = "skipped"
)

var interpolated = regexp.MustCompile(`\$\{\{(.*?)\}\}`)

// expand replaces each ${{ }} in a text.
func (c contexts) expand(t *testing.T, text *actionlint.String) string {
	if text == nil {
		return ""
	}
	return interpolated.ReplaceAllStringFunc(text.Value, func(part string) string {
		return printed(c.evaluate(t, interpolated.FindStringSubmatch(part)[1], success))
	})
}

// holds evaluates the condition of a step or a job: without a function of the status in it, it is one of success too.
func (c contexts) holds(t *testing.T, condition *actionlint.String, now status) bool {
	if condition == nil {
		return now == success
	}
	text := condition.Value
	if match := interpolated.FindStringSubmatch(text); match != nil {
		text = match[1]
	}
	if !regexp.MustCompile(`\b(success|failure|cancelled|always)\(`).MatchString(text) && now != success {
		return false
	}
	return truthy(c.evaluate(t, text, now))
}

func (c contexts) evaluate(t *testing.T, text string, now status) any {
	t.Helper()
	node, err := actionlint.NewExprParser().Parse(actionlint.NewExprLexer(text + "}}"))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	value, failure := c.value(node, now)
	if failure != nil {
		t.Fatalf("%q: %v", text, failure)
	}
	return value
}

// value evaluates what the workflows here use: the rest is an error.
func (c contexts) value(node actionlint.ExprNode, now status) (any, error) {
	switch n := node.(type) {
	case *actionlint.StringNode:
		return n.Value, nil
	case *actionlint.IntNode:
		return n.Value, nil
	case *actionlint.VariableNode:
		value, ok := c[n.Name]
		if !ok {
			return nil, fmt.Errorf("there is no context %s", n.Name)
		}
		return value, nil
	case *actionlint.ObjectDerefNode:
		object, err := c.value(n.Receiver, now)
		members, _ := object.(map[string]any)
		for name, member := range members {
			if strings.EqualFold(name, n.Property) {
				return member, err
			}
		}
		return nil, err // as at GitHub, where there is no such member
	case *actionlint.NotOpNode:
		value, err := c.value(n.Operand, now)
		return !truthy(value), err
	case *actionlint.CompareOpNode:
		return c.compare(n, now)
	case *actionlint.LogicalOpNode:
		left, err := c.value(n.Left, now)
		if err != nil || truthy(left) == (n.Kind == actionlint.LogicalOpNodeKindOr) {
			return left, err
		}
		return c.value(n.Right, now)
	case *actionlint.FuncCallNode:
		switch n.Callee {
		case "always":
			return true, nil
		case string(success), string(failure), string(cancelled):
			return now == status(n.Callee), nil
		}
	}
	return nil, fmt.Errorf("%T is not known here", node)
}

func (c contexts) compare(n *actionlint.CompareOpNode, now status) (any, error) {
	left, err := c.value(n.Left, now)
	if err != nil {
		return nil, err
	}
	right, err := c.value(n.Right, now)
	equal := strings.EqualFold(printed(left), printed(right))
	switch n.Kind {
	case actionlint.CompareOpNodeKindEq:
		return equal, err
	case actionlint.CompareOpNodeKindNotEq:
		return !equal, err
	}
	return nil, fmt.Errorf("%v is not known here", n.Kind)
}

func truthy(value any) bool {
	return value != nil && value != false && value != "" && value != 0
}

func printed(value any) string {
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}
