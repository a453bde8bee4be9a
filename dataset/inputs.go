package dataset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An Input is a source of records or of a vocabulary.
type Input struct {
	Name string
	Open func() (io.ReadCloser, error)
	Size int64 // size in bytes before decompression, or 0 if unknown

	// Convert, if not nil, converts tables into the records of this input. An input with Tables contains no
	// text. Otherwise Convert reads the text of the input, unless it is JSON or empty.
	Convert func(*Conversion) error
	Tables  []Input
}

// A Conversion is a conversion of tables into records.
type Conversion struct {
	Context    context.Context // ends the conversion
	Tables     []Input
	Vocabulary *Vocabulary // vocabulary of the inputs before the tables, or nil
	Warn       func(Fault) // receives the warnings about the tables
	// Yield receives the records in order, or a fault instead of a record. It returns false to end the
	// conversion.
	Yield func(Raw, *Fault) bool
}

// IsTableName reports whether the file with the given name is a table.
func IsTableName(name string) bool {
	return slices.Contains(tableExtensions, filepath.Ext(plainName(name)))
}

const vocabularyFileName = "vocabulary.json"

// IsVocabularyName reports whether the file with the given name is a vocabulary.
func IsVocabularyName(name string) bool {
	return plainName(filepath.Base(name)) == vocabularyFileName
}

// Inputs finds the inputs for the given arguments: files, folders, and "-" for standard input. In a folder
// and its subfolders, an input is a file with the extension .json, .ndjson or .jsonl, optionally followed by
// .gz or .zst, or with .gz or .zst as its only extension. Inputs in a folder are in the order of their names.
// A vocabulary.json and a synonyms.txt in a folder, or next to a named file, are also inputs. Anything that
// is neither a file nor a folder, such as a named pipe, causes an error.
//
// skipped describes each skipped item in the folders: files and folders whose name begins with a dot, tables,
// and files with other extensions.
func Inputs(args []string, stdin io.Reader) (inputs []Input, skipped []string, err error) {
	return Selection{}.Inputs(args, stdin)
}

// A Selection changes which files in folders are inputs.
type Selection struct {
	Tables bool     // whether tables are inputs too
	Except []string // paths of files that are not inputs because the caller has another use for them
}

// Inputs finds inputs like the function Inputs. A file that is both an argument and in a folder is a single
// input.
func (s Selection) Inputs(args []string, stdin io.Reader) (inputs []Input, skipped []string, err error) {
	f := finder{stdin: stdin, tables: s.Tables, named: map[string]bool{}, added: map[string]bool{}}
	for i, path := range append(s.Except[:len(s.Except):len(s.Except)], args...) {
		full, err := filepath.Abs(path)
		if err != nil {
			return nil, nil, err
		}
		f.named[full] = true
		f.added[full] = f.added[full] || i < len(s.Except)
	}
	for _, arg := range args {
		if err := f.add(arg); err != nil {
			return nil, f.skipped, err
		}
	}
	return f.inputs, f.skipped, nil
}

// A finder collects inputs.
type finder struct {
	stdin   io.Reader // nil after standard input has become an input
	tables  bool      // whether tables in folders are inputs
	inputs  []Input
	skipped []string
	named   map[string]bool // absolute paths of arguments and in Except, which folders do not add
	added   map[string]bool // absolute paths of added vocabularies, synonyms and tables, and paths in Except
}

func (f *finder) add(arg string) error {
	if arg == "-" {
		return f.addStdin()
	}
	info, err := os.Stat(arg)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return f.addFolder(arg)
	}
	if err := regular(arg, info); err != nil {
		return err
	}
	if !isCompanionName(arg) {
		for _, name := range []string{vocabularyFileName, synonymsFileName} {
			if err := f.addCompanion(arg, name); err != nil {
				return err
			}
		}
	}
	return f.addFile(arg, info)
}

func (f *finder) addStdin() error {
	if f.stdin == nil {
		return errors.New(`"-": standard input can be read only once`)
	}
	stdin := f.stdin
	f.stdin = nil
	f.inputs = append(f.inputs, Input{Name: "-", Open: func() (io.ReadCloser, error) { return io.NopCloser(stdin), nil }})
	return nil
}

