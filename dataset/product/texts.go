package product

import (
	"cmp"
	"slices"
)

// localized returns the kind of a Text. A detail shows the German text, and the stored rest adds the other
// languages (see otherLanguages). A source record has a string if there is only German, otherwise an object.
func localized(pattern string, maxBytes int) kind[Text] {
	return kind[Text]{
		write: func(w *writer, t *Text) {
			switch {
			case len(*t) == 0:
				w.Null()
			case w.isSource && len(*t) > 1:
				w.Object(func() { t.write(w, "") })
			default:
				w.String(t.In(German))
			}
		},
		read:   func(r *reader, to *Text) { to.read(r) },
		absent: func(t Text) bool { return len(t) == 0 },
		cell: func(t Text) Cell {
			if len(t) == 0 {
				return Cell{}
			}
			return textCell(t.In(German))
		},
		schema: localizedSchema(pattern, maxBytes),
	}
}

// read adds what one of the two places of a stored record contains: the German text as a string, or the
// other languages as an object of strings by locale. The two can come in either order.
func (t *Text) read(r *reader) {
	byLocale := func(a, b Localized) int { return cmp.Compare(a.Locale, b.Locale) }
	if !r.at('"') {
		// A build writes one object. Only the last of several objects is used.
		*t = slices.DeleteFunc(*t, func(l Localized) bool { return l.Locale != German })
		for locale := range r.members {
			*t = append(*t, Localized{locale, r.text()})
		}
		slices.SortFunc(*t, byLocale)
		return
	}
	german := Localized{German, r.text()}
	at, found := slices.BinarySearchFunc(*t, german, byLocale)
	if !found {
		*t = slices.Insert(*t, at, german)
	}
	(*t)[at] = german
}

// otherLanguages returns a function that writes an object of the languages except German, and reports whether
// there are any. Every Text contains German.
func otherLanguages(text func(*Product) Text) func(w *writer, p *Product) bool {
	return func(w *writer, p *Product) bool {
		t := text(p)
		if len(t) < 2 {
			return false
		}
		w.Object(func() { t.write(w, German) })
		return true
	}
}

// write writes the strings as members by locale. It omits the locale without; "" omits none.
func (t Text) write(w *writer, without string) {
	for _, l := range t {
		if l.Locale != without {
			w.Key(l.Locale).String(l.Text)
		}
	}
}
