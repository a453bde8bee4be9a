package compiler

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"sabine/indexes"
	"sabine/indexes/column"
)

// maxBodyFaults is how many faulty bodies CheckBodies names.
const maxBodyFaults = 20

// CheckBodies holds what an index has of every body against the rest of it: each is JSON in every form that is sent, its
// tag is the hash of it, and its compressed forms hold it. Checksums don't tell that: they match whatever the
// build wrote. It returns the first faults, joined. Before each body it tells looked how many it has checked.
func CheckBodies(ctx context.Context, x *indexes.Index, looked func(bodies int)) error {
	c := bodyCheck{}
	var err error
	if c.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow)); err != nil {
		return err
	}
	defer c.zstd.Close()
	var faults []error
	for d := range x.Docs {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(faults, err)...)
		}
		looked(d)
		body := x.Bodies.At(column.Doc(d))
		if err := c.check(&body); err != nil {
			faults = append(faults, fmt.Errorf("the body of document %d: %w", d, err))
		}
		if len(faults) == maxBodyFaults {
			break
		}
	}
	return errors.Join(faults...)
}

// A bodyCheck checks one body after the other.
type bodyCheck struct {
	gzip gzip.Reader
	zstd *zstd.Decoder
}

func (c *bodyCheck) check(b *indexes.Body) error {
	withGeometry := slices.Concat(b.Detail[:max(len(b.Detail)-1, 0)], []byte(indexes.GeometryKey), b.Geometry, []byte("}"))
	for _, sent := range []struct {
		name string
		json []byte
	}{
		{"detail", b.Detail},
		{"detail with geometry", withGeometry},
		{"summary", slices.Concat(b.Detail[:b.SummaryEnd], []byte("}"))},
		{"summary with acoustics", slices.Concat(b.Detail[:b.AcousticsEnd], []byte("}"))},
		{"public item in German", slices.Concat(b.PublicHead, b.LabelDE, b.PublicTail)},
		{"public item in English", slices.Concat(b.PublicHead, b.LabelEN, b.PublicTail)},
		{"compare item", slices.Concat(b.CompareHead, b.Detail[b.AbsorptionStart:b.AbsorptionEnd], []byte("}"))},
	} {
		if !json.Valid(sent.json) {
			return fmt.Errorf("the %s is no JSON: %.100q", sent.name, sent.json)
		}
	}
	return errors.Join(c.checkCoded("detail", b.Coded(false), b.Detail), c.checkCoded("detail with geometry", b.Coded(true), withGeometry))
}

// checkCoded holds a tag and the compressed forms that there are against the body that they are of.
func (c *bodyCheck) checkCoded(name string, coded indexes.Coded, identity []byte) error {
	if want := indexes.ETag(identity); coded.ETag != want {
		return fmt.Errorf("the tag of the %s is %.40q, want %q, the hash of it", name, coded.ETag, want)
	}
	if err := holdsAlone(&c.gzip, coded.Gzip, identity); err != nil {
		return fmt.Errorf("the gzip form of the %s: %w", name, err)
	}
	if err := holdsAlone(c.zstd, coded.Zstd, identity); err != nil {
		return fmt.Errorf("the zstd form of the %s: %w", name, err)
	}
	return nil
}

// A decoder reads what is compressed, one text after the other.
type decoder interface {
	io.Reader
	Reset(io.Reader) error
}

// holdsAlone reads a body out of its compressed form, when it has one, and no more than one byte too many of it.
func holdsAlone(d decoder, compressed, want []byte) error {
	if len(compressed) == 0 {
		return nil
	}
	if err := d.Reset(bytes.NewReader(compressed)); err != nil {
		return err
	}
	got, err := io.ReadAll(io.LimitReader(d, int64(len(want))+1))
	if err == nil && !bytes.Equal(got, want) {
		err = errors.New("it holds another body")
	}
	return err
}
