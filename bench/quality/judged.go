package quality

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/klauspost/compress/zstd"

	"sabine/bench/queries"
	"sabine/dataset"
	"sabine/dataset/product"
)

// A Query is a query text as typed, with judgements of products.
type Query struct {
	Line     int // line number in the file
	Class    string
	Text     string
	Meant    string             // the text without typing errors; "" if it has none
	Grades   map[uuid.UUID]int  // grades of good products, 1 to bestGrade; empty if nothing must be found
	Never    map[uuid.UUID]bool // products that a correct search never returns
	Complete bool               // whether the hits on all pages must include every graded product
}

const bestGrade = 3

// best returns the highest grade in the query's judgements.
func (q *Query) best() int { return slices.Max(append(slices.Collect(maps.Values(q.Grades)), 0)) }

// readQueries reads the judged queries, in file order. It reports every invalid line.
func readQueries(name, text string, products []*product.Product) ([]*Query, error) {
	var queries []*Query
	var faults []error
	class, n := "", 0
	for line := range strings.SplitSeq(text, "\n") {
		n++
		judgement, indented := strings.CutPrefix(line, "\t")
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "== "):
			class = line[len("== "):]
		case !indented:
			queries = append(queries, &Query{n, class, line, "", map[uuid.UUID]int{}, map[uuid.UUID]bool{}, false})
		case len(queries) == 0:
			faults = append(faults, fmt.Errorf("%s:%d: expected a query before its judgements", name, n))
		default:
			if err := queries[len(queries)-1].judge(judgement, products); err != nil {
				faults = append(faults, fmt.Errorf("%s:%d: %w", name, n, err))
			}
		}
	}
	return queries, errors.Join(faults...)
}

// judge parses a judgement line, without its comment. A product in several lines gets its highest grade.
func (q *Query) judge(line string, products []*product.Product) error {
	line, _, _ = strings.Cut(line, " #")
	word, rest, _ := strings.Cut(line, " ")
	grade := 0
	switch word {
	case "all":
		q.Complete = true
		return nil
	case "meant":
		q.Meant = rest
		return nil
	case "never":
	case "1", "2", "3":
		grade = int(word[0] - '0')
	default:
		return fmt.Errorf("expected a grade from 1 to %d, all, never or meant, got %q", bestGrade, word)
	}
	for _, text := range strings.Fields(rest) {
		selects, err := selector(text)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(products, selects) {
			return fmt.Errorf("%q: no such product", text)
		}
		for _, p := range products {
			if selects(p) && grade == 0 {
				q.Never[p.ID] = true
			} else if selects(p) {
				q.Grades[p.ID] = max(q.Grades[p.ID], grade)
			}
		}
	}
	return nil
}

// A Collection is a catalogue with judged queries.
type Collection struct {
	Name     string
	Inputs   []dataset.Input // files from which the catalogue is built
	Products []*product.Product
	Queries  []*Query
}

// The files contain the queries for the sample catalogue, and three blind collections, each with its own
// catalogue of invented manufacturers. The writers of the blind queries did not know rules, lists or answers.
// No rule may be based on the collections locked and third, which are only scored. They are compressed to
// prevent accidental reading.
//
//go:embed judged.txt open locked third
var files embed.FS

// Sample returns the sample catalogue with its queries.
func Sample() (*Collection, error) { return read("sample", dataset.Sample(), "judged.txt") }

// Open returns the blind collection on which rules can be based.
func Open() (*Collection, error) { return blind("open", "") }

// Locked returns the blind collection that is only scored.
func Locked() (*Collection, error) { return blind("locked", ".zst") }

// Third returns the last blind collection, which was written after the rules based on the collection open. It
// is only scored.
func Third() (*Collection, error) { return blind("third", ".zst") }

// Collections lists the functions that read the collections, beginning with the sample.
var Collections = []func() (*Collection, error){Sample, Open, Locked, Third}

func blind(name, extension string) (*Collection, error) {
	var inputs []dataset.Input
	for _, file := range []string{"products.ndjson" + extension, "vocabulary.json" + extension} {
		inputs = append(inputs, dataset.Input{Name: file, Open: func() (io.ReadCloser, error) {
			return files.Open(path.Join(name, file))
		}})
	}
	return read(name, inputs, name+"/judged.txt"+extension)
}

func read(name string, inputs []dataset.Input, judged string) (*Collection, error) {
	c := &Collection{Name: name, Inputs: inputs}
	err := queries.Published(inputs, func(p *product.Product, _ *dataset.Vocabulary) {
		c.Products = append(c.Products, p)
	})
	text, readErr := files.ReadFile(judged)
	if path.Ext(judged) == ".zst" {
		decoder, _ := zstd.NewReader(nil) // NewReader returns no error without options
		defer decoder.Close()
		text, readErr = decoder.DecodeAll(text, nil)
	}
	if err := errors.Join(err, readErr); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c.Queries, err = readQueries(judged, string(text), c.Products)
	return c, err
}

// nameOf returns a product's name for use in judgements: its slug, or its id if it has no slug.
func nameOf(p *product.Product) string {
	if p.Slug != nil {
		return *p.Slug
	}
	return p.ID.String()
}

// selector returns a function that selects products for a judgement. The text is a name, or conditions joined
// by &. A condition is field=value or field~regexp; a regexp matches anywhere and ignores case.
func selector(text string) (func(*product.Product) bool, error) {
	if !strings.ContainsAny(text, "=~") {
		return func(p *product.Product) bool { return nameOf(p) == text }, nil
	}
	meets := func(*product.Product) bool { return true }
	for part := range strings.SplitSeq(text, "&") {
		end := max(0, strings.IndexAny(part, "=~"))
		values, ok := fields[part[:end]]
		if !ok {
			return nil, fmt.Errorf("%q: expected field=value or field~regexp, field being one of label, manufacturer, text, "+
				"category, character, installation", part)
		}
		pattern := part[end+1:]
		if part[end] == '=' {
			pattern = "^" + regexp.QuoteMeta(pattern) + "$"
		}
		re, err := regexp.Compile("(?i)" + pattern)
		if err != nil {
			return nil, err
		}
		others := meets
		meets = func(p *product.Product) bool { return others(p) && slices.ContainsFunc(values(p), re.MatchString) }
	}
	return meets, nil
}

var fields = map[string]func(*product.Product) []string{
	"label":        labels,
	"manufacturer": func(p *product.Product) []string { return []string{p.Manufacturer.Name} },
	"text":         texts,
	"category":     func(p *product.Product) []string { return queries.NonEmpty(queries.TextOf(p.MaterialCategory)) },
	"character":    func(p *product.Product) []string { return queries.NonEmpty(queries.TextOf(p.AbsorptionCharacter)) },
	"installation": func(p *product.Product) []string { return p.InstallationTypes },
}

// labels returns the product's labels in every language and its commercial name.
func labels(p *product.Product) []string {
	return append(queries.TextsOf(p.Label), queries.NonEmpty(queries.TextOf(p.CommercialName))...)
}

// texts returns the product's searched strings.
func texts(p *product.Product) []string {
	return slices.Concat(labels(p), []string{p.Manufacturer.Name}, queries.TextsOf(p.Description))
}
