package cells

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/workbook"
	"sabine/dataset/product"
)

// isMeasure reports whether a field's cells are coefficients, ratings or lengths.
func isMeasure(f columns.Field) bool {
	others := []columns.Field{columns.Coefficient, columns.AlphaW, columns.AlphaWMin, columns.NRC, columns.SAA,
		columns.Size}
	return strings.HasSuffix(string(f), "_mm") || slices.Contains(others, f)
}

// units counts the units in a column of lengths whose name contains none.
type units struct {
	bare, other finding // lengths without a unit, and lengths not in mm; problem is the first text
	inMM        int
}

// readLength reads a length of a set-up, or an edge of the product if to is nil. If two columns contain the
// same length, it uses the first.
func (r *Reader) readLength(in cell, to *Length) {
	c := in.column
	mm, own, ok := r.lengthOf(in)
	switch u := &c.units; {
	case !ok || c.Unit != "":
	case own == "mm":
		u.inMM++
	case own != "":
		r.countUnit(&u.other, in)
	case mm != 0: // 0 needs no unit
		r.countUnit(&u.bare, in)
	}
	switch {
	case !ok || in.kind == workbook.Percent:
		r.refuse(in, "is not a length in mm, cm, m or inches")
	case own != "" && c.Unit != "" && own != c.Unit:
		r.fault(c, "mixed units: the column name says "+c.Unit+", got "+dataset.Quoted(in.text))
	case to == nil && mm == 0:
		r.refuse(in, "is not a length greater than 0")
	case to == nil:
		r.add(in, c.Field, columns.FormatNumber(mm))
	case to.Known && to.MM != mm:
		r.refuse(in, "differs from the value in another column")
	default:
		*to = Length{mm, true}
	}
}

// countUnit counts a length in a column whose name contains no unit.
func (r *Reader) countUnit(counted *finding, in cell) {
	counted.problem = cmp.Or(counted.problem, in.text)
	r.count(counted, in.column)
}

// mixed returns the fault of a column in which some lengths have no unit and others have a unit other than
// mm. For any other column the Problem is empty. If most units are mm, the fault does not concern the whole
// table.
func (u *units) mixed() (f dataset.Fault) {
	if u.bare.count == 0 || u.other.count == 0 {
		return f
	}
	f = u.bare.Fault
	f.Problem = "mixed units: " + dataset.Quoted(u.bare.problem) + " has no unit here, but " +
		u.other.Place.Cell + " has " + dataset.Quoted(u.other.problem)
	if f.Whole = u.inMM <= u.other.count; f.Whole {
		f.Problem += "; write a unit in each cell or in the column name"
	} else {
		f.Problem += "; read as millimetres, like most cells in this column"
	}
	return f
}

func sizeOf(in cell) (string, bool) { return columns.ParseSize(in.text, in.column.Unit, in.decimal) }

// resolveDepth sets the air gap to the overall depth minus the thickness. It stores the depth as text if it
// is less than the thickness or contradicts the other lengths.
func (r *Reader) resolveDepth() {
	depth, thickness, gap := r.row.Depth, r.row.Thickness, r.row.AirGap
	r.row.Depth = Length{}
	switch left := math.Round((depth.MM-thickness.MM)*1e6) / 1e6; { // without float64 rounding errors
	case !depth.Known, thickness.Known && gap.Known && left == gap.MM:
		return
	case thickness.Known && !gap.Known && left >= 0:
		r.row.AirGap = Length{left, true}
		return
	case thickness.Known:
		problem := "the overall depth of " + depth.String() + " contradicts the thickness of " + thickness.String()
		if gap.Known {
			problem += " and the air gap of " + gap.String()
		}
		r.warn(r.pending.depth, problem+"; the depth is stored as text in structured_meta")
	default:
		r.row.Depth = depth
	}
	r.storeText(r.pending.depth.index, r.pending.depth.Header, depth.String())
}

// withoutFootnote removes a footnote mark after a number: "0,85*", "0,85 ¹⁾", "0,85 1)".
func withoutFootnote(text string) string {
	end := len(text)
	switch last := text[end-1]; {
	case last >= '0' && last <= '9' || last == '%':
		return text
	case end > 3 && last == ')' && text[end-3] == ' ' && text[end-2] >= '1' && text[end-2] <= '9':
		text = text[:end-3]
	}
	return strings.TrimRight(text, "*†‡¹²³⁴⁵⁶⁷⁸⁹⁰⁽⁾ ")
}

// nameSeparators separate the parts of a name before a rating.
var nameSeparators = strings.NewReplacer(" ", "", "_", "", "=", "", ":", "", ",", "")

// readRating reads an absorption rating, with or without its name: "αw = 0,6". Shape letters after alpha_w,
// as in "0.55(MH)", and a class after them are separate fields. A rating over the limit is a percentage
// without "%".
func (r *Reader) readRating(in cell) {
	f, expected, limit := in.column.Field, "is not a number", product.AbsorptionLimit
	if f == columns.AlphaW || f == columns.AlphaWMin {
		expected, limit = `is not a rating such as "0.55 (MH)"`, 1
	}
	text, digits := withoutFootnote(in.text), in
	class := classAfter.FindStringSubmatch(text)
	if class != nil {
		text = strings.TrimSuffix(text, class[0])
	}
	start, end := strings.IndexAny(text, "0123456789.,+-−"), strings.LastIndexAny(text, "0123456789%.")+1
	name := func() string { return nameSeparators.Replace(columns.Fold(text[:start])) }
	if start < 0 || end <= start || start > 0 && name() != "" && words[word{f, name()}] == "" {
		r.refuse(in, expected)
		return
	}
	letters := cell{text: strings.TrimSpace(text[end:])}
	shape, isShape := shapeLetters(letters)
	digits.text = text[start:end]
	switch rating, _, ok := digits.number(); {
	case !ok, rating < 0, letters.text != "" && (f != columns.AlphaW || !isShape):
		r.refuse(in, expected)
	case rating > limit:
		r.fault(in.column, "rating "+columns.FormatNumber(rating)+" is out of range: expected 0 to "+
			columns.FormatNumber(limit)+markHint)
	default:
		r.add(in, f, columns.FormatNumber(rating))
		if isShape {
			r.add(in, columns.ShapeInd, shape)
		}
		if class != nil {
			r.add(in, columns.Class, class[1])
		}
	}
}

// classAfter matches an absorption class after alpha_w: "αw = 0,65(MH), Klasse C".
var classAfter = regexp.MustCompile(`(?i)[,;/]? *\b(?:[a-zä]*klasse|(?:absorption |absorber )?class) ((?-i:[A-E]))$`)

// shapeLetters returns the shape indicators from ISO 11654 in order.
func shapeLetters(in cell) (letters string, ok bool) {
	text := strings.ToUpper(in.text)
	if strings.Trim(text, "LMH ()[],/;+-") != "" {
		return "", false
	}
	for _, letter := range []string{"L", "M", "H"} {
		n := strings.Count(text, letter)
		if n > 1 {
			return "", false
		}
		letters += letter[:n]
	}
	return letters, letters != ""
}

// clock formats a stored number of days as the time that a spreadsheet program shows, "8:30".
func clock(days string) string {
	n, _ := columns.ParseNumber(days)
	seconds := int(math.Round(n.Value(false) * 24 * 60 * 60))
	text := fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	return strings.TrimSuffix(text, ":00")
}
