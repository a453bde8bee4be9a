package acoustics

// Most of the sources are books, and one is a standard. All are quoted by public pages and programs.
const (
	ait       = "ait-xia-dialog.de, AIT 12/2019, page 153, table 5"
	bies      = "Bies, Hansen, Howard: Engineering Noise Control, 5th edition, table 6.2 (github.com/jmrplens/phonometry)"
	calculla  = "calculla.com/sound_alpha_coefficients"
	din       = "DIN 18041:2016 (github.com/moritzxt/raumakustik, database)"
	flooring  = "boden-ideen.de/infos/schallabsorptionsgrad"
	hall      = "Hall: Basic Acoustics, 1987 (RAZR, get_abscoeff_hall.m)"
	howard    = "Howard, Angus: Acoustics and Psychoacoustics, 2001 (postaudio.co.uk, coefficients_table.html)"
	schweizer = "schweizer-fn.de/stoff/akustik/absorptionsfaktoren.php"
	sengpiel  = "sengpielaudio.com/calculator-RT60Coeff.htm"
	scribd    = "Coefficients of Absorption, table 27.1 (scribd.com/document/711559899)"
	vorlander = "Vorländer: Auralization, appendix (github.com/LCAV/pyroomacoustics)"
	willems   = "Willems, Schild, Stricker: Formeln und Tabellen Bauphysik, 4th edition, page 441 (a public program)"
)

