// Pack replaces the files below folders by compressed files: go run ./serve/assets/pack FOLDER...
package main

import (
	"fmt"
	"os"

	"sabine/serve/assets"
)

func main() {
	for _, dir := range os.Args[1:] {
		if err := assets.Pack(dir); err != nil {
			fmt.Fprintln(os.Stderr, "pack:", err)
			os.Exit(1)
		}
	}
}
