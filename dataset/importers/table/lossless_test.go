package table_test

import (
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/table"
	"sabine/dataset/importers/workbook"
)

// keepsEveryCell looks for every cell below a file's header in the records, as text or as a number, and in
// the messages. A warning identifies a skipped row by its first cell, and a skipped column by its header.
func keepsEveryCell(t *testing.T, file string, records []record, warnings []string, account *table.Account) {
	text, _ := json.Marshal(account)
	k := kept{numbers: map[string]bool{}}
	for _, r := range records {
		k.add(map[string]any(r))
	}
	k.texts += strings.ToLower(strings.Join(warnings, "\n") + string(text))
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	book, err := workbook.Open(file, f, workbook.Options{Known: func(string) bool { return false }})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range book.Sheets {
		at := slices.IndexFunc(account.Tables, func(of table.AccountEntry) bool { return of.Sheet == s.Name })
		if at < 0 {
			continue // a message reports it as skipped
		}
		_ = s.Rows(func(row workbook.Row) bool {
			first := slices.IndexFunc(row.Cells, func(c workbook.Cell) bool { return c.Text != "" })
			if account.Tables[at].Layout == columns.Across && row.Number <= slices.Max(account.Tables[at].Header) ||
				leftOut(warnings, row.Cells[first].Text) {
				return true
			}
			for i, c := range row.Cells {
				if !k.has(c.Text) && !columnLeftOut(warnings, account.Tables[at].Columns, i) {
					t.Errorf("%s is lost: %q", workbook.CellName(row.Number, i+1), c.Text)
				}
			}
			return true
		})
	}
}

func leftOut(warnings []string, first string) bool {
	return slices.ContainsFunc(warnings, func(w string) bool {
		return strings.Contains(w, strconv.Quote(first)) && strings.Contains(w, "left out")
	})
}

// columnLeftOut reports whether a warning reports the column at an index as left out.
func columnLeftOut(warnings []string, accounts []table.ColumnAccount, index int) bool {
	letters := strings.TrimRight(workbook.CellName(1, index+1), "1")
	return slices.ContainsFunc(accounts, func(c table.ColumnAccount) bool {
		return c.Became == columns.MapIgnored && strings.TrimRight(c.Cell, "0123456789") == letters &&
			leftOut(warnings, c.Header)
	})
}

// kept is the content of records and warnings.
type kept struct {
	texts   string
	numbers map[string]bool
}

func (k *kept) add(v any) {
	switch v := v.(type) {
	case string:
		k.texts += strings.ToLower(strings.Join(strings.Fields(v), " ")) + "\n"
		if n, err := strconv.ParseFloat(v, 64); err == nil {
			k.number(n)
		}
	case float64:
		k.number(v)
		k.number(v * 100)
		k.number(v / 10)
		k.number(v / 1000)
	case []any:
		for _, e := range v {
			k.add(e)
		}
	case map[string]any:
		for key, e := range v {
			k.texts += strings.ToLower(key) + "\n"
			k.add(e)
		}
	}
}

func (k *kept) number(v float64) { k.numbers[strconv.FormatFloat(v, 'g', 9, 64)] = true }

func (k *kept) has(cell string) bool {
	cell = strings.ToLower(strings.Join(strings.Fields(cell), " "))
	if day, err := time.Parse("02.01.2006", cell); err == nil {
		cell = day.Format(time.DateOnly)
	}
	cell = cmp.Or(map[string]string{"simuliert": "simulated", "–": "-"}[cell], cell)
	if strings.Contains(k.texts, cell) || strings.Contains(k.texts, strings.ReplaceAll(cell, " ", "")) {
		return true
	}
	for word := range strings.FieldsFuncSeq(cell, func(r rune) bool { return strings.ContainsRune(" %(),;:", r) }) {
		v, err := strconv.ParseFloat(strings.Replace(word, ",", ".", 1), 64)
		if err == nil && k.numbers[strconv.FormatFloat(v, 'g', 9, 64)] || err != nil && strings.Contains(k.texts, word) {
			return true
		}
	}
	return false
}