// BuildingSurfaces are common surfaces of buildings: walls, ceilings, openings, floors, curtains.
var BuildingSurfaces = []BuildingSurface{
	{"concrete", "Beton, unverputzt", "Concrete, unplastered",
		Coefficients{0.02, 0.02, 0.03, 0.04, 0.05, 0.05}, sources{din, vorlander}},
	{"plaster", "Glattputz auf Mauerwerk", "Smooth plaster on masonry",
		Coefficients{0.02, 0.02, 0.03, 0.03, 0.04, 0.06}, sources{din, schweizer}},
	{"wallpaper", "Tapete auf Kalkzementputz", "Wallpaper on lime-cement plaster",
		Coefficients{0.02, 0.03, 0.04, 0.05, 0.07, 0.08}, sources{din}},
	{"brick", "Ziegelmauerwerk, unverputzt", "Brickwork, unplastered",
		Coefficients{0.03, 0.03, 0.03, 0.04, 0.05, 0.06}, sources{din, sengpiel}},
	{"brick-painted", "Ziegelmauerwerk, gestrichen", "Brickwork, painted",
		Coefficients{0.01, 0.01, 0.02, 0.02, 0.02, 0.03}, sources{sengpiel, vorlander}},
	{"concrete-block", "Hohlblocksteine, grob, unverputzt", "Concrete block, coarse, unpainted",
		Coefficients{0.36, 0.44, 0.31, 0.29, 0.39, 0.25}, sources{sengpiel, hall}},
	{"concrete-block-painted", "Hohlblocksteine, gestrichen", "Concrete block, painted",
		Coefficients{0.10, 0.05, 0.06, 0.07, 0.09, 0.08}, sources{sengpiel, hall}},
	{"gypsum-board", "Gipsplatten auf Ständern, Hohlraum leer", "Gypsum board on studs, empty cavity",
		Coefficients{0.29, 0.10, 0.05, 0.04, 0.07, 0.09}, sources{bies, howard}},
	{"gypsum-board-double", "Gipsplatten, 2 × 13 mm auf Ständern, 50 mm Mineralwolle",
		"Gypsum board, 2 × 13 mm on studs, 50 mm mineral wool",
		Coefficients{0.15, 0.10, 0.06, 0.04, 0.04, 0.05}, sources{vorlander}},
	{"gypsum-ceiling", "Gipsplattendecke, abgehängt, ungelocht", "Gypsum board ceiling, suspended, not perforated",
		Coefficients{0.20, 0.15, 0.10, 0.08, 0.04, 0.02}, sources{vorlander}},
	{"plaster-on-lath", "Putz auf Putzträger", "Plaster on lath",
		Coefficients{0.14, 0.10, 0.06, 0.05, 0.04, 0.03}, sources{scribd, howard}},
	{"wood-panelling", "Holzbekleidung, 12 mm auf Lattung", "Wood panelling, 12 mm on battens",
		Coefficients{0.27, 0.23, 0.22, 0.15, 0.10, 0.07}, sources{vorlander, howard}},
	{"chipboard", "Holz- oder Spanplatte, dicht vor festem Untergrund", "Wood or chipboard, close to a solid wall",
		Coefficients{0.04, 0.04, 0.05, 0.06, 0.06, 0.06}, sources{din}},
	{"bookshelf", "Bücherregal, je m² Ansichtsfläche", "Bookshelf, by m² of its front",
		Coefficients{0.30, 0.39, 0.39, 0.31, 0.29, 0.21}, sources{din}},
	{"mirror", "Spiegel vor der Wand", "Mirror on a wall",
		Coefficients{0.12, 0.10, 0.05, 0.04, 0.02, 0.02}, sources{din}},
	{"window", "Fenster, Isolierverglasung", "Window, insulating glass",
		Coefficients{0.28, 0.20, 0.11, 0.06, 0.03, 0.03}, sources{din}},
	{"window-single", "Fenster, Einfachverglasung", "Window, single glazing",
		Coefficients{0.35, 0.25, 0.18, 0.12, 0.07, 0.04}, sources{bies, sengpiel}},
	{"glass", "Glas, große schwere Scheiben", "Glass, large heavy panes",
		Coefficients{0.18, 0.06, 0.04, 0.03, 0.02, 0.02}, sources{bies, calculla}},
	{"door", "Tür, Holz, lackiert", "Door, wood, painted",
		Coefficients{0.10, 0.08, 0.06, 0.05, 0.05, 0.05}, sources{din, calculla}},
	{"tiles", "Fliesen, Klinker", "Tiles, clinker",
		Coefficients{0.01, 0.01, 0.02, 0.02, 0.03, 0.03}, sources{din, flooring}},
	{"marble", "Marmor, glasierte Fliesen", "Marble, glazed tiles",
		Coefficients{0.01, 0.01, 0.01, 0.01, 0.02, 0.02}, sources{bies, vorlander}},
	{"terrazzo", "Terrazzo, Estrich", "Terrazzo, screed",
		Coefficients{0.01, 0.01, 0.01, 0.02, 0.02, 0.02}, sources{bies, scribd}},
	{"linoleum", "Linoleum auf Beton", "Linoleum on concrete",
		Coefficients{0.02, 0.02, 0.03, 0.03, 0.04, 0.04}, sources{din, bies}},
	{"pvc", "PVC-Belag auf Beton", "Vinyl flooring on concrete",
		Coefficients{0.01, 0.02, 0.01, 0.03, 0.05, 0.05}, sources{din, calculla}},
	{"parquet", "Parkett, aufgeklebt", "Parquet, glued",
		Coefficients{0.04, 0.04, 0.05, 0.06, 0.06, 0.06}, sources{din, calculla}},
	{"parquet-on-subfloor", "Parkett auf Blindboden", "Parquet on a subfloor",
		Coefficients{0.20, 0.15, 0.10, 0.09, 0.06, 0.10}, sources{din}},
	{"wood-floor", "Holzboden auf Lagerhölzern", "Wood floor on joists",
		Coefficients{0.15, 0.11, 0.10, 0.07, 0.06, 0.07}, sources{bies, sengpiel}},
	{"platform", "Podium, Holz, hohl", "Platform, wood, hollow",
		Coefficients{0.40, 0.30, 0.20, 0.17, 0.15, 0.10}, sources{bies, hall}},
	{"carpet-thin", "Teppichboden, bis 6 mm", "Carpet, up to 6 mm",
		Coefficients{0.02, 0.04, 0.07, 0.19, 0.29, 0.35}, sources{din, vorlander}},
	{"carpet", "Teppichboden, 7 bis 10 mm", "Carpet, 7 to 10 mm",
		Coefficients{0.04, 0.07, 0.14, 0.30, 0.51, 0.78}, sources{din, willems}},
	{"carpet-on-felt", "Teppichboden, 5 mm auf 5 mm Filz", "Carpet, 5 mm on 5 mm felt",
		Coefficients{0.07, 0.21, 0.57, 0.68, 0.81, 0.72}, sources{din, bies}},
	{"needle-felt", "Nadelfilz, 7 mm", "Needle felt, 7 mm",
		Coefficients{0.02, 0.04, 0.12, 0.20, 0.36, 0.57}, sources{din, ait}},
	{"curtain-light", "Vorhang, leicht, glatt vor der Wand, 0,34 kg/m²", "Curtain, light, flat on the wall, 0.34 kg/m²",
		Coefficients{0.03, 0.04, 0.11, 0.17, 0.24, 0.35}, sources{bies, sengpiel}},
	{"curtain-medium", "Vorhang, mittel, auf halbe Breite gerafft, 0,48 kg/m²",
		"Curtain, medium, draped to half its width, 0.48 kg/m²",
		Coefficients{0.07, 0.31, 0.49, 0.75, 0.70, 0.60}, sources{bies, sengpiel}},
	{"curtain-heavy", "Vorhang, schwer, auf halbe Breite gerafft, 0,61 kg/m²",
		"Curtain, heavy, draped to half its width, 0.61 kg/m²",
		Coefficients{0.14, 0.35, 0.55, 0.72, 0.70, 0.65}, sources{bies, sengpiel}},
	{"water", "Wasserfläche", "Surface of water",
		Coefficients{0.01, 0.01, 0.01, 0.015, 0.02, 0.03}, sources{bies}},
}

