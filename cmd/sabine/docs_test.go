package main_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "write docs/cli.md again")

// pages returns the paths of README.md, of the other pages at the root and of the pages in docs.
func pages(t testing.TB) []string {
	t.Helper()
	root, err := filepath.Glob("../../*.md")
	docs, fault := filepath.Glob("../../docs/*.md")
	if err != nil || fault != nil || len(root) < 3 || len(docs) < 10 {
		t.Fatalf("found %q and %q: %v, %v", root, docs, err, fault)
	}
	return append(root, docs...)
}

// TestCommandLinePage compares docs/cli.md with the help of every command:
// go test ./cmd/sabine -run CommandLinePage -update
func TestCommandLinePage(t *testing.T) {
	const path = "../../docs/cli.md"
	var page strings.Builder
	page.WriteString("# The command line\n\n" +
		"This page is generated from the help of the commands. Do not edit it. `sabine COMMAND --help` prints the same.\n")
	var add func(command ...string)
	add = func(command ...string) {
		help := must(t, "", append(command, "--help")...)
		help = regexp.MustCompile(`(?s)VERSION:\n.*?\n\n`).ReplaceAllString(help, "")
		page.WriteString("\n## " + strings.Join(append([]string{"sabine"}, command...), " ") + "\n\n```text\n")
		for _, line := range paragraphs(strings.TrimRight(help, "\n")) {
			page.WriteString(fold(line, 110))
		}
		page.WriteString("```\n")
		_, list, _ := strings.Cut(help, "\nCOMMANDS:\n")
		list, _, _ = strings.Cut(list, "\n\n")
		for _, m := range regexp.MustCompile(`(?m)^   ([a-z]+) `).FindAllStringSubmatch(list, -1) {
			add(append(slices.Clone(command), m[1])...)
		}
	}
	add()
	if *update {
		writeFile(t, path, page.String())
	}
	if readFile(t, path) != page.String() {
		t.Errorf("%s differs from the help: run this test with -update", path)
	}
}

// paragraphs returns the lines of a help text. Each paragraph of the description is one line.
func paragraphs(help string) []string {
	isText := regexp.MustCompile(`^   \S`).MatchString
	var lines []string
	section := ""
	for line := range strings.SplitSeq(help, "\n") {
		if line = strings.TrimRight(line, " "); strings.HasSuffix(line, ":") && !strings.HasPrefix(line, " ") {
			section = line
		}
		if last := len(lines) - 1; section == "DESCRIPTION:" && isText(line) && isText(lines[last]) {
			lines[last] += line[2:]
		} else {
			lines = append(lines, line)
		}
	}
	return lines
}

// fold folds a help line to a width. It indents the further lines like the text of an option.
func fold(line string, width int) string {
	if len(line) <= width {
		return line + "\n"
	}
	indent := len(regexp.MustCompile(`^ *(?:\S.*?  +)?`).FindString(line))
	i := strings.LastIndexByte(line[:width+1], ' ')
	if i <= indent { // a word longer than the width
		return line + "\n"
	}
	return line[:i] + "\n" + fold(strings.Repeat(" ", indent)+line[i+1:], width)
}

// TestLinksOfPagesLeadSomewhere finds links to missing files and missing headings.
func TestLinksOfPagesLeadSomewhere(t *testing.T) {
	t.Parallel()
	links := 0
	for _, page := range append(pages(t), "../../bench/REPORT.md") {
		text := regexp.MustCompile("(?ms)^ *```.*?^ *```$").ReplaceAllString(readFile(t, page), "")
		for _, m := range regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"`).FindAllStringSubmatch(text, -1) {
			link := m[1] + m[2]
			if strings.Contains(link, "://") {
				continue
			}
			links++
			path, heading, _ := strings.Cut(link, "#")
			target := page
			if path != "" {
				target = filepath.Join(filepath.Dir(page), path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %s leads nowhere: %v", page, link, err)
			} else if heading != "" && !slices.Contains(anchors(readFile(t, target)), heading) {
				t.Errorf("%s: the link %s leads to no heading", page, link)
			}
		}
	}
	if links < 100 {
		t.Errorf("found %d links", links)
	}
}

// anchors returns the anchors of the headings of a page on GitHub.
func anchors(page string) []string {
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		names = append(names, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, m[1]))
	}
	return names
}

// TestPagesFitTheirSize checks that README has at most 220 lines and tables of 100 columns, the glossary at
// most 30 words, and pages, except for tables, at most 110 columns.
func TestPagesFitTheirSize(t *testing.T) {
	t.Parallel()
	for _, page := range pages(t) {
		lines := strings.Split(readFile(t, page), "\n")
		isREADME := page == "../../README.md"
		if isREADME && len(lines) > 221 {
			t.Errorf("%s has %d lines, expected at most 220", page, len(lines)-1)
		}
		for i, line := range lines {
			width, limit := utf8.RuneCountInString(line), 110
			if isTable := strings.HasPrefix(line, "|"); isTable && isREADME {
				limit = 100
			} else if isTable {
				continue
			}
			if width > limit {
				t.Errorf("%s:%d: %d columns, expected at most %d: %s", page, i+1, width, limit, line)
			}
		}
	}
	words := regexp.MustCompile(`(?m)^\| \w`).FindAllString(readFile(t, "../../docs/glossary.md"), -1)
	if len(words) == 0 || len(words) > 31 { // 30 words and the table header
		t.Errorf("the glossary has %d words, expected at most 30", len(words)-1)
	}
}
