package browser_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"sabine/internal/browser"
)

// classRoom is the query of a room with every property.
const classRoom = "volume=180&surface=akustikpaneel-fichte-40:40&surface=beton-glatt:160&target=din18041:A3"

// reverberates waits until the page shows the reverberation that the API calculates for a room.
func reverberates(t *testing.T, s *browser.Server, b *browser.Tab, query string) {
	t.Helper()
	want := ask(t, s, "/public/reverberation?"+query)
	b.Await("the times of "+query, func() bool {
		rows := cells(b, "Reverberation time by octave")
		if len(rows) != 7 {
			return false
		}
		column := slices.Index(rows[0], "Sabine, s") // follows the verdict, if there is one
		for i, band := range want.Get("bands").Array() {
			sabine, err := strconv.ParseFloat(rows[i+1][column], 64)
			if err != nil || abs(sabine-band.Get("sabine_s").Float()) > 0.0051 || rows[i+1][0] != band.Get("band").String() {
				return false
			}
		}
		return true
	})
}

func abs(x float64) float64 { return max(x, -x) }

func TestARoom(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/room?"+classRoom)
	reverberates(t, s, b, classRoom)
	b.Fill("textbox", "Area of Acoustic panel spruce 40", "60")
	more := strings.Replace(classRoom, ":40", ":60", 1)
	reverberates(t, s, b, more)
	b.At("akustikpaneel-fichte-40:60")
	b.Reload()
	reverberates(t, s, b, more)
	b.Fill("textbox", "Volume", "250")
	more = strings.Replace(more, "volume=180", "volume=250", 1)
	reverberates(t, s, b, more)
	b.Click("button", "Remove Acoustic panel spruce 40")
	reverberates(t, s, b, strings.Replace(more, "&surface=akustikpaneel-fichte-40:60", "", 1))
	b.Back()
	reverberates(t, s, b, more)
	b.Sees("Tolerance of DIN 18041")
}

// TestARoomFromNothing types a volume, finds a product, enters its area and selects a target.
func TestARoomFromNothing(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/room")
	b.Sees("Still needed for the calculation")
	b.Fill("textbox", "Volume", "200")
	b.Focus("combobox", "Add a product")
	b.Paste("beton glatt") // in one step, so that the list does not move before the click
	b.Click("option", "Concrete, smooth, unpainted")
	b.Fill("textbox", "Area of Concrete, smooth, unpainted", "150")
	query := "volume=200&surface=beton-glatt:150"
	reverberates(t, s, b, query)
	b.Focus("combobox", "Target")
	b.Press("A3")
	b.At("target=din18041:A3")
	reverberates(t, s, b, query+"&target=din18041:A3")
	b.Find("link", "Find products that fill the gap")
}

// filling returns the table rows of the products that the room needs, with each product's name.
func filling(b *browser.Tab) [][]string {
	return browser.Eval[[][]string](b, `[...(document.querySelector("[aria-labelledby=fill] table")?.rows ?? [])]
		.map(r => [...r.cells].map(c => (c.querySelector("a") ?? c).textContent.trim()))`)
}

// TestARoomToBeginWith finds the product area that a classroom needs with three clicks.
func TestARoomToBeginWith(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/room")
	b.Click("button", "Classroom")
	b.Sees("Too long in all octave bands")
	b.Sees("26 people count")
	b.Await("products to fill the room with", func() bool { return len(filling(b)) > 5 })
	first := filling(b)[1]
	b.Click("button", "Add "+first[1]+" m² of "+first[0])
	b.Sees("Within the tolerance in every octave band")
	b.Sees("That is more than floor, ceiling and walls together")
	b.Back()
	b.Sees("Too long in all octave bands")
	b.Focus("combobox", "Place the product")
	b.Press("on Ceiling: Concrete")
	b.At("covers=1")
	b.Await("areas on the ceiling", func() bool {
		rows := filling(b)
		return len(rows) > 1 && rows[1][1] != first[1]
	})
	first = filling(b)[1]
	b.Click("button", "Add "+first[1]+" m² of "+first[0])
	b.Sees("Within the tolerance in every octave band")
	b.SeesNot("That is more than floor, ceiling and walls together")
}

// TestARoomOfGroupB checks a room for which the standard requires absorption. The times are only informative.
func TestARoomOfGroupB(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	const room = "volume=134.4&surface=std:concrete:174&target=din18041:B4&height=2.8"
	b := browser.Open(t, s, browser.View{}, "/room?"+room+"&object=child:3")
	b.Sees("Too little absorption in all octave bands")
	b.Sees("3 people are not counted, nor are chairs that are included with people")
	time := ask(t, s, "/public/reverberation?volume=134.4&surface=std:concrete:174&object=child:3")
	mean := (time.Get("bands.2.sabine_s").Float() + time.Get("bands.3.sabine_s").Float()) / 2
	b.Sees(strconv.FormatFloat(mean, 'f', 2, 64) + " s")
	band := ask(t, s, "/public/reverberation?"+room).Get("bands.0")
	row := cells(b, "Absorption area per volume by octave")[1]
	if want := []string{"250", "too little"}; row[0] != want[0] || row[1] != want[1] ||
		row[2] != strconv.FormatFloat(band.Get("reached_per_m").Float(), 'f', 3, 64) {
		t.Errorf("got %q, want %q and %s", row, want, band)
	}
}

