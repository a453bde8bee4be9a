package synthetic_test

import (
	"fmt"
	"strings"

	"sabine/dataset/synthetic"
)

func Example() {
	var first, again strings.Builder
	fmt.Println(synthetic.Generate(&first, 3, 7), synthetic.Generate(&again, 3, 7))
	fmt.Println(strings.Count(first.String(), "\n"), "records, the same again:", first.String() == again.String())
	// Output:
	// <nil> <nil>
	// 3 records, the same again: true
}
