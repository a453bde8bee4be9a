package synthetic

// A phrase is a German word or phrase with its English translation.
type phrase struct{ de, en string }

// A family is the way in which a kind of product works, and so the model that its curves come from.
type family int

const (
	porous family = iota
	perforated
	microperforated
	membrane
	residueDiffuser
	curvedDiffuser
)

// A productKind is a sort of product.
type productKind struct {
	names         []phrase // what brands call it
	weight        int      // how common it is
	family        family
	shape         string
	materials     []string // material categories; materialsOf has what is in each
	installations [][]string
	thicknessMM   []int
	sizesMM       [][2]int // width and height
	gapsMM        []int    // depths of the air behind it
	mounting      [2]string
	edges         [2]int // hundredths of a metre of free edge per square metre, range
	fireClasses   []string
}

var (
	onWall          = []string{"wall"}
	onCeiling       = []string{"ceiling"}
	onWallOrCeiling = []string{"wall", "ceiling"}
	standing        = []string{"free-standing"}
	standingOrWall  = []string{"free-standing", "wall"}
	atWindow        = []string{"window"}
	onFloor         = []string{"floor"}

	noncombustible = []string{"A1", "A2-s1,d0", "A2-s1,d0", "A2-s2,d0", "A2", "B-s1,d0"}
	hardlyBurning  = []string{"B-s1,d0", "B-s1,d0", "B-s2,d0", "C-s1,d0", "C-s2,d0"}
	wooden         = []string{"B-s2,d0", "C-s2,d0", "D-s2,d0", "D-s2,d2", "D"}
	burning        = []string{"D-s3,d2", "E", "E-d2", "F"}
	textiles       = []string{"B-s1,d0", "C-s2,d0", "D-s2,d0", "E"}
	floorings      = []string{"Bfl-s1", "Cfl-s1", "Dfl-s2", "Efl"}

	panelSizes = [][2]int{{600, 600}, {600, 1200}, {1200, 600}, {1200, 1200}, {300, 1200}, {1000, 1000}, {800, 1600}, {2400, 600}, {1200, 2400}}
	sailSizes  = [][2]int{{1200, 1200}, {1200, 600}, {1800, 1200}, {2400, 1200}, {1000, 1000}, {1600, 1600}}
	tileSizes  = [][2]int{{600, 600}, {625, 625}, {600, 1200}, {625, 1250}, {300, 1800}}
)

