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

// An Input is one source of records or vocabulary.
type Input struct {
	Name string
	Open func() (io.ReadCloser, error)
	Size int64 // in bytes as it lies, 0 when that is not known

	// Convert, when not nil, turns tables into the records of this input: the Tables, if it has some, and then
	// no text of its own; else its text, where that is neither JSON nor nothing.
	Convert func(*Conversion) error
	Tables  []Input
}

// A Conversion is the turning of foreign tables into records.
type Conversion struct {
	Context    context.Context // ends it
	Tables     []Input
	Vocabulary *Vocabulary // what the inputs before the tables have declared, nil if nothing
	Warn       func(Fault) // takes what is doubtful about the tables
	// takes the records in order, or the fault that stands in the place of one; false: enough
	Yield func(Raw, *Fault) bool
}

// IsTableName reports whether a name says that a file is a table.
func IsTableName(name string) bool {
	return slices.Contains(tableExtensions, filepath.Ext(plainName(name)))
}

// IsVocabularyName reports whether a name says that a file is a vocabulary.
func IsVocabularyName(name string) bool {
	return plainName(filepath.Base(name)) == vocabularyFileName
}

// Inputs finds the inputs that the arguments name: files, folders, and "-" for standard input. A folder and
// its subfolders give, in name order, every file whose name ends in .json, .ndjson or .jsonl, optionally
// followed by .gz or .zst, or has .gz or .zst as its only extension. A vocabulary.json and a synonyms.txt in
// a folder, or beside a named file, are inputs too. Anything that is neither a file nor a folder, such as a
// named pipe, is refused.
//
// passedOver has one text for each thing in the folders that is no input: files and folders whose name begins
// with a dot, which a shell would pass over too, tables, and files with other names.
func Inputs(args []string, stdin io.Reader) (inputs []Input, passedOver []string, err error) {
	return Selection{}.Inputs(args, stdin)
}

// A Selection says which files of folders are inputs, beside those that function Inputs describes.
type Selection struct {
	Tables bool     // tables are inputs too
	Except []string // paths of files that are none, because the caller uses them for something else
}

// Inputs finds inputs as the function Inputs does. A file of a folder that an argument names itself is one
// input, not two.
func (s Selection) Inputs(args []string, stdin io.Reader) (inputs []Input, passedOver []string, err error) {
	f := finder{stdin: stdin, tables: s.Tables, named: map[string]bool{}, once: map[string]bool{}}
	for i, path := range append(s.Except[:len(s.Except):len(s.Except)], args...) {
		full, err := filepath.Abs(path)
		if err != nil {
			return nil, nil, err
		}
		f.named[full] = true
		f.once[full] = f.once[full] || i < len(s.Except)
	}
	for _, arg := range args {
		if err := f.add(arg); err != nil {
			return nil, f.passedOver, err
		}
	}
	return f.inputs, f.passedOver, nil
}

// A finder gathers inputs.
type finder struct {
	stdin      io.Reader // nil once it is an input
	tables     bool      // those of folders are inputs
	inputs     []Input
	passedOver []string
	named      map[string]bool // by absolute path: what folders leave to the argument that names it
	once       map[string]bool // by absolute path: vocabularies, synonyms and tables that are inputs, and Except
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
	if !isBesideName(arg) {
		for _, name := range []string{vocabularyFileName, synonymsFileName} {
			if err := f.addBeside(arg, name); err != nil {
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

// FileInput returns the input that a file is, whatever it holds.
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

// isBesideName reports whether a name says that a file belongs to a catalogue and is none.
func isBesideName(name string) bool { return IsVocabularyName(name) || IsSynonymsName(name) }

// addFile adds a regular file. A vocabulary, a file of synonyms or a table is added only once however often
// it is named.
func (f *finder) addFile(path string, info fs.FileInfo) error {
	if isBesideName(path) || IsTableName(path) {
		full, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		if f.once[full] {
			return nil
		}
		f.once[full] = true
	}
	f.inputs = append(f.inputs, fileInput(path, info))
	return nil
}

// addBeside adds the file of a name that lies in the folder of an input, if there is one.
func (f *finder) addBeside(path, name string) error {
	for _, c := range append([]compression{{}}, compressions...) {
		beside := filepath.Join(filepath.Dir(path), name+c.suffix)
		info, err := os.Stat(beside)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
			continue // most files have none
		}
		if err != nil { // without it the catalogue would be another one
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
	found, before := false, len(f.passedOver)
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
		if others := f.passedOver[before:]; len(others) > 0 {
			err = fmt.Errorf("%w; skipped %d, the first is %s", err, len(others), others[0])
		}
	}
	return err
}

// addEntry adds what a folder holds, and reports whether it is an input, or will be one because an argument
// names it.
func (f *finder) addEntry(path string, entry fs.DirEntry, top bool) (added bool, err error) {
	full, err := filepath.Abs(path)
	switch {
	case err != nil:
		return false, err
	case !entry.IsDir() && f.named[full]:
		return true, nil
	case strings.HasPrefix(entry.Name(), ".") && !top:
		f.passOver(path, "hidden: the name begins with a dot")
		if entry.IsDir() {
			return false, fs.SkipDir
		}
		return false, nil
	case entry.IsDir():
		return false, nil
	}
	info, err := os.Stat(path) // what a link leads to
	switch {
	case err != nil:
		return false, err
	case info.IsDir():
		return false, fmt.Errorf("%s: links to folders are not followed: name the folder as an input", path)
	case IsTableName(path) && !f.tables:
		f.passOver(path, "a table: add --tables to read the tables of folders, or name the file as an input")
		return false, nil
	case !IsTableName(path) && !isCatalogueName(path):
		f.passOver(path, "the name does not end in .json, .ndjson or .jsonl")
		return false, nil
	}
	if err := regular(path, info); err != nil {
		return false, err
	}
	return true, f.addFile(path, info)
}

// tableExtensions are those of tables, also of such as are not read: what reads tables says why.
var tableExtensions = []string{".csv", ".ods", ".tsv", ".xls", ".xlsb", ".xlsm", ".xlsx"}

// passOver notes that something in a folder is no input.
func (f *finder) passOver(path, why string) {
	f.passedOver = append(f.passedOver, fmt.Sprintf("%q: %s", path, why))
}

// isCatalogueName reports whether a file of a folder is an input.
func isCatalogueName(name string) bool {
	plain := plainName(name)
	isBare := len(plain) < len(name) && filepath.Ext(plain) == "" // dump.gz, whose content will tell
	return isBare || isLinesName(name) || strings.HasSuffix(plain, ".json") || IsSynonymsName(name)
}