// FileInput returns a file as an input. It ignores the extension.
func FileInput(path string) (Input, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Input{}, err
	}
	return fileInput(path, info), regular(path, info)
}

func fileInput(path string, info fs.FileInfo) Input {
	return Input{Name: path, Size: info.Size(), Open: func() (io.ReadCloser, error) { return OpenRegular(path) }}
}

// isCompanionName reports whether a file accompanies a catalogue: a vocabulary or a synonym file.
func isCompanionName(name string) bool { return IsVocabularyName(name) || IsSynonymsName(name) }

// addFile adds a regular file. It adds a vocabulary, a synonym file or a table only once.
func (f *finder) addFile(path string, info fs.FileInfo) error {
	if isCompanionName(path) || IsTableName(path) {
		full, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		if f.added[full] {
			return nil
		}
		f.added[full] = true
	}
	f.inputs = append(f.inputs, fileInput(path, info))
	return nil
}

// addCompanion adds the file with the given name from the folder of an input, if it exists.
func (f *finder) addCompanion(path, name string) error {
	for _, c := range append([]compression{{}}, compressions...) {
		beside := filepath.Join(filepath.Dir(path), name+c.suffix)
		info, err := os.Stat(beside)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
			continue // most files have no such companion
		}
		if err != nil { // without this file the catalogue would be different
			return err
		}
		if err := regular(beside, info); err != nil {
			return err
		}
		if err := f.addFile(beside, info); err != nil {
			return err
		}
	}
	return nil
}

func (f *finder) addFolder(folder string) error {
	found, before := false, len(f.skipped)
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		added, err := f.addEntry(filepath.Join(folder, filepath.FromSlash(name)), entry, name == ".")
		found = found || added
		return err
	})
	if err == nil && !found {
		err = fmt.Errorf("%s: no .json, .ndjson or .jsonl file in this folder", folder)
		if others := f.skipped[before:]; len(others) > 0 {
			err = fmt.Errorf("%w; skipped %d entries, the first is %s", err, len(others), others[0])
		}
	}
	return err
}

// addEntry adds an entry of a folder if it is an input. It reports whether the entry is an input, even if it
// is added as an argument instead.
func (f *finder) addEntry(path string, entry fs.DirEntry, top bool) (added bool, err error) {
	full, err := filepath.Abs(path)
	switch {
	case err != nil:
		return false, err
	case !entry.IsDir() && f.named[full]:
		return true, nil
	case strings.HasPrefix(entry.Name(), ".") && !top:
		f.skip(path, "hidden: the name begins with a dot")
		if entry.IsDir() {
			return false, fs.SkipDir
		}
		return false, nil
	case entry.IsDir():
		return false, nil
	}
	info, err := os.Stat(path) // follows a link
	switch {
	case err != nil:
		return false, err
	case info.IsDir():
		return false, fmt.Errorf("%s: links to folders are not followed: name the target folder as an input", path)
	case IsTableName(path) && !f.tables:
		f.skip(path, "a table: add --tables to read tables in folders, or name the file as an input")
		return false, nil
	case !IsTableName(path) && !isCatalogueName(path):
		f.skip(path, "the name does not end in .json, .ndjson or .jsonl")
		return false, nil
	}
	if err := regular(path, info); err != nil {
		return false, err
	}
	return true, f.addFile(path, info)
}

// tableExtensions are the extensions of tables. They include unsupported formats: the importer reports the
// reason.
var tableExtensions = []string{".csv", ".ods", ".tsv", ".xls", ".xlsb", ".xlsm", ".xlsx"}

// skip records that an item in a folder is not an input.
func (f *finder) skip(path, why string) {
	f.skipped = append(f.skipped, fmt.Sprintf("%q: %s", path, why))
}

// isCatalogueName reports whether a file in a folder is an input.
func isCatalogueName(name string) bool {
	plain := plainName(name)
	isBare := len(plain) < len(name) && filepath.Ext(plain) == "" // dump.gz: the content determines the format
	return isBare || isLinesName(name) || strings.HasSuffix(plain, ".json") || IsSynonymsName(name)
}