var kinds = []productKind{
	{
		names:  []phrase{{"Deckensegel", "Ceiling raft"}, {"Akustikdeckensegel", "Acoustic ceiling raft"}, {"Akustiksegel", "Acoustic sail"}},
		weight: 10, family: porous, shape: "panel", materials: []string{"mineralwolle", "textil", "schaumstoff", "kunststoff"},
		installations: [][]string{onCeiling}, thicknessMM: []int{20, 25, 30, 40, 45, 50, 60}, sizesMM: sailSizes,
		gapsMM: []int{100, 200, 300, 400, 600}, mounting: [2]string{"ceiling", "J"}, edges: [2]int{200, 350}, fireClasses: hardlyBurning,
	},
	{
		names:  []phrase{{"Akustikpaneel", "Acoustic panel"}, {"Wandpaneel", "Wall panel"}, {"Absorberpaneel", "Absorber panel"}},
		weight: 12, family: porous, shape: "panel", materials: []string{"textil", "mineralwolle", "kunststoff", "naturfaser"},
		installations: [][]string{onWall, onWallOrCeiling, onWallOrCeiling}, thicknessMM: []int{9, 12, 20, 25, 30, 40, 50}, sizesMM: panelSizes,
		gapsMM: []int{0, 0, 20, 40, 50, 100}, mounting: [2]string{"A", "E"}, edges: [2]int{0, 100}, fireClasses: hardlyBurning,
	},
	{
		names:  []phrase{{"Wandabsorber", "Wall absorber"}, {"Breitbandabsorber", "Broadband absorber"}, {"Akustikbild", "Acoustic picture"}},
		weight: 10, family: porous, shape: "panel", materials: []string{"mineralwolle", "schaumstoff", "textil", "naturfaser"},
		installations: [][]string{onWall, onWall, onWallOrCeiling}, thicknessMM: []int{40, 50, 60, 70, 80, 100, 120}, sizesMM: panelSizes,
		gapsMM: []int{0, 0, 50, 100}, mounting: [2]string{"A", "wall"}, edges: [2]int{0, 250}, fireClasses: hardlyBurning,
	},
	{
		names:  []phrase{{"Deckenplatte", "Ceiling tile"}, {"Mineralfaserdecke", "Mineral fibre ceiling"}, {"Einlegeplatte", "Lay-in tile"}},
		weight: 9, family: porous, shape: "panel", materials: []string{"mineralwolle"},
		installations: [][]string{onCeiling}, thicknessMM: []int{15, 18, 20, 24, 30, 40}, sizesMM: tileSizes,
		gapsMM: []int{50, 200, 200, 400}, mounting: [2]string{"A", "E"}, fireClasses: noncombustible,
	},
	{
		names:  []phrase{{"Metallkassette", "Metal ceiling tile"}, {"Metalldecke", "Metal ceiling"}, {"Kühldecke", "Chilled ceiling"}},
		weight: 6, family: perforated, shape: "panel", materials: []string{"metall"},
		installations: [][]string{onCeiling}, thicknessMM: []int{1}, sizesMM: tileSizes,
		gapsMM: []int{100, 200, 300, 400}, mounting: [2]string{"A", "E"}, fireClasses: noncombustible,
	},
	{
		names:  []phrase{{"Lochplatte", "Perforated board"}, {"Gipslochplatte", "Perforated gypsum board"}, {"Akustikdecke", "Acoustic ceiling"}},
		weight: 7, family: perforated, shape: "panel", materials: []string{"gips"},
		installations: [][]string{onCeiling, onWallOrCeiling}, thicknessMM: []int{10, 12, 15, 18}, sizesMM: [][2]int{{1200, 2000}, {1188, 1998}, {1224, 2400}, {600, 600}},
		gapsMM: []int{30, 65, 100, 200, 400}, mounting: [2]string{"A", "E"}, fireClasses: noncombustible,
	},
	{
		names:  []phrase{{"Holzakustikplatte", "Wooden acoustic board"}, {"Lochpaneel", "Perforated panel"}, {"Schlitzpaneel", "Slotted panel"}},
		weight: 8, family: perforated, shape: "panel", materials: []string{"holz"},
		installations: [][]string{onWall, onWallOrCeiling}, thicknessMM: []int{12, 16, 18, 19, 28}, sizesMM: panelSizes,
		gapsMM: []int{30, 50, 100, 200}, mounting: [2]string{"A", "E"}, fireClasses: wooden,
	},
	{
		names:  []phrase{{"Lamellenwand", "Slatted wall"}, {"Akustiklamelle", "Acoustic slat panel"}, {"Leistenpaneel", "Batten panel"}},
		weight: 5, family: perforated, shape: "panel", materials: []string{"holz", "metall", "kunststoff"},
		installations: [][]string{onWall, onWallOrCeiling}, thicknessMM: []int{12, 18, 22}, sizesMM: [][2]int{{600, 2400}, {605, 2440}, {530, 2780}, {600, 3000}},
		gapsMM: []int{0, 30, 45, 100}, mounting: [2]string{"A", "wall"}, fireClasses: wooden,
	},
	{
		names:  []phrase{{"Mikroperforierte Folie", "Micro-perforated foil"}, {"Folienabsorber", "Foil absorber"}, {"Spanndecke", "Stretch ceiling"}},
		weight: 4, family: microperforated, shape: "sheet", materials: []string{"folie"},
		installations: [][]string{onCeiling, onWallOrCeiling, atWindow}, thicknessMM: []int{1}, sizesMM: [][2]int{{1500, 3000}, {1200, 10000}, {2000, 2500}},
		gapsMM: []int{30, 50, 100, 150, 200}, mounting: [2]string{"A", "E"}, fireClasses: []string{"B-s1,d0", "B-s2,d0", "C-s2,d0"},
	},
	{
		names:  []phrase{{"Mikroperforiertes Paneel", "Micro-perforated panel"}, {"Glasabsorber", "Glass absorber"}, {"Transparentabsorber", "Transparent absorber"}},
		weight: 3, family: microperforated, shape: "panel", materials: []string{"scheibe"},
		installations: [][]string{onWall, onWallOrCeiling, standing}, thicknessMM: []int{1, 3, 4, 5}, sizesMM: panelSizes,
		gapsMM: []int{30, 50, 100, 200}, mounting: [2]string{"A", "E"}, fireClasses: noncombustible,
	},
	{
		names:  []phrase{{"Akustikbaffel", "Acoustic baffle"}, {"Deckenbaffel", "Ceiling baffle"}, {"Kulissenabsorber", "Vertical absorber"}},
		weight: 7, family: porous, shape: "baffle", materials: []string{"mineralwolle", "schaumstoff", "kunststoff", "textil"},
		installations: [][]string{onCeiling}, thicknessMM: []int{24, 40, 50, 60, 80}, sizesMM: [][2]int{{1200, 300}, {1200, 400}, {1800, 300}, {2400, 200}, {1200, 600}},
		gapsMM: []int{200, 400}, mounting: [2]string{"J", "J"}, edges: [2]int{300, 600}, fireClasses: hardlyBurning,
	},
	{
		names:  []phrase{{"Stellwand", "Partition screen"}, {"Akustikstellwand", "Acoustic screen"}, {"Raumteiler", "Room divider"}},
		weight: 6, family: porous, shape: "panel", materials: []string{"textil", "schaumstoff", "mineralwolle"},
		installations: [][]string{standing, standing, standingOrWall}, thicknessMM: []int{30, 40, 50, 60}, sizesMM: [][2]int{{800, 1600}, {1000, 1800}, {1200, 1400}, {1600, 1650}},
		gapsMM: []int{0, 100}, mounting: [2]string{"free-standing", "free-standing"}, edges: [2]int{250, 350}, fireClasses: textiles,
	},
	{
		names:  []phrase{{"Tischtrennwand", "Desk divider"}, {"Schreibtischabsorber", "Desk absorber"}, {"Tischaufsatz", "Desk screen"}},
		weight: 4, family: porous, shape: "panel", materials: []string{"textil", "kunststoff", "naturfaser"},
		installations: [][]string{standing}, thicknessMM: []int{18, 24, 30, 40}, sizesMM: [][2]int{{1200, 400}, {1400, 450}, {1600, 600}, {800, 600}},
		gapsMM: []int{0}, mounting: [2]string{"free-standing", "free-standing"}, edges: [2]int{400, 700}, fireClasses: textiles,
	},
	{
		names:  []phrase{{"Bassfalle", "Bass trap"}, {"Tiefenabsorber", "Low-frequency absorber"}, {"Kantenabsorber", "Edge absorber"}},
		weight: 4, family: membrane, shape: "box", materials: []string{"holz", "metall"},
		installations: [][]string{onWall, standingOrWall, onWallOrCeiling}, thicknessMM: []int{100, 120, 150, 200, 250}, sizesMM: [][2]int{{600, 1200}, {500, 1000}, {400, 2000}, {1000, 1000}},
		gapsMM: []int{0}, mounting: [2]string{"A", "A"}, fireClasses: wooden,
	},
	{
		names:  []phrase{{"Plattenschwinger", "Panel resonator"}, {"Plattenresonator", "Plate resonator"}, {"Membranabsorber", "Membrane absorber"}},
		weight: 3, family: membrane, shape: "panel", materials: []string{"holz", "gips", "metall"},
		installations: [][]string{onWall, onWallOrCeiling}, thicknessMM: []int{50, 60, 80, 100}, sizesMM: panelSizes,
		gapsMM: []int{0}, mounting: [2]string{"A", "A"}, fireClasses: wooden,
	},
	{
		names:  []phrase{{"Akustikvorhang", "Acoustic curtain"}, {"Vorhangstoff", "Curtain fabric"}, {"Bühnenvorhang", "Stage curtain"}},
		weight: 5, family: porous, shape: "sheet", materials: []string{"stoff"},
		installations: [][]string{atWindow, {"window", "wall"}, onWall}, thicknessMM: []int{1, 2, 3}, sizesMM: [][2]int{{1400, 2500}, {3000, 3000}, {2800, 2600}},
		gapsMM: []int{50, 100, 150, 200}, mounting: [2]string{"G", "G"}, fireClasses: textiles,
	},
	{
		names:  []phrase{{"Akustikputz", "Acoustic plaster"}, {"Spritzputz", "Sprayed plaster"}, {"Fugenlose Akustikfläche", "Seamless acoustic surface"}},
		weight: 3, family: porous, shape: "sheet", materials: []string{"putz"},
		installations: [][]string{onCeiling, onWallOrCeiling}, thicknessMM: []int{6, 10, 15, 20, 25}, sizesMM: [][2]int{{1000, 1000}},
		gapsMM: []int{0}, mounting: [2]string{"B", "B"}, fireClasses: noncombustible,
	},
	{
		names:  []phrase{{"Noppenschaum", "Convoluted foam"}, {"Pyramidenschaum", "Pyramid foam"}, {"Schaumstoffabsorber", "Foam absorber"}},
		weight: 4, family: porous, shape: "panel", materials: []string{"schaumstoff"},
		installations: [][]string{onWall, onWallOrCeiling}, thicknessMM: []int{25, 30, 50, 70, 100}, sizesMM: [][2]int{{500, 500}, {1000, 500}, {1000, 2000}},
		gapsMM: []int{0, 0, 50}, mounting: [2]string{"A", "E"}, edges: [2]int{0, 150}, fireClasses: burning,
	},
	{
		names:  []phrase{{"Holzwolleplatte", "Wood wool board"}, {"Holzwolle-Akustikplatte", "Wood wool acoustic board"}, {"Leichtbauplatte", "Lightweight building board"}},
		weight: 4, family: porous, shape: "panel", materials: []string{"holzwolle"},
		installations: [][]string{onCeiling, onWallOrCeiling}, thicknessMM: []int{15, 25, 35, 50}, sizesMM: tileSizes,
		gapsMM: []int{0, 40, 200}, mounting: [2]string{"A", "E"}, fireClasses: []string{"A2-s1,d0", "B-s1,d0"},
	},
	{
		names:  []phrase{{"Säulenabsorber", "Column absorber"}, {"Akustiksäule", "Acoustic column"}, {"Zylinderabsorber", "Cylinder absorber"}},
		weight: 2, family: porous, shape: "cylinder", materials: []string{"schaumstoff", "mineralwolle", "textil"},
		installations: [][]string{standing, {"free-standing", "ceiling"}}, thicknessMM: []int{200, 250, 300, 350, 400}, sizesMM: [][2]int{{0, 1000}, {0, 1200}, {0, 1800}},
		gapsMM: []int{0}, mounting: [2]string{"free-standing", "free-standing"}, edges: [2]int{100, 300}, fireClasses: textiles,
	},
	{
		names:  []phrase{{"Kugelabsorber", "Spherical absorber"}, {"Akustikkugel", "Acoustic sphere"}, {"Absorberball", "Absorber ball"}},
		weight: 2, family: porous, shape: "sphere", materials: []string{"schaumstoff", "textil", "kunststoff"},
		installations: [][]string{onCeiling, {"ceiling", "free-standing"}}, thicknessMM: []int{200, 300, 400, 500, 600}, sizesMM: [][2]int{{0, 0}},
		gapsMM: []int{0}, mounting: [2]string{"ceiling", "ceiling"}, edges: [2]int{200, 400}, fireClasses: burning,
	},
	{
		names:  []phrase{{"Akustikwürfel", "Acoustic cube"}, {"Sitzwürfel", "Seating cube"}, {"Absorberblock", "Absorber block"}},
		weight: 2, family: porous, shape: "box", materials: []string{"schaumstoff", "textil", "naturfaser"},
		installations: [][]string{standing, {"free-standing", "floor"}}, thicknessMM: []int{300, 400, 450, 500}, sizesMM: [][2]int{{400, 400}, {450, 450}, {500, 500}},
		gapsMM: []int{0}, mounting: [2]string{"free-standing", "free-standing"}, edges: [2]int{300, 500}, fireClasses: textiles,
	},
	{
		names:  []phrase{{"Reihendiffusor", "Residue diffuser"}, {"QRD-Diffusor", "QRD diffuser"}, {"Schroeder-Diffusor", "Schroeder diffuser"}},
		weight: 3, family: residueDiffuser, shape: "box", materials: []string{"holz", "schaumstoff", "gips"},
		installations: [][]string{onWall, onWallOrCeiling}, thicknessMM: []int{0}, sizesMM: [][2]int{{0, 600}, {0, 1200}},
		gapsMM: []int{0}, mounting: [2]string{"A", "A"}, fireClasses: wooden,
	},
	{
		names:  []phrase{{"Halbzylinderdiffusor", "Half-cylinder diffuser"}, {"Polyzylinder", "Polycylinder"}, {"Wölbdiffusor", "Curved diffuser"}},
		weight: 2, family: curvedDiffuser, shape: "box", materials: []string{"holz", "gips", "formteil"},
		installations: [][]string{onWall, onWallOrCeiling}, thicknessMM: []int{0}, sizesMM: [][2]int{{0, 1200}, {0, 2400}},
		gapsMM: []int{0}, mounting: [2]string{"A", "A"}, fireClasses: wooden,
	},
	{
		names:  []phrase{{"Teppichfliese", "Carpet tile"}, {"Teppichboden", "Carpet"}, {"Textilbelag", "Textile floor covering"}},
		weight: 3, family: porous, shape: "sheet", materials: []string{"teppich"},
		installations: [][]string{onFloor}, thicknessMM: []int{5, 6, 8, 10, 12}, sizesMM: [][2]int{{500, 500}, {250, 1000}, {1000, 1000}},
		gapsMM: []int{0}, mounting: [2]string{"A", "A"}, fireClasses: floorings,
	},
	{
		names:  []phrase{{"Filzpaneel", "Felt panel"}, {"Filzabsorber", "Felt absorber"}, {"Akustikfilz", "Acoustic felt"}},
		weight: 6, family: porous, shape: "sheet", materials: []string{"textil", "kunststoff", "naturfaser"},
		installations: [][]string{onWall, onWallOrCeiling, standing}, thicknessMM: []int{5, 9, 12, 18, 24}, sizesMM: panelSizes,
		gapsMM: []int{0, 0, 25, 50, 100}, mounting: [2]string{"A", "E"}, edges: [2]int{0, 100}, fireClasses: textiles,
	},
	{
		names:  []phrase{{"Wabenabsorber", "Honeycomb absorber"}, {"Pappwabenplatte", "Cardboard honeycomb board"}, {"Papierabsorber", "Paper absorber"}},
		weight: 2, family: perforated, shape: "panel", materials: []string{"papier"},
		installations: [][]string{onWall, onWallOrCeiling, standing}, thicknessMM: []int{2, 3, 4}, sizesMM: panelSizes,
		gapsMM: []int{30, 50, 100}, mounting: [2]string{"A", "E"}, fireClasses: burning,
	},
	{
		names:  []phrase{{"Blähglasplatte", "Expanded glass board"}, {"Glasgranulatplatte", "Glass granulate board"}},
		weight: 2, family: porous, shape: "panel", materials: []string{"glas"},
		installations: [][]string{onWall, onWallOrCeiling, onCeiling}, thicknessMM: []int{25, 30, 40, 50}, sizesMM: panelSizes,
		gapsMM: []int{0, 50}, mounting: [2]string{"A", "E"}, fireClasses: noncombustible,
	},
	{
		names:  []phrase{{"Rohrschale", "Pipe section"}, {"Technikabsorber", "Plant room absorber"}, {"Kanalabsorber", "Duct absorber"}},
		weight: 2, family: porous, shape: "cylinder", materials: []string{"mineralwolle"},
		installations: [][]string{onWallOrCeiling, onCeiling}, thicknessMM: []int{100, 150, 200}, sizesMM: [][2]int{{0, 1000}, {0, 1200}},
		gapsMM: []int{0, 50}, mounting: [2]string{"I", "I"}, fireClasses: []string{"A1L", "A2L-s1,d0", "BL-s1,d0"},
	},
	{
		names:  []phrase{{"Korkpaneel", "Cork panel"}, {"Korkabsorber", "Cork absorber"}},
		weight: 1, family: porous, shape: "panel", materials: []string{"kork"},
		installations: [][]string{onWall, onWallOrCeiling}, thicknessMM: []int{10, 20, 30, 40}, sizesMM: panelSizes,
		gapsMM: []int{0, 30, 50}, mounting: [2]string{"A", "E"}, fireClasses: burning,
	},
}

var kindWeights = func() int {
	sum := 0
	for i := range kinds {
		sum += kinds[i].weight
	}
	return sum
}()

// pickKind returns an index of kinds, common ones more often.
func pickKind(d *dice) int {
	at := d.below(kindWeights)
	for i := range kinds {
		if at -= kinds[i].weight; at < 0 {
			return i
		}
	}
	panic("unreachable: the weights add up to kindWeights")
}
