package product_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"sabine/dataset/product"
)

// validator returns a function that reports an error for a record that the schema rejects.
func validator(t *testing.T) func(record []byte) {
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

// TestSchemaAcceptsRecords checks sample and generated records, source records written from their products,
// and API details.
func TestSchemaAcceptsRecords(t *testing.T) {
	valid := validator(t)
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
		t.Skipf("%s is missing: the schema was not tested with real records", path)
	}
	valid := validator(t)
	for line := range bytes.Lines(records) {
		valid(line)
	}
}
