package product

import (
	"math"
	"strconv"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"sabine/dataset/acoustics"
)

// A kind is a type of value. It writes and reads the JSON, fills the table cell, and defines the schema of
// the values that source records may contain.
type kind[V any] struct {
	write func(w *writer, v *V)
	read  func(r *reader, to *V)
	// reports whether the value is null, or empty where the record format has a default; nil in a kind that is
	// only used through nullable
	absent func(v V) bool
	cell   func(v V) Cell // makes the table cell; nil for the JSON of the value
	schema *jsonschema.Schema

	bandsHz []int // the bands of a frequency map
}

// withSchema returns the kind with another schema.
func (k kind[V]) withSchema(schema *jsonschema.Schema) kind[V] {
	k.schema = schema
	return k
}

// nullable returns the kind of a pointer to a value. A nil pointer is null in JSON.
func nullable[V any](k kind[V]) kind[*V] {
	n := kind[*V]{
		write: func(w *writer, v **V) {
			if *v == nil {
				w.Null()
			} else {
				k.write(w, *v)
			}
		},
		read: func(r *reader, to **V) {
			if r.at('n') {
				r.value()
			} else {
				*to = new(V)
				k.read(r, *to)
			}
		},
		absent: func(v *V) bool { return v == nil },
		schema: k.schema,
	}
	if k.cell != nil {
		n.cell = func(v *V) Cell {
			if v == nil {
				return Cell{}
			}
			return k.cell(*v)
		}
	}
	return n
}

// The kinds of single values.
var (
	text = kind[string]{
		write:  func(w *writer, v *string) { w.String(*v) },
		read:   func(r *reader, to *string) { *to = r.text() },
		absent: func(v string) bool { return v == "" },
		cell:   textCell,
		schema: textSchema("", MaxNameBytes),
	}
	number = kind[float64]{
		write:  func(w *writer, v *float64) { w.Number(*v) },
		read:   func(r *reader, to *float64) { *to = r.number() },
		absent: func(float64) bool { return false },
		cell:   numberCell,
		schema: &jsonschema.Schema{Type: "number"},
	}
	integer = kind[int64]{
		write: func(w *writer, v *int64) { w.Int(*v) },
		// A number out of range becomes the nearest int64, and other values become zero. A build writes
		// neither.
		read:   func(r *reader, to *int64) { *to, _ = strconv.ParseInt(r.value(), 10, 64) },
		schema: &jsonschema.Schema{Type: "integer"},
	}
	boolean = kind[bool]{
		write:  func(w *writer, v *bool) { w.Bool(*v) },
		read:   func(r *reader, to *bool) { *to = r.value() == "true" },
		absent: func(bool) bool { return false },
		cell:   func(v bool) Cell { return Cell{Kind: TextCell, Text: strconv.FormatBool(v)} },
		schema: &jsonschema.Schema{Type: "boolean"},
	}
	rating = kind[acoustics.Hundredths]{
		write: func(w *writer, v *acoustics.Hundredths) { w.Number(v.Float()) },
		read:  func(r *reader, to *acoustics.Hundredths) { *to = acoustics.Hundredths(math.Round(r.number() * 100)) },
		cell:  func(v acoustics.Hundredths) Cell { return numberCell(v.Float()) },
	}
	// dateTime is the kind of RFC 3339 times in UTC. A fraction of the second has no trailing zeros.
	dateTime = kind[time.Time]{
		write: func(w *writer, v *time.Time) { w.String(formatTime(*v)) },
		read: func(r *reader, to *time.Time) {
			*to, _ = time.Parse(time.RFC3339Nano, r.text()) // the zero time for a string that no build writes
		},
		cell:   func(v time.Time) Cell { return textCell(formatTime(v)) },
		schema: &jsonschema.Schema{Type: "string", Pattern: DateTimePattern},
	}
	identifier = kind[uuid.UUID]{
		write:  func(w *writer, v *uuid.UUID) { w.String(v.String()) },
		read:   func(r *reader, to *uuid.UUID) { *to, _ = uuid.Parse(r.text()) },
		absent: func(uuid.UUID) bool { return false },
		cell:   func(v uuid.UUID) Cell { return textCell(v.String()) },
		schema: &jsonschema.Schema{Type: "string", Pattern: "^" + uuidPattern + "$"},
	}
	fireClass = kind[FireClass]{
		write:  func(w *writer, v *FireClass) { w.String(v.Text) },
		read:   func(r *reader, to *FireClass) { *to, _ = ParseFireClass(r.text()) },
		cell:   func(v FireClass) Cell { return textCell(v.Text) },
		schema: &jsonschema.Schema{Type: "string", Pattern: fireClassPattern},
	}
)

