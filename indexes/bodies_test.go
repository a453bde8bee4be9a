package indexes

import (
	"bytes"
	"reflect"
	"testing"

	"sabine/indexes/column"
)

func TestLabelsAreStoredOnce(t *testing.T) {
	record := func(de, en string) []byte {
		return AppendBody(nil, &Body{
			Detail: []byte(`{"label":"Wollfilz"}`), LabelDE: []byte(de), LabelEN: []byte(en), Geometry: []byte("null"),
		})
	}
	plain := len(record(`"Wollfilz"`, `"Wollfilz"`))
	for _, test := range []struct {
		rule   string
		de, en string
		more   int // bytes
	}{
		{"both are the label of the detail", `"Wollfilz"`, `"Wollfilz"`, 0},
		{"a translation is stored", `"Wollfilz"`, `"Wool felt"`, 11},
		{"two equal labels that are not in the detail are stored once", `"Filz"`, `"Filz"`, 6},
	} {
		got := record(test.de, test.en)
		if len(got) != plain+test.more {
			t.Errorf("%s: %d bytes, want %d", test.rule, len(got), plain+test.more)
		}
		body, ok := decodeBody(got)
		if !ok || string(body.LabelDE) != test.de || string(body.LabelEN) != test.en {
			t.Errorf("%s: %s and %s, %v", test.rule, body.LabelDE, body.LabelEN, ok)
		}
	}
}

func TestAppendBodyKeepsWhatIsThere(t *testing.T) {
	body := testBody(3)
	alone := AppendBody(nil, &body)
	if got := AppendBody([]byte("before"), &body); !bytes.Equal(got, append([]byte("before"), alone...)) {
		t.Errorf("%q behind other bytes, %q alone", got, alone)
	}
}

// FuzzBody holds what a record decodes to against what that encodes to: a record is the body, however it was made.
func FuzzBody(f *testing.F) {
	for i := range 4 {
		body := testBody(i)
		record := AppendBody(nil, &body)
		f.Add(record)
		f.Add(record[:len(record)-1])
	}
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0xff}, 400))
	f.Fuzz(func(t *testing.T, record []byte) {
		body, ok := decodeBody(record)
		if !ok {
			if !reflect.DeepEqual(body, Body{}) {
				t.Errorf("a body %+v that is none", body)
			}
			return
		}
		_, _, _ = body.Detail[:body.SummaryEnd], body.Detail[:body.AcousticsEnd], body.Detail[body.AbsorptionStart:body.AbsorptionEnd]
		again, ok := decodeBody(AppendBody(nil, &body))
		if !again.sound() {
			t.Errorf("%+v does not fit its checksums", again)
		}
		again.sums = body.sums // of a record that was made up
		if !ok || !reflect.DeepEqual(again, body) {
			t.Errorf("%+v becomes %+v, %v", body, again, ok)
		}
	})
}

func TestFetchReadsWhatIsThere(t *testing.T) {
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
