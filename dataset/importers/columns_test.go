package importers

import (
	"encoding/csv"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A role that is misspelt in columns.csv, a name that stands there twice, or one that no column can have would do nothing.
func TestColumnNames(t *testing.T) {
	roles := []role{
		roleName, roleNameEN, roleMaterial, roleManufacturer, roleCommercialName, roleDescription, roleCategory, roleCharacter,
		roleInstallation, roleMounting, roleThickness, roleAirGap, roleSourceKind, roleFireClass, roleURL,
	}
	table := csv.NewReader(strings.NewReader(columnNames))
	table.Comma, table.Comment = ';', '#'
	rows, err := table.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var named []role
	known := map[string]bool{}
	for _, row := range rows[1:] {
		named = append(named, role(row[0]))
		for _, name := range strings.Split(row[1], ", ") {
			if c := columnOf(name); c.role != role(row[0]) || c.unit != "" {
				t.Errorf("a column %q is read as %+v, not as one of %s", name, c, row[0])
			}
			if known[name] {
				t.Errorf("%q stands there twice", name)
			}
			known[name] = true
		}
	}
	if !slices.Equal(named, roles) {
		t.Errorf("the roles are %q, want each once: %q", named, roles)
	}
}

// What a message tells people to call a column is the name of such a column.
func TestMessagesNameColumnsThatAreKnown(t *testing.T) {
	tests := []struct {
		header string
		names  int
		is     func(c column) bool
	}{
		{"brand,125", 6, func(c column) bool { return slices.Contains(nameRoles, c.role) }},
		{"name,brand", 3, func(c column) bool { return c.bandHz > 0 }},
		{"name,125", 2, func(c column) bool { return c.role == roleManufacturer }},
	}
	quoted := regexp.MustCompile(`"([^"]+)"`)
	for _, test := range tests {
		_, problems := imports(t, CSV, test.header+"\n", Options{})
		names := quoted.FindAllStringSubmatch(strings.Join(problems, "\n"), -1)
		if len(names) != test.names {
			t.Errorf("%s: got %q, want %d names", test.header, problems, test.names)
		}
		for _, name := range names {
			if c := columnOf(name[1]); !test.is(c) {
				t.Errorf("%s: %q is read as %+v", test.header, name[1], c)
			}
		}
	}
}
