package serve

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset/acoustics"
	"sabine/indexes/column"
	"sabine/runtime"
	"sabine/serve/explorer"
)

var (
	pageHome       = explorerPage("pageHome", answerHomePage)
	pageProduct    = explorerPage("pageProduct", answerProductPage)
	pageComparison = explorerPage("pageComparison", answerComparisonPage)
	pageRoom       = explorerPage("pageRoom", answerRoomPage)
	pageNowhere    = explorerPage("pageNowhere", answerNotFoundPage)
)

// varyLanguages is the Vary header field of pages that depend on Accept-Language.
var varyLanguages = []string{"Accept-Encoding, Accept-Language"}

func explorerPage(name string, answer func(*exchange) representation) *operation {
	return &operation{name: name, page: true, cache: cachePage, vary: varyLanguages,
		answer: func(x *exchange) (representation, *problem) { return answer(x), nil }}
}

// addExplorer adds the pages of the explorer and their files.
func (s *Server) addExplorer() error {
	s.pages["/"], s.pages["/compare"], s.pages["/room"] = pageHome, pageComparison, pageRoom
	s.pagesByPrefix[productPages], s.pageNotFound = pageProduct, pageNowhere
	files, err := explorer.Assets()
	s.addFiles("/assets/", files)
	return err
}

// answerNotFoundPage answers with the page for unknown addresses, which can be in any folder.
func answerNotFoundPage(x *exchange) representation {
	root := strings.Repeat("/..", strings.Count(x.request.URL.EscapedPath(), "/")-1)
	v := x.view(cmp.Or(strings.TrimPrefix(root, "/"), "."), "lost", getPublicMaterial, func() *problem { return nil })
	v.Fault = v.Say("nowhere")
	return v.notFound()
}

// answerHomePage answers with the search page, with the results of public search for the same parameters.
func answerHomePage(x *exchange) representation {
	q := &x.query
	v := x.view(".", "home", searchProducts, func() *problem {
		x.params.readPublicSearch(x.generation, q)
		return x.params.problem()
	})
	if v.Fault != "" {
		return v.representation()
	}
	q.Locale, q.Facets = v.locale, false
	v.JSON, v.Query = v.API+"/public/search"+x.queryWith(), q.Text
	if v.Query != "" {
		v.head(v.Query, v.Description)
	}
	r := x.generation.Search(q)
	v.List = &explorer.List{Found: v.number(float64(r.Total), 0) + " " + v.Say("products"), First: 1}
	if r.Total == 1 {
		v.List.Found = "1 " + v.Say("product")
	}
	for _, d := range r.Docs {
		p := x.generation.Product(d)
		v.List.Products = append(v.List.Products, v.product(p))
		v.List.Invented = v.List.Invented || invented(p)
	}
	if q.Page > 0 && len(r.Docs) > 0 {
		v.List.First = q.Page*publicLimit + 1
		v.List.Previous = v.Root + "/" + x.queryWith(pair{"page", strconv.Itoa(q.Page - 1)})
	}
	if r.HasMore {
		v.List.Next = v.Root + "/" + x.queryWith(pair{"page", strconv.Itoa(q.Page + 1)})
	}
	return v.representation()
}

// answerProductPage answers with the page of a product. For an unknown product, the page has status 404 and
// an explanation, because the product may have been removed.
func answerProductPage(x *exchange) representation {
	v := x.view("..", "home", getPublicMaterial, func() *problem {
		x.params.locale()
		return x.params.problem()
	})
	if x.generation == nil {
		return v.representation()
	}
	d, ok := x.generation.Lookup(x.identifier)
	if !ok {
		v.Missing = true
		return v.notFound()
	}
	p := v.curves(d)
	v.Products = []explorer.Product{p}
	about := p.Maker
	if p.Category != "" {
		about += " · " + p.Category
	}
	if p.AlphaW != "" {
		about += " · αw " + p.AlphaW
	}
	v.head(p.Name, about)
	v.JSON = p.JSON
	if site := x.server.addresses.site; site != "" {
		path, _, _ := strings.Cut(strings.TrimPrefix(p.Page, v.Root), "?")
		v.URL = site + path
	}
	return v.representation()
}

// answerComparisonPage answers with the page that compares products.
func answerComparisonPage(x *exchange) representation {
	var docs []column.Doc
	empty := false
	v := x.view(".", "comparison", compareProducts, func() (p *problem) {
		empty = !x.params.has("id")
		docs, p = x.compared()
		return p
	})
	switch {
	case empty:
		v.Fault = v.Say("none chosen")
	case v.Fault == "":
		v.JSON = v.API + "/public/compare-products" + x.queryWith()
		for _, d := range docs {
			v.Products = append(v.Products, v.curves(d))
		}
	}
	return v.representation()
}

