package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/urfave/cli/v2"

	"sabine/compiler"
	"sabine/dataset/importers"
	"sabine/indexes"
	"sabine/indexes/snapshot"
)

// An inspection is the result of inspect. It is printed as text or JSON.
type inspection struct {
	Path       string              `json:"path"`
	Hash       string              `json:"hash"`
	Format     string              `json:"format"`
	Bytes      int64               `json:"bytes"`
	Products   int                 `json:"products"`
	Sections   []inspectedSection  `json:"sections"`
	Values     map[string]int      `json:"values"` // number of values by family
	Vocabulary map[string][]string `json:"vocabulary"`
	// Provenance is the build report, which is in a separate file, or null if there is none.
	Provenance json.RawMessage `json:"provenance"`
}

type inspectedSection struct {
	Name   string `json:"name"`
	Offset int64  `json:"offset"`
	Bytes  int64  `json:"bytes"`
}

func inspect(c *cli.Context, s streams, path string, file *snapshot.File) error {
	index, err := indexes.Open(file)
	if err != nil {
		return err
	}
	major, minor := file.Version()
	in := inspection{
		Path: path, Hash: file.Hash(), Format: fmt.Sprintf("%d.%d", major, minor),
		Bytes: file.Size(), Products: index.Meta.Products, Values: map[string]int{}, Vocabulary: map[string][]string{},
	}
	for _, section := range file.Sections() {
		in.Sections = append(in.Sections, inspectedSection{section.Kind.String(), section.Offset, section.Length})
	}
	for family, name := range indexes.FamilyNames {
		in.Values[name] = index.Facets[family].Len()
	}
	for _, v := range index.Meta.Vocabulary {
		for _, value := range v.Values {
			in.Vocabulary[indexes.FamilyNames[v.Family]] = append(in.Vocabulary[indexes.FamilyNames[v.Family]], value.Value)
		}
	}
	in.Provenance, err = snapshot.ReadReport(path)
	if errors.Is(err, fs.ErrNotExist) {
		in.Provenance = json.RawMessage("null")
	} else if err != nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(s.out, in)
	}
	s.printTable(func(t io.Writer) { printContents(t, &in) })
	if string(in.Provenance) == "null" {
		fmt.Fprintln(s.out, "\nThe snapshot has no build report.")
		return nil
	}
	return printOrigin(s, in.Provenance)
}

func printContents(t io.Writer, in *inspection) {
	fmt.Fprintf(t, "snapshot\t%s\nhash\t%s\nformat\t%s\nbytes\t%d\nproducts\t%d\n", in.Path, in.Hash, in.Format, in.Bytes,
		in.Products)
	fmt.Fprintln(t, "\nSECTION\tOFFSET\tBYTES")
	for _, section := range in.Sections {
		fmt.Fprintf(t, "%s\t%d\t%d\n", section.Name, section.Offset, section.Bytes)
	}
	fmt.Fprintln(t, "\nFAMILY\tVALUES\tVOCABULARY")
	for _, name := range indexes.FamilyNames {
		fmt.Fprintf(t, "%s\t%d\t%s\n", name, in.Values[name], plain(strings.Join(in.Vocabulary[name], ", ")))
	}
}

// printOrigin prints who built a snapshot, when and from what. It decodes only these members of the report,
// because another version of the program may have written the others.
func printOrigin(s streams, provenance json.RawMessage) error {
	var report struct {
		Tool, Started string
		Inputs        []string
		Dictionary    *compiler.DictionaryReport
		Synonyms      *compiler.SynonymsReport
	}
	if err := json.Unmarshal(provenance, &report); err != nil {
		return fmt.Errorf("read the build report of the snapshot: %w", err)
	}
	fmt.Fprintf(s.out, "\nbuilt by %s on %s from %s\n", plain(report.Tool), plain(report.Started),
		plain(strings.Join(report.Inputs, ", ")))
	if d := report.Dictionary; d != nil {
		fmt.Fprintf(s.out, "with %d of the %d pairs in the dictionary %s\n", d.Used, d.Pairs, plain(d.Name))
	}
	if d := report.Synonyms; d != nil {
		fmt.Fprintf(s.out, "with %s of synonyms from %s\n", importers.Counted(d.Groups, "group"),
			plain(strings.Join(d.Inputs, ", ")))
	}
	return nil
}
