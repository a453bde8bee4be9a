package indexes_test

import (
	"fmt"
	"log"
	"math"
	"os"

	"sabine/indexes"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// A build adds bodies and documents in the order of their numbers. A reader opens the file and queries it.
func Example() {
	dir, err := os.MkdirTemp("", "sabine")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	w, err := snapshot.Create(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort()
	bodies, err := indexes.NewBodyWriter(w)
	if err != nil {
		log.Fatal(err)
	}
	builder := indexes.NewBuilder(indexes.Meta{}, []string{"B", "C", "D"})
	for i, d := range []indexes.Document{
		{Slug: "wool-felt", Names: []string{"wool felt"}, Category: "textil", FireClass: "B", AlphaW: 0.85},
		{Slug: "oak-panel", Names: []string{"oak panel"}, Category: "holz", FireClass: "D", AlphaW: 0.6},
		{Slug: "mirror", Names: []string{"mirror"}, AlphaW: math.NaN()},
	} {
		d.ID[15] = byte(i)
		detail := []byte(`{"slug":"` + d.Slug + `"}`)
		body := indexes.Body{
			Text: detail, Marks: indexes.Marks{DetailEnd: len(detail), GeometryEnd: len(detail), RestEnd: len(detail)},
			ETag: indexes.ETag(detail), GeometryETag: indexes.ETag(detail),
		}
		if err := bodies.Add(indexes.AppendBody(nil, &body, [3]indexes.View{})); err != nil {
			log.Fatal(err)
		}
		builder.Add(&d)
	}
	if err := bodies.Close(); err != nil {
		log.Fatal(err)
	}
	if err := builder.Write(w); err != nil {
		log.Fatal(err)
	}
	info, err := w.Commit()
	if err != nil {
		log.Fatal(err)
	}

	f, err := snapshot.Open(info.Path)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	index, err := indexes.Open(f)
	if err != nil {
		log.Fatal(err)
	}
	found := make(docset.Dense, docset.Words(index.Docs))
	index.Alpha.Range(found, 0.5, 1)
	fire := &index.Facets[indexes.FamilyFireClass]
	c, _ := fire.Find("C")
	fmt.Println(found.Len(), "absorb half or more,", fire.Set(c).AndLen(found), "of them with fire class C or safer:")
	d, _ := found.Next(0)
	body := index.Bodies.At(d)
	fmt.Printf("%s\n", body.Detail())
	// Output:
	// 2 absorb half or more, 1 of them with fire class C or safer:
	// {"slug":"wool-felt"}
}
