package dataset

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// An Input is one source of records or vocabulary.
type Input struct {
	Name string
	Open func() (io.ReadCloser, error)
	Size int64 // in bytes as it lies, 0 when that is not known
}

// Inputs finds the inputs that the arguments name: files, folders and "-" for standard input. Of a folder and its
// subfolders, in name order, those are every file whose name ends .json, .ndjson or .jsonl, with .gz or .zst behind that
// or not, or that has one of the latter as its only ending; files and folders whose name begins with a dot are passed
// over, as a shell does. A vocabulary.json in a folder, or beside a named file, is one of the inputs.
func Inputs(args []string, stdin io.Reader) ([]Input, error) {
	f := finder{stdin: stdin, vocabularies: map[string]bool{}}
	for _, arg := range args {
		if err := f.add(arg); err != nil {
			return nil, err
		}
	}
	return f.inputs, nil
}

// A finder gathers inputs.
type finder struct {
	stdin        io.Reader // nil once it is an input
	inputs       []Input
	vocabularies map[string]bool // vocabulary files among the inputs, by absolute path
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
	if !isVocabularyName(arg) {
		if err := f.addVocabularyBeside(arg); err != nil {
			return err
		}
	}
	return f.addFile(arg)
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

// addFile adds a file, a vocabulary only once however often it is named.
func (f *finder) addFile(path string) error {
	if isVocabularyName(path) {
		full, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		if f.vocabularies[full] {
			return nil
		}
		f.vocabularies[full] = true
	}
	in := Input{Name: path, Open: func() (io.ReadCloser, error) { return os.Open(path) }}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		in.Size = info.Size()
	}
	f.inputs = append(f.inputs, in)
	return nil
}

func (f *finder) addVocabularyBeside(path string) error {
	for _, suffix := range []string{"", ".gz", ".zst"} {
		beside := filepath.Join(filepath.Dir(path), vocabularyFileName+suffix)
		info, err := os.Stat(beside)
		if err != nil || !info.Mode().IsRegular() {
			continue // most files have none
		}
		if err := f.addFile(beside); err != nil {
			return err
		}
	}
	return nil
}

func (f *finder) addFolder(folder string) error {
	found := false
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		path := filepath.Join(folder, filepath.FromSlash(name))
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(entry.Name(), ".") && name != ".":
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir():
			return nil
		}
		info, err := os.Stat(path) // what a link leads to
		switch {
		case err != nil:
			return err
		case info.IsDir():
			return fmt.Errorf("%s: a link to a folder, which is not followed: name the folder as an input of its own", path)
		case !isCatalogueName(path):
			return nil
		}
		found = true
		return f.addFile(path)
	})
	if err == nil && !found {
		err = fmt.Errorf("%s: no .json, .ndjson or .jsonl file in this folder", folder)
	}
	return err
}

// isCatalogueName reports whether a file of a folder is an input.
func isCatalogueName(name string) bool {
	plain := plainName(name)
	isBare := len(plain) < len(name) && filepath.Ext(plain) == "" // dump.gz, whose content will tell
	return isBare || isLinesName(name) || strings.HasSuffix(plain, ".json")
}