// The kinds of strings and numbers whose schema restricts source records.
var (
	filledText  = text.withSchema(textSchema(visiblePattern, MaxNameBytes))
	address     = text.withSchema(textSchema(addressPattern, MaxAddressBytes))
	slug        = text.withSchema(slugSchema(uuidPattern))
	productSlug = text.withSchema(slugSchema(uuidPattern + "|" + ReservedSlug))
	fraction    = number.withSchema(&jsonschema.Schema{Type: "number", Minimum: new(0.0), Maximum: new(1.0)})
	lengthMM    = number.withSchema(&jsonschema.Schema{Type: "number", ExclusiveMinimum: new(0.0), Maximum: new(MaxLengthMM)})
)

// oneOf returns the kind of a string that must be one of the given words.
func oneOf(words ...string) kind[string] { return text.withSchema(oneOfSchema(words)) }

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// list is the kind of an array of strings.
var list = kind[[]string]{
	write: func(w *writer, v *[]string) { w.Strings(*v) },
	read: func(r *reader, to *[]string) {
		*to = []string{}
		for range r.elements {
			*to = append(*to, r.text())
		}
	},
	absent: func(v []string) bool { return len(v) == 0 },
	cell:   func(v []string) Cell { return Cell{Kind: ListCell, List: v} },
	schema: &jsonschema.Schema{Type: "array", Items: filledText.schema, MaxItems: new(MaxElements)},
}

// The kinds of frequency maps. The kinds for scattering also apply to diffusion, which has the same limit.
var (
	absorptionOctaves = frequencyMap("absorption_octaves", acoustics.OctaveBands, AbsorptionLimit)
	absorptionThirds  = frequencyMap("absorption_third_octaves", acoustics.ThirdBands, AbsorptionLimit)
	scatteringOctaves = frequencyMap("scattering_octaves", acoustics.OctaveBands, ScatteringLimit)
	scatteringThirds  = frequencyMap("scattering_third_octaves", acoustics.ThirdBands, ScatteringLimit)
)

// frequencyMap returns the kind of a curve over the given bands, with values up to limit. name identifies its
// schema.
func frequencyMap(name string, bandsHz []int, limit float64) kind[acoustics.Curve] {
	return kind[acoustics.Curve]{
		bandsHz: bandsHz, schema: frequencyMapSchema(name, bandsHz, limit),
		write: func(w *writer, c *acoustics.Curve) {
			if *c == nil {
				w.Null()
				return
			}
			w.Object(func() {
				for _, p := range *c {
					w.KeyInt(p.BandHz).Number(p.Value)
				}
			})
		},
		read: func(r *reader, to *acoustics.Curve) {
			if r.at('{') {
				*to = make(acoustics.Curve, 0, len(bandsHz))
			}
			for band := range r.members {
				value := r.number()
				if hz, err := strconv.Atoi(band); err == nil {
					*to = append(*to, acoustics.Point{BandHz: hz, Value: value})
				}
			}
		},
		absent: func(c acoustics.Curve) bool { return c == nil },
	}
}

// objects returns the kind of an array of objects.
func objects[E any](of members[E]) kind[[]E] {
	return kind[[]E]{
		write: func(w *writer, list *[]E) {
			w.Array(func() {
				for i := range *list {
					w.Object(func() { of.write(w, &(*list)[i]) })
				}
			})
		},
		read: func(r *reader, to *[]E) {
			for range r.elements {
				if len(*to) == MaxElements { // no build writes more elements
					r.value()
					continue
				}
				*to = append(*to, *new(E))
				of.read(r, &(*to)[len(*to)-1])
			}
		},
		absent: func(list []E) bool { return len(list) == 0 },
		schema: &jsonschema.Schema{Type: "array", Items: of.schema(), MaxItems: new(MaxElements)},
	}
}

// orNull returns the kind that writes null for an absent value.
func orNull[V any](k kind[V]) kind[V] {
	write := k.write
	k.write = func(w *writer, v *V) {
		if k.absent(*v) {
			w.Null()
		} else {
			write(w, v)
		}
	}
	return k
}

// object returns the kind of an object.
func object[E any](of members[E]) kind[E] {
	return kind[E]{
		write:  func(w *writer, v *E) { w.Object(func() { of.write(w, v) }) },
		read:   func(r *reader, to *E) { of.read(r, to) },
		absent: func(E) bool { return false },
		schema: of.schema(),
	}
}

// pairs returns the kind of an object with arbitrary keys. Each pair of key and value is an E.
func pairs[E, V any](of kind[V], key func(*E) *string, value func(*E) *V) kind[[]E] {
	return kind[[]E]{
		write: func(w *writer, list *[]E) {
			if *list == nil {
				w.Null()
				return
			}
			w.Object(func() {
				for i := range *list {
					w.Key(*key(&(*list)[i]))
					of.write(w, value(&(*list)[i]))
				}
			})
		},
		read: func(r *reader, to *[]E) {
			if r.at('{') {
				*to = make([]E, 0, 8)
			}
			for name := range r.members {
				*to = append(*to, *new(E))
				e := &(*to)[len(*to)-1]
				*key(e) = name
				of.read(r, value(e))
			}
		},
		absent: func(list []E) bool { return list == nil },
	}
}
