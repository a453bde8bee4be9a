package main

import (
	"github.com/urfave/cli/v2"

	"sabine/dataset/product"
)

func schemaCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:        "schema",
		Usage:       "print the JSON Schema of a source record",
		UsageText:   "sabine schema",
		Description: "Give it to an editor or to CI to check records before a build. Example:\n   sabine schema > record.schema.json",
		Action: func(*cli.Context) error {
			_, err := s.out.Write(product.Schema())
			return err
		},
	}
}