// verdictWord returns the text key for a verdict.
func verdictWord(verdict acoustics.Verdict, isRatio bool) string {
	switch {
	case !isRatio:
		return string(verdict)
	case verdict == acoustics.Long:
		return "too little"
	}
	return "enough"
}

// fillText returns the area of a product that a room needs, or the reason why no area meets the target. An
// incomplete area meets it only in the middle bands.
func (v *view) fillText(f *runtime.Fill) string {
	if f.Reason != "" {
		return v.Say(string(f.Reason))
	}
	area := v.number(f.AreaM2, -1) + " m²"
	if !f.Complete {
		area += ", " + v.Say("middle")
	}
	return area
}

// readPageRoom reads the room of a page. It converts the parameters of the page's script to parameters of the
// API: it takes the height from size (length, width, height in m), and removes covers if there is no fill.
func (p *params) readPageRoom(g *runtime.Generation) *runtime.Room {
	values := map[string]string{}
	for _, given := range p.pairs {
		values[given.name] = given.value
	}
	size := strings.Split(values["size"], ",")
	if len(size) == 3 && !p.has("height") && strings.HasPrefix(values["target"], din18041+"B") {
		p.pairs = append(p.pairs, pair{"height", size[2]})
	}
	p.pairs = slices.DeleteFunc(p.pairs, func(given pair) bool { return given.name == "covers" && !p.has("fill") })
	return p.room(g)
}

// content returns the name of a surface, or of the product with which a room is filled.
func (v *view) content(given *runtime.GivenSurface) string {
	what := given.Text[:max(strings.LastIndexByte(given.Text, ':'), 0)]
	if name, isStandard := strings.CutPrefix(what, standard); isStandard {
		s := acoustics.FindBuildingSurface(name)
		return v.either(s.German, s.English)
	}
	if d, ok := v.x.generation.Lookup(given.ID); ok {
		return v.x.generation.Product(d).Label.In(v.Lang)
	}
	return v.Say("own")
}

// contents adds the contents of a room and the required areas of products to the page.
func (v *view) contents(room *runtime.Room) {
	add := func(parts ...string) { v.Room.Contents = append(v.Room.Contents, strings.Join(parts, ": ")) }
	for i := range room.Given {
		add(v.content(&room.Given[i]), v.number(room.Surfaces[i].AreaM2, -1)+" m²")
	}
	for _, o := range room.Placed {
		count := strconv.Itoa(o.Count)
		if !o.Counted {
			count += ", " + v.Say("not counted")
		}
		of := acoustics.FindRoomObject(o.Name)
		add(v.either(of.German, of.English), count)
	}
	for i := range room.Fills {
		add(v.Say("needed"), v.content(&room.Fills[i].GivenSurface), v.fillText(&room.Fills[i]))
	}
}

// answerRoomPage answers with the page of a room.
func answerRoomPage(x *exchange) representation {
	var room *runtime.Room
	empty := false
	v := x.view(".", "room of", getReverberation, func() *problem {
		empty = !slices.ContainsFunc([]string{"volume", "surface", "target"}, x.params.has)
		room = x.params.readPageRoom(x.generation)
		return x.params.problem()
	})
	if empty {
		v.Fault = v.Say("no room")
	}
	if v.Fault != "" {
		return v.representation()
	}
	v.JSON = v.API + "/public/reverberation" + x.queryWith()
	v.Room = &explorer.Room{Volume: v.number(room.VolumeM3, -1), IsRatio: room.Goal.PerM > 0,
		IsJudged: room.Target != "" && len(room.Surfaces) > 0}
	for i := range room.Bands {
		b := &room.Bands[i]
		band := explorer.RoomBand{Band: b.BandHz, Sabine: v.number(b.Sabine, 2), Eyring: v.number(b.Eyring, 2)}
		switch {
		case v.Room.IsRatio:
			band.Target, band.Reached = v.number(room.Goal.PerM, 3), v.number(room.PerM(b), 3)
		case room.Target != "":
			band.Target, band.Missing = v.number(room.Goal.Seconds, 2), v.area(room.Missing(b, room.Goal.Seconds))
		}
		if verdict := room.Judge(room.Goal, b); verdict != "" {
			band.Verdict = v.Say(verdictWord(verdict, v.Room.IsRatio))
		}
		v.Room.Bands = append(v.Room.Bands, band)
	}
	v.contents(room)
	return v.representation()
}
