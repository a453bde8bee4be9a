package synthetic

// A material is what a product is made of.
type material struct {
	phrase
	category      string
	resistivities []int // flow resistivity of its porous parts, Pa s/m²
	surfaces      []phrase
}

var (
	fabrics = []phrase{
		{"Wollstoff grau meliert", "mottled grey wool fabric"}, {"Stoffbezug petrol", "petrol fabric cover"}, {"Polyesterstoff weiß", "white polyester fabric"},
		{"Digitaldruck auf Textil", "digital print on fabric"}, {"Strickbezug anthrazit", "anthracite knitted cover"}, {"Stoffbezug senfgelb", "mustard fabric cover"},
	}
	fleeces = []phrase{
		{"Akustikvlies weiß", "white acoustic fleece"}, {"Akustikvlies schwarz", "black acoustic fleece"}, {"Farbbeschichtung RAL 9010", "paint coating RAL 9010"},
		{"Glasvlies naturton", "natural glass fleece"},
	}
	veneers = []phrase{
		{"Eiche furniert", "oak veneer"}, {"Nussbaum furniert", "walnut veneer"}, {"Melaminbeschichtung weiß", "white melamine"},
		{"Esche geölt", "oiled ash"}, {"HPL lichtgrau", "light grey HPL"}, {"Birke lackiert", "lacquered birch"},
	}
	coats = []phrase{
		{"Pulverbeschichtung RAL 9016", "powder coating RAL 9016"}, {"Pulverbeschichtung RAL 7016", "powder coating RAL 7016"}, {"eloxiert", "anodised"},
		{"gebürstet", "brushed"},
	}
	panes  = []phrase{{"klar", "clear"}, {"satiniert", "frosted"}, {"bedruckt", "printed"}}
	plains = []phrase{{"unbehandelt", "untreated"}, {"weiß gestrichen", "painted white"}, {"naturfarben", "natural colour"}, {"anthrazit", "anthracite"}}
)

// materialsOf lists the materials by what kinds call for; that is the category, or a narrower word.
var materialsOf = map[string][]material{
	"mineralwolle": {
		{phrase{"Steinwolle", "stone wool"}, "mineralwolle", []int{10_000, 14_000, 20_000, 30_000}, fleeces},
		{phrase{"Glaswolle", "glass wool"}, "mineralwolle", []int{8000, 12_000, 18_000, 26_000}, fleeces},
	},
	"textil": {
		{phrase{"Polyestervlies", "polyester fleece"}, "textil", []int{5000, 9000, 15_000, 25_000}, fabrics},
		{phrase{"Wollfilz", "wool felt"}, "textil", []int{20_000, 35_000, 60_000}, fabrics},
		{phrase{"Recyclingfaser", "recycled fibre"}, "textil", []int{9000, 16_000, 28_000}, fabrics},
	},
	"stoff": {
		{phrase{"FR-Gewebe", "flame-retardant weave"}, "textil", []int{150_000, 220_000, 320_000}, fabrics},
		{phrase{"Samt", "velvet"}, "textil", []int{120_000, 180_000, 260_000}, fabrics},
		{phrase{"Baumwollmolton", "cotton molleton"}, "textil", []int{100_000, 160_000, 240_000}, fabrics},
	},
	"teppich": {
		{phrase{"Polyamidflor", "polyamide pile"}, "textil", []int{20_000, 40_000, 70_000}, plains},
		{phrase{"Schurwollflor", "new wool pile"}, "textil", []int{15_000, 30_000, 50_000}, plains},
	},
	"schaumstoff": {
		{phrase{"Melaminharzschaum", "melamine foam"}, "schaumstoff", []int{8000, 10_000, 13_000}, append(fabrics[:2:2], plains...)},
		{phrase{"Polyurethanschaum", "polyurethane foam"}, "schaumstoff", []int{5000, 7000, 10_000, 15_000}, plains},
		{phrase{"Basaltschaum", "basalt foam"}, "schaumstoff", []int{12_000, 20_000}, plains},
	},
	"kunststoff": {
		{phrase{"PET-Vlies", "PET fleece"}, "kunststoff", []int{12_000, 20_000, 35_000, 50_000}, plains},
		{phrase{"rPET-Vlies", "recycled PET fleece"}, "kunststoff", []int{15_000, 28_000, 45_000}, fabrics},
	},
	"naturfaser": {
		{phrase{"Hanffaser", "hemp fibre"}, "naturfaser", []int{4000, 8000, 14_000}, plains},
		{phrase{"Schafwolle", "sheep's wool"}, "naturfaser", []int{3000, 6000, 10_000}, fabrics},
		{phrase{"Seegras", "seagrass"}, "naturfaser", []int{4000, 7000}, plains},
	},
	"holz": {
		{phrase{"MDF", "MDF"}, "holz", []int{6000, 12_000}, veneers},
		{phrase{"Fichte massiv", "solid spruce"}, "holz", []int{6000, 12_000}, veneers},
		{phrase{"Sperrholz", "plywood"}, "holz", []int{6000, 12_000}, veneers},
	},
	"holzwolle": {
		{phrase{"Holzwolle, zementgebunden", "cement-bonded wood wool"}, "holz", []int{3000, 5000, 8000}, plains},
		{phrase{"Holzwolle, magnesitgebunden", "magnesite-bonded wood wool"}, "holz", []int{2500, 4500, 7000}, plains},
	},
	"metall": {
		{phrase{"Stahlblech", "sheet steel"}, "metall", []int{9000, 15_000}, coats},
		{phrase{"Aluminium", "aluminium"}, "metall", []int{9000, 15_000}, coats},
	},
	"gips": {
		{phrase{"Gipskarton", "gypsum plasterboard"}, "gips", []int{8000, 14_000}, plains},
		{phrase{"Gipsfaser", "gypsum fibre"}, "gips", []int{8000, 14_000}, plains},
	},
	"glas": {
		{phrase{"Blähglasgranulat", "expanded glass granulate"}, "glas", []int{10_000, 18_000, 30_000}, plains},
	},
	"scheibe": {
		{phrase{"Verbundglas", "laminated glass"}, "glas", []int{20_000}, panes},
		{phrase{"Acrylglas", "acrylic glass"}, "kunststoff", []int{20_000}, panes},
		{phrase{"Polycarbonat", "polycarbonate"}, "kunststoff", []int{20_000}, panes},
	},
	"folie": {
		{phrase{"Polyesterfolie", "polyester foil"}, "kunststoff", []int{20_000}, panes},
		{phrase{"Polycarbonatfolie", "polycarbonate foil"}, "kunststoff", []int{20_000}, panes},
	},
	"formteil": {
		{phrase{"Tiefziehkunststoff", "thermoformed plastic"}, "kunststoff", []int{20_000}, coats[:2]},
	},
	"papier": {
		{phrase{"Wabenkarton", "honeycomb cardboard"}, "papier", []int{6000, 10_000}, plains},
		{phrase{"Zellulose", "cellulose"}, "papier", []int{6000, 10_000, 16_000}, plains},
	},
	"putz": {
		{phrase{"Mineralputz", "mineral plaster"}, "putz", []int{20_000, 35_000, 60_000}, plains},
		{phrase{"Kalkputz mit Blähton", "lime plaster with expanded clay"}, "putz", []int{15_000, 30_000}, plains},
	},
	"kork": {
		{phrase{"Presskork", "pressed cork"}, "kork", []int{40_000, 80_000}, plains},
	},
}
