package serve

import (
	"math"
	"net/http"
	"strconv"
	"strings"

	"sabine/runtime"
	"sabine/serve/explorer"
)

// siteName is what the pages are of.
const siteName = "sabine"

// What is said of pages that are of no product: German, English.
var (
	homeHeading       = [...]string{runtime.German: "Akustikmaterialien", runtime.English: "Acoustic materials"}
	comparisonHeading = [...]string{runtime.German: "Vergleich", runtime.English: "Comparison"}
	roomHeading       = [...]string{runtime.German: "Nachhallzeit eines Raums", runtime.English: "A room's reverberation time"}
	missingHeading    = [...]string{runtime.German: "Nicht gefunden", runtime.English: "Not found"}
	siteDescription   = [...]string{
		runtime.German:  "Absorber und Diffusoren mit ihren Messungen: suchen, vergleichen, Räume berechnen.",
		runtime.English: "Absorbers and diffusers with their measurements: search, compare, compute rooms.",
	}
)

// answerHomePage answers with the page of the search, and what public search finds by the same parameters.
func answerHomePage(x *exchange) representation {
	v := x.view(".", searchProducts)
	v.head(homeHeading[v.locale], siteDescription[v.locale])
	if v.Fault != "" {
		return v.representation()
	}
	v.JSON, v.Query = v.API+"/public/search"+x.query(), x.search.Text
	if v.Query != "" {
		v.head(v.Query, siteDescription[v.locale])
	}
	x.search.Facets = false
	r := x.generation.Search(&x.search.Query)
	v.List = &explorer.List{Total: r.Total, First: 1, Products: v.products(r.Docs)}
	page := x.search.Page
	if page > 0 && len(r.Docs) > 0 {
		v.List.First = page*publicLimit + 1
		v.List.Previous = v.Root + "/" + x.query(pair{"page", strconv.Itoa(page - 1)})
	}
	if r.HasMore {
		v.List.Next = v.Root + "/" + x.query(pair{"page", strconv.Itoa(page + 1)})
	}
	return v.representation()
}

// answerProductPage answers with the page of a product. Where there is none the page says so, with status 404: its address may
// have been right yesterday.
func answerProductPage(x *exchange) representation {
	v := x.view("..", getPublicMaterial)
	v.head(siteName, siteDescription[v.locale])
	if x.generation == nil {
		return v.representation()
	}
	if findMaterial(x) != nil {
		v.head(missingHeading[v.locale], siteDescription[v.locale])
		v.Missing, v.NoIndex = true, true
		r := v.representation()
		r.status, r.hash = http.StatusNotFound, ""
		return r
	}
	v.Products = v.curves()
	p := &v.Products[0]
	about := p.Maker
	if p.Category != "" {
		about += " · " + p.Category
	}
	if p.AlphaW != "" {
		about += " · αw " + p.AlphaW
	}
	v.head(p.Name, about)
	v.JSON = p.JSON
	if x.server.site != "" {
		path, _, _ := strings.Cut(strings.TrimPrefix(p.Page, v.Root), "?")
		v.URL = x.server.site + path
	}
	return v.representation()
}

// answerComparisonPage answers with the page that lays products over each other.
func answerComparisonPage(x *exchange) representation {
	v := x.view(".", compareProducts)
	v.head(comparisonHeading[v.locale], siteDescription[v.locale])
	if v.Fault == "" {
		v.JSON = v.API + "/public/compare-products" + x.query()
		v.Products = v.curves()
	}
	return v.representation()
}

// answerRoomPage answers with the page of a room.
func answerRoomPage(x *exchange) representation {
	v := x.view(".", getReverberation)
	v.head(roomHeading[v.locale], siteDescription[v.locale])
	if v.Fault != "" {
		return v.representation()
	}
	v.JSON = v.API + "/public/reverberation" + x.query()
	v.Room = &explorer.Room{Volume: v.number(x.room.VolumeM3)}
	for i := range x.room.Bands {
		b := &x.room.Bands[i]
		band := explorer.RoomBand{Band: b.BandHz, Sabine: v.rounded(b.Sabine), Eyring: v.rounded(b.Eyring)}
		if x.room.Target != "" {
			band.Target, band.Missing = v.rounded(x.room.TargetS), v.rounded(x.room.Missing(b, x.room.TargetS))
		}
		v.Room.Bands = append(v.Room.Bands, band)
	}
	for _, s := range x.room.Given {
		v.Room.Surfaces = append(v.Room.Surfaces, s.Text)
	}
	return v.representation()
}

// rounded writes a number with two decimals; one without an end is "".
func (v *view) rounded(n float64) string {
	if math.IsInf(n, 0) {
		return ""
	}
	return v.local(strconv.FormatFloat(n, 'f', 2, 64))
}
