package serve

import (
	"strconv"

	"sabine/dataset/jsonwriter"
)

// appendStrings appends an array of strings.
func appendStrings(dst []byte, list []string) []byte {
	return appendArray(dst, len(list), func(dst []byte, i int) []byte { return jsonwriter.AppendString(dst, list[i]) })
}

// appendArray appends an array of n elements that element appends.
func appendArray(dst []byte, n int, element func(dst []byte, i int) []byte) []byte {
	dst = append(dst, '[')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = element(dst, i)
	}
	return append(dst, ']')
}

// appendInt appends a key, as it stands in the text, and an integer.
func appendInt(dst []byte, key string, n int) []byte {
	return strconv.AppendInt(append(dst, key...), int64(n), 10)
}

// appendBool appends a key, as it stands in the text, and a boolean.
func appendBool(dst []byte, key string, b bool) []byte {
	return strconv.AppendBool(append(dst, key...), b)
}