// TestARoomOfAVolumeAlone checks that the page shows the required absorption for a volume and a target.
func TestARoomOfAVolumeAlone(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/room?volume=300&target=0.8")
	b.Sees("this much equivalent absorption area is needed")
	missing := ask(t, s, "/public/reverberation?volume=300&target=0.8").Get("bands.1.missing_m2").Float()
	b.Sees("250 Hz: " + strconv.FormatFloat(missing, 'f', 0, 64) + " m²")
	b.Sees("To add a product, list the surfaces of the room first")
	b.Await("products to fill the room with", func() bool { return len(filling(b)) > 5 })
	if b.Has("button", "Add 3") || b.Has("button", "Add 4") {
		t.Error("products can be added to a room without surfaces, which Eyring's formula cannot compute")
	}
	b.Fill("textbox", "Volume", "20")
	b.Focus("combobox", "Target")
	b.Press("A3")
	b.Sees("A3 has a target for 30 to below 5,000 m³")
	b.Goto("/room?volume=300")
	b.Focus("combobox", "Target")
	b.Press("B4")
	b.At("height=3") // the default height
	b.Sees("this much equivalent absorption area is needed")
	b.Fill("textbox", "Height of the room", "")
	b.Sees("the height of the room")
}

// TestNoServerMessageInAGermanPage checks that the page shows server errors in its own language.
func TestNoServerMessageInAGermanPage(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{Language: "de"}, "")
	b.Expect("400")
	ones := "125:1,250:1,500:1,1000:1,2000:1,4000:1"
	for _, tt := range []struct{ address, says string }{
		{"/room?volume=180&target=0.8&surface=" + ones + ":100", "Bei 125 Hz ist der mittlere Schallabsorptionsgrad 1 oder größer"},
		{"/room?volume=180&object=ghost:3&target=0.8", "Personen oder Möbel, die nicht in der Liste stehen"},
		{"/?depth_max=-1", "Die Angabe „depth_max“ in der Adresse dieser Seite ist ungültig."},
	} {
		b.Goto(tt.address)
		b.Sees(tt.says)
	}
}

// TestAVolumeCarriesTheAreasAlong checks that the areas survive all intermediate values while the user types
// a volume.
func TestAVolumeCarriesTheAreasAlong(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/room?volume=100&size=5,5,4&surface=std:plaster:25&surface=std:door:2&part=ceiling")
	b.Fill("textbox", "Volume", "400")
	b.At("volume=400&size=10,10,4&surface=std:plaster:100&surface=std:door:2&part=ceiling")
	b.Sees("The areas of floor, ceiling and walls have been adjusted.")
	b.Back()
	b.At("volume=100&size=5,5,4&surface=std:plaster:25")
}

// TestRoomsThatCannotBeComputed checks that the page shows what is missing or invalid and sends no invalid
// request.
func TestRoomsThatCannotBeComputed(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "")
	b.Expect("400")
	ones := "125:1,250:1,500:1,1000:1,2000:1,4000:1"
	for _, tt := range []struct{ rule, query, says string }{
		{"nothing", "", "Still needed for the calculation"},
		{"no surface", "volume=180", "a surface with its area"},
		{"no volume", "surface=beton-glatt:10", "its volume"},
		{"an alpha of 1", "volume=180&surface=" + ones + ":100", "the mean absorption coefficient is 1 or more"},
		{"less than a litre", "volume=0.0009&surface=beton-glatt:10", "The volume must be a number from 0.001"},
		{"a volume of letters", "volume=x&surface=beton-glatt:10", "The volume must be a number from 0.001"},
		{"an area below 0", "volume=180&surface=beton-glatt:-10", "The area must be a number above 0"},
		{"a product that is not there", "volume=180&surface=nothing-of-that-name:10", "it may have been withdrawn"},
		{"a set-up that is not there", "volume=180&surface=beton-glatt@99:10", "does not have this set-up"},
		{"air of the desert", "volume=180&surface=beton-glatt:10&air=80,1", "Temperature must be"},
		{"a target of no use", "volume=180&surface=beton-glatt:10&target=din18041:Z9", "The target must be"},
		{"thirty-three surfaces", "volume=180" + strings.Repeat("&surface=beton-glatt:10", 33), "at most 32"},
	} {
		t.Log(tt.rule)
		b.Goto("/room?" + tt.query)
		b.Sees(tt.says)
	}
}
