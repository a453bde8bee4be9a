package workbook

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A format defines how numbers are shown.
type format struct {
	kind   Kind   // Number, Percent, Date or Time
	digits int    // minimum number of digits, with leading zeros: the article number "00417" is stored as 417
	suffix string // text after the number: " mm"
	struck bool   // whether the style's font is struck out
}

// formatsOf returns the formats by style. Percentages, dates and lengths are stored as plain numbers, and
// only their formats distinguish them.
func formatsOf(part *part) ([]format, error) {
	if part == nil {
		return nil, nil
	}
	own, styles, section := map[string]format{}, []format(nil), ""
	struck, fonts := map[string]bool{}, 0 // struck-out fonts by number; number of fonts
	err := part.walk(func(token xml.Token) (valued bool, err error) {
		switch t := token.(type) {
		case xml.StartElement:
			switch id := attribute(t, "numFmtId"); {
			case t.Name.Local == "fonts", t.Name.Local == "cellXfs":
				section = t.Name.Local
			case section == "fonts" && t.Name.Local == "font":
				fonts++
			case section == "fonts" && t.Name.Local == "strike" && !isFalse(attribute(t, "val")):
				struck[strconv.Itoa(fonts-1)] = true
			case t.Name.Local == "numFmt":
				own[id], valued = formatOf(attribute(t, "formatCode")), true
			case section == "cellXfs" && t.Name.Local == "xf":
				f, ok := own[id]
				if !ok {
					f.kind = kindOfBuiltIn(id)
				}
				f.struck = struck[attribute(t, "fontId")]
				styles, valued = append(styles, f), true
			}
		case xml.EndElement:
			if t.Name.Local == section {
				section = ""
			}
		}
		if len(own)+len(styles)+fonts > maxStyles {
			return false, fmt.Errorf("more than %d styles", maxStyles)
		}
		return valued, nil
	})
	return styles, err
}

// isFalse reports whether an attribute is present and false.
func isFalse(value string) bool { return value == "0" || value == "false" }

// isTrue reports whether an attribute is present and true.
func isTrue(value string) bool { return value == "1" || value == "true" }

// kindOfBuiltIn returns the kind of number for a built-in format, which has a number and no code.
func kindOfBuiltIn(number string) Kind {
	id, _ := strconv.Atoi(number)
	switch {
	case id == 9, id == 10:
		return Percent
	case id >= 14 && id <= 17, id == 22, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return Date
	case id >= 18 && id <= 21, id >= 45 && id <= 47:
		return Time
	}
	return Number
}

// formatOf parses a format like `0.0%`, `dd/mm/yyyy`, `00000` or `0.00" m²"`. Its first section is for
// positive numbers.
func formatOf(code string) format {
	f := format{kind: Number}
	if len(code) <= maxDigits && strings.Trim(code, "0") == "" {
		f.digits = len(code)
		return f
	}
	clock, suffix := false, strings.Builder{}
	for i := 0; i < len(code) && code[i] != ';'; i++ {
		switch code[i] {
		case '"', '[': // literal text; colours, locales and unlimited hours, such as [h]
			end := map[byte]string{'"': `"`, '[': "]"}[code[i]]
			length := strings.Index(code[i+1:], end)
			if length < 0 {
				return format{kind: Number}
			}
			if code[i] == '"' {
				suffix.WriteString(code[i+1 : i+1+length])
			} else if length > 0 && strings.Trim(code[i+1:i+1+length], "hHmMsS") == "" {
				clock = true
			}
			i += length + 1
		case '\\': // a literal character
			if i++; i < len(code) {
				suffix.WriteByte(code[i])
			}
		case '_', '*': // a blank as wide as the next character, or filling
			i++
		case ' ':
			suffix.WriteByte(' ')
		case '0', '#', '?':
			suffix.Reset()
		case '%':
			return format{kind: Percent}
		case 'd', 'D', 'y', 'Y':
			return format{kind: Date}
		case 'h', 'H', 's', 'S':
			clock = true
		case 'm', 'M':
			if strings.EqualFold(code[i:min(i+3, len(code))], "mmm") && !clock {
				return format{kind: Date}
			}
		}
	}
	if clock {
		f.kind = Time
	} else if strings.ContainsAny(code, "0#?") && suffix.Len() <= maxSuffix && utf8.ValidString(suffix.String()) {
		f.suffix = strings.TrimRight(suffix.String(), " ")
	}
	return f
}

// The limits for a number in its format.
const (
	maxDigits = 15      // digits with leading zeros
	maxSuffix = 4 * 255 // bytes after a number, because a format has at most 255 characters
)

// date returns the day of a stored number, and its time to the second. Day 1 is 1900-01-01 or 1904-01-02.
// Days since 1900 include 1900-02-29, which did not exist: day 60 is read as the 28th.
func (x *xlsx) date(number string) (string, bool) {
	days, err := strconv.ParseFloat(number, 64)
	if err != nil || !(days >= 1 && days < 2_958_466) { // from 1900-01-01 to 9999-12-31
		return "", false
	}
	seconds := int(math.Round(days * (24 * 60 * 60)))
	t := time.Date(1899, time.December, 30, 0, 0, seconds, 0, time.UTC)
	switch {
	case x.date1904:
		t = time.Date(1904, time.January, 1, 0, 0, seconds, 0, time.UTC)
	case seconds < 60*24*60*60:
		t = t.AddDate(0, 0, 1)
	}
	return dateText(t), t.Year() <= 9999
}

// dateCell returns the cell for a date that is stored as text in ISO 8601.
func dateCell(text string) Cell {
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05", time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return Cell{Text: dateText(t), Kind: Date}
		}
	}
	return Cell{Text: text}
}

// dateText formats a date, with its time unless that is 0:00.
func dateText(t time.Time) string {
	return strings.TrimSuffix(t.Format("2006-01-02T15:04:05"), "T00:00:00")
}

// decimal returns a stored number without an exponent, and without digits from binary arithmetic: 0.05 for
// 5.0000000000000003E-2, which is the same float64. It reports whether the text is a number.
func decimal(text []byte) ([]byte, bool) {
	digits, point, exponent := 0, false, false
	for i, b := range text {
		switch {
		case b >= '0' && b <= '9':
			digits++
		case b == '.' && !point && !exponent:
			point = true
		case b == '-' && i == 0:
		case (b == 'e' || b == 'E') && digits > 0 && !exponent:
			exponent = true
		case (b == '-' || b == '+') && exponent && text[i-1]|0x20 == 'e':
		default:
			return nil, false
		}
	}
	if digits == 0 {
		return nil, false
	}
	if !exponent && (digits <= 15 || !point) {
		return text, true
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return nil, false
	}
	return strconv.AppendFloat(nil, f, 'f', -1, 64), true
}
