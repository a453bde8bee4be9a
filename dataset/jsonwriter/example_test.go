package jsonwriter_test

import (
	"fmt"

	"sabine/dataset/jsonwriter"
)

func Example() {
	var t jsonwriter.Text
	t.Object(func() {
		t.Key("label").String(`Filz "25"`)
		t.Key("alpha_s_octave").Object(func() {
			t.KeyInt(250).Number(0.55)
			t.KeyInt(500).Number(0.8)
		})
		t.Key("url").Null()
	})
	fmt.Println(string(t.Bytes()))
	// Output: {"label":"Filz \"25\"","alpha_s_octave":{"250":0.55,"500":0.8},"url":null}
}
