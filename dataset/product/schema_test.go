package product_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"sabine/dataset/product"
)

// needsSchema returns a function that reports a record that the schema refuses.
func needsSchema(t *testing.T) func(record []byte) {
	t.Helper()
	read := func(text []byte) any {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("record.schema.json", read(product.Schema())); err != nil {
		t.Fatal(err)
	}
	schema := compiler.MustCompile("record.schema.json")
	return func(record []byte) {
		if err := schema.Validate(read(record)); err != nil {
			t.Errorf("%.200s: %v", record, err)
		}
	}
}

// The schema accepts the sample, invented records, what is written of their products, and what the API
// answers about them.
func TestSchemaAcceptsRecords(t *testing.T) {
	valid := needsSchema(t)
	for line := range bytes.Lines(catalogues(t)) {
		valid(line)
	}
	r := product.NewRenderer()
	eachProduct(t, func(p *product.Product) {
		valid(product.AppendSource(nil, p))
		record := r.Render(p)
		detail := record.Text[: record.DetailEnd-1 : record.DetailEnd-1]
		valid(append(append(detail, record.Text[record.DetailEnd:record.GeometryEnd]...), '}'))
	})
}

func TestSchemaAcceptsRealRecords(t *testing.T) {
	const path = "../../../shared/data/real-materials.ndjson"
	records, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("%s is not here: the schema was not tested on it", path)
	}
	valid := needsSchema(t)
	for line := range bytes.Lines(records) {
		valid(line)
	}
}