// RoomObjects are people and chairs. For chairs, the sources give coefficients for two chairs per m². The
// table contains half of each value.
var RoomObjects = []RoomObject{
	{"person-standing", "Person, stehend, eine je 6 m², typischer Höchstwert",
		"Person, standing, one to 6 m², a typical maximum", true,
		AbsorptionAreas{0.12, 0.45, 0.80, 1.20, 1.30, 1.40}, sources{din}},
	{"person-seated", "Person auf ungepolstertem Stuhl, mit dem Stuhl", "Person on a hard chair, chair included", true,
		AbsorptionAreas{0.15, 0.30, 0.40, 0.45, 0.55, 0.55}, sources{din}},
	{"person-light-upholstery", "Person auf leicht gepolstertem Stuhl, ohne den Stuhl",
		"Person on a lightly upholstered chair, chair not included", true,
		AbsorptionAreas{0.10, 0.15, 0.20, 0.25, 0.25, 0.25}, sources{din}},
	{"person-heavy-upholstery", "Person auf stark gepolstertem Stuhl, ohne den Stuhl",
		"Person on a heavily upholstered chair, chair not included", true,
		AbsorptionAreas{0.05, 0.05, 0.05, 0.10, 0.10, 0.15}, sources{din}},
	{"child", "Kind in einer Vorschuleinrichtung, ohne Angabe zum Stuhl",
		"Child in a nursery school, without a chair stated", true,
		AbsorptionAreas{0.05, 0.10, 0.15, 0.20, 0.30, 0.25}, sources{din}},
	{"pupil-primary", "Schüler bis 11 Jahre am Tisch, mit dem Stuhl", "Pupil up to 11 years at a table, chair included",
		true, AbsorptionAreas{0.05, 0.10, 0.20, 0.35, 0.40, 0.45}, sources{din}},
	{"pupil-secondary", "Schüler ab 12 Jahren am Tisch, mit dem Stuhl", "Pupil from 12 years at a table, chair included",
		true, AbsorptionAreas{0.10, 0.15, 0.35, 0.50, 0.50, 0.55}, sources{din}},
	{"chair-wood", "Stuhl, Holz, leer", "Chair, wood, empty", false,
		AbsorptionAreas{0.025, 0.04, 0.05, 0.06, 0.06, 0.06}, sources{vorlander, calculla}},
	{"chair-upholstered", "Saalstuhl, gepolstert, leer", "Theatre chair, upholstered, empty", false,
		AbsorptionAreas{0.22, 0.30, 0.385, 0.445, 0.41, 0.35}, sources{vorlander, bies}},
}
