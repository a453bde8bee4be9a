package main_test

import "testing"

func TestSchema(t *testing.T) {
	t.Parallel()
	if got := must(t, "", "schema"); got != readFile(t, "../../docs/record.schema.json") {
		t.Errorf("sabine schema prints something else than docs/record.schema.json: %.200s", got)
	}
}
