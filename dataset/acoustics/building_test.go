package acoustics

import (
	"encoding/csv"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestSourcesOfRows checks that the second source of a row agrees with the first, or that there is only one.
func TestSourcesOfRows(t *testing.T) {
	f, err := os.Open("testdata/second-sources.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	second := map[string][6]float64{}
	for _, row := range rows {
		var c [6]float64
		for i, text := range row[2:] {
			if c[i], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
		second[row[0]] = c
	}
	agreeing := 0
	check := func(name, source string, figures [6]float64) {
		other, ok := second[name]
		if one := strings.HasSuffix(source, " (one source)"); ok == one || !one && strings.Count(source, "; ") != 1 {
			t.Errorf("%s: has a second source: %t, but Source returns %q", name, ok, source)
		}
		for i, v := range figures {
			if ok && max(v, other[i])-min(v, other[i]) > max(0.05, 0.2*max(v, other[i]))+1e-9 {
				t.Errorf("%s at %d Hz: the sources do not agree on %v and %v", name, RoomBands[i], v, other[i])
			}
		}
		if ok {
			agreeing++
		}
	}
	for i := range BuildingSurfaces {
		check(BuildingSurfaces[i].Name, BuildingSurfaces[i].Sources.String(), BuildingSurfaces[i].Coefficients)
	}
	for i := range RoomObjects {
		o := &RoomObjects[i]
		if c, ok := second[o.Name]; ok { // coefficients for two chairs per m²
			for i := range c {
				c[i] /= 2
			}
			second[o.Name] = c
		}
		check(o.Name, o.Sources.String(), o.EachM2)
	}
	if agreeing != len(rows) || agreeing < 25 {
		t.Errorf("%d rows agree with a second source, of %d", agreeing, len(rows))
	}
}

func TestNamesOfRows(t *testing.T) {
	seen, form := map[string]bool{}, regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	check := func(name, german, english string, figures [6]float64) {
		if !form.MatchString(name) || seen[name] || german == "" || english == "" || seen[german] || seen[english] {
			t.Errorf("%q, %q, %q", name, german, english)
		}
		seen[name], seen[german], seen[english] = true, true, true
		for i, v := range figures {
			if v <= 0 || v > 1.5 {
				t.Errorf("%s at %d Hz: %v", name, RoomBands[i], v)
			}
		}
	}
	for i := range BuildingSurfaces {
		s := &BuildingSurfaces[i]
		if check(s.Name, s.German, s.English, s.Coefficients); FindBuildingSurface(s.Name) != s {
			t.Errorf("%s is not found", s.Name)
		}
	}
	persons := 0
	for i := range RoomObjects {
		o := &RoomObjects[i]
		if check(o.Name, o.German, o.English, o.EachM2); FindRoomObject(o.Name) != o {
			t.Errorf("%s is not found", o.Name)
		}
		if o.IsPerson {
			persons++
		}
	}
	if len(BuildingSurfaces) < 30 || len(RoomObjects) < 8 || persons != 7 {
		t.Errorf("%d surfaces, %d objects, %d persons", len(BuildingSurfaces), len(RoomObjects), persons)
	}
	if FindBuildingSurface("") != nil || FindRoomObject("Person") != nil {
		t.Error("found an unknown name")
	}
}

// TestNamesOfPeopleMentionTheChair checks names, because planners must add a chair if it is not included.
func TestNamesOfPeopleMentionTheChair(t *testing.T) {
	for i := range RoomObjects {
		o := &RoomObjects[i]
		if o.IsPerson && o.Name != "person-standing" &&
			(!strings.Contains(o.German, " Stuhl") || !strings.Contains(o.English, " chair")) {
			t.Errorf("%s: %q, %q", o.Name, o.German, o.English)
		}
	}
}
