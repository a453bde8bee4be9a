package indexes

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"testing"

	"sabine/indexes/column"
)

func TestAppendBodyAppends(t *testing.T) {
	body, alone := testBody(3)
	got := AppendBody([]byte("before"), &body, viewsOf(&body))
	if !bytes.Equal(got, append([]byte("before"), alone...)) {
		t.Errorf("%q after other bytes, %q without", got, alone)
	}
}

// viewsOf returns the ranges of a body's views, up to the first range outside of its text. It removes the
// views from the body, because AppendBody sets them.
func viewsOf(b *Body) (views [numViews]View) {
	for i, list := range b.views {
		for ; len(list) >= rangeSize; list = list[rangeSize:] {
			start, length := uint64(binary.LittleEndian.Uint32(list)), uint64(binary.LittleEndian.Uint32(list[4:]))
			if start > uint64(len(b.Text)) || length > uint64(len(b.Text))-start {
				break
			}
			views[i] = append(views[i], [2]int{int(start), int(start + length)})
		}
		b.views[i] = nil
	}
	return views
}

func TestViewsOfABody(t *testing.T) {
	for i, want := range map[int][numViews]string{
		2: {`{"id":2,"label":"Label 2","alphaW":0.2}`, `}`, `{"id":2,"alphaW":0.2,"absorption_iso354":[{"id":"abs-2"}]}`},
		3: {`{"id":3,"label":"Label 3","alphaW":0.3}`, `{"id":3,"label":"translated 3","alphaW":0.3}`,
			`{"id":3,"alphaW":0.3,"absorption_iso354":[{"id":"abs-3"}]}`},
	} {
		_, record := testBody(i)
		body, ok := decodeBody(record)
		if !ok {
			t.Fatal("its own record is refused")
		}
		for view, want := range want {
			if got := string(body.AppendView([]byte("before "), view)); got != "before "+want {
				t.Errorf("view %d of body %d: %s, want %s", view, i, got, want)
			}
			if got := body.HasView(view); got != (want != "}") {
				t.Errorf("view %d of body %d: HasView is %t", view, i, got)
			}
		}
	}
}

func TestViewStopsAtInvalidRange(t *testing.T) {
	const most = math.MaxUint32
	for _, test := range []struct {
		rule string
		list []uint32
		want string
	}{
		{"all of it", []uint32{0, 6}, "abcdef}"},
		{"nothing at its end", []uint32{6, 0, 0, 1}, "a}"},
		{"an offset after the end", []uint32{1, 2, 7, 0, 0, 1}, "bc}"},
		{"a length over the end", []uint32{1, 2, 5, 2, 0, 1}, "bc}"},
		{"the greatest offset", []uint32{1, 2, most, 1}, "bc}"},
		{"the greatest length", []uint32{1, 2, 1, most}, "bc}"},
		{"an offset without a length", []uint32{1, 2, 3}, "bc}"},
		{"more than the text has", []uint32{0, 6, 0, 1}, "abcdef}"},
	} {
		var list []byte
		for _, n := range test.list {
			list = binary.LittleEndian.AppendUint32(list, n)
		}
		body := Body{Text: []byte("abcdef"), views: [numViews][]byte{ViewCompare: list}}
		if got := string(body.AppendView(nil, ViewCompare)); got != test.want {
			t.Errorf("%s: %s, want %s", test.rule, got, test.want)
		}
	}
}

// TestDamagedRecords checks that damage is detected when a record is decoded or when a checksum is verified.
func TestDamagedRecords(t *testing.T) {
	_, whole := testBody(3)
	for n := range whole {
		if body, ok := decodeBody(whole[:n:n]); ok || !reflect.DeepEqual(body, Body{}) {
			t.Errorf("%d bytes of %d are read as %+v", n, len(whole), body)
		}
	}
	if _, ok := decodeBody(append(bytes.Clone(whole), 0)); ok {
		t.Error("a record with one more byte is read")
	}
	for at := range whole {
		for flip := 1; flip < 256; flip++ {
			record := bytes.Clone(whole)
			record[at] ^= byte(flip)
			if body, ok := decodeBody(record); ok && isSound(&body) {
				t.Errorf("byte %d of %d, %#x for %#x: not noticed", at, len(whole), record[at], whole[at])
			}
		}
	}
}

// isSound reports whether all parts of a body match their checksums.
func isSound(b *Body) bool {
	for sum := range numSums {
		if !b.Matches(sum, b.appendSummed(nil, sum)) {
			return false
		}
	}
	return true
}

func TestEqualContent(t *testing.T) {
	_, record := testBody(3)
	body, _ := decodeBody(record)
	for rule, change := range map[string]func(record []byte, b *Body){
		"a summary":         func(_ []byte, b *Body) { b.Text[1]++ },
		"the geometry":      func(_ []byte, b *Body) { b.Text[b.DetailEnd]++ },
		"an English label":  func(_ []byte, b *Body) { b.Text[b.RestEnd-len(`x"}}`)]++ },
		"only in views":     func(_ []byte, b *Body) { b.Text[b.RestEnd]++ },
		"the tag":           func(record []byte, b *Body) { record[len(record)-len(b.Gzip)-1]++ },
		"in no detail: no":  func(_ []byte, b *Body) { b.Text[b.GeometryEnd]++ },
		"the gzip form: no": func(record []byte, _ *Body) { record[len(record)-1]++ },
		"nothing: no":       func([]byte, *Body) {},
	} {
		raw := bytes.Clone(record)
		changed, _ := decodeBody(raw)
		change(raw, &changed)
		views := viewsOf(&changed)
		other, _ := decodeBody(AppendBody(nil, &changed, views))
		if got, want := body.EqualContent(&other), strings.HasSuffix(rule, ": no"); got != want {
			t.Errorf("%s: EqualContent is %t", rule, got)
		}
	}
	if body.EqualContent(&Body{}) || (&Body{}).EqualContent(&body) || (&Body{}).EqualContent(&Body{}) {
		t.Error("bodies that were not read show the same")
	}
}

// FuzzBody decodes a record, encodes the resulting body, and compares the new record with the old one.
func FuzzBody(f *testing.F) {
	for i := range 4 {
		_, record := testBody(i)
		f.Add(record)
		f.Add(record[:len(record)-1])
	}
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0xff}, 400))
	f.Fuzz(func(t *testing.T, record []byte) {
		body, ok := decodeBody(record)
		if !ok {
			if !reflect.DeepEqual(body, Body{}) {
				t.Errorf("an invalid body %+v was decoded", body)
			}
			return
		}
		var parts [numSums][]byte
		for sum := range numSums {
			parts[sum] = body.appendSummed(nil, sum)
		}
		again := body
		views := viewsOf(&again)
		again, ok = decodeBody(AppendBody(nil, &again, views))
		if !ok || !isSound(&again) {
			t.Fatalf("%+v becomes %+v, %v, sound: %t", body, again, ok, isSound(&again))
		}
		if again.Marks != body.Marks || !bytes.Equal(again.Text, body.Text) {
			t.Errorf("%+v becomes %+v", body, again)
		}
		for sum := range numSums {
			if got := again.appendSummed(nil, sum); !bytes.Equal(got, parts[sum]) {
				t.Errorf("bytes of checksum %d: %q becomes %q", sum, parts[sum], got)
			}
		}
	})
}

func TestFetchReadsOnlyExistingRecords(t *testing.T) {
	long := bytes.Repeat([]byte{1}, 3*fetched)
	b := Bodies{column.Lists[uint64, byte]{
		Starts: []uint64{0, uint64(len(long)), uint64(len(long)) + 2, uint64(len(long)) + 99},
		Values: append(long, 2, 3),
	}}
	for _, test := range []struct {
		rule string
		docs []column.Doc
		want byte
	}{
		{"of no document nothing", nil, 0},
		{"of a long record the beginning, a byte of each line", []column.Doc{0}, fetched / 64},
		{"of a short one no more than it has", []column.Doc{1}, 2},
		{"of one whose place does not fit nothing", []column.Doc{2}, 0},
		{"of one that is not there nothing", []column.Doc{3, 1 << 31}, 0},
		{"of several each", []column.Doc{1, 0, 1}, fetched/64 + 4},
	} {
		if got := b.Fetch(test.docs); got != test.want {
			t.Errorf("%s: got the sum %d, want %d", test.rule, got, test.want)
		}
	}
}
