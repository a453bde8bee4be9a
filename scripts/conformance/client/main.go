// Command client sends requests to a server with the sample catalogue, to verify the types in the OpenAPI
// document. It uses the client that oapi-codegen generates from this document. scripts/check generates the
// client, which is not checked in.
//
//	go run . BASE KEY
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: client BASE KEY")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const slug = "akustikpaneel-fichte-40"

// run calls every operation, some with requests that must fail.
func run(ctx context.Context, base, key string) error {
	withoutKey, err := NewClientWithResponses(base)
	if err != nil {
		return err
	}
	client, err := NewClientWithResponses(base, WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+key)
		return nil
	}))
	if err != nil {
		return err
	}
	for _, call := range []func(context.Context, *ClientWithResponses) error{detail, searchMaterials, batch, unknown} {
		if err := call(ctx, client); err != nil {
			return err
		}
	}
	for _, call := range []func(context.Context, *ClientWithResponses) error{searchProducts, compare, description,
		refused} {
		if err := call(ctx, withoutKey); err != nil {
			return err
		}
	}
	return nil
}

func detail(ctx context.Context, c *ClientWithResponses) error {
	include := Include{"geometry"}
	r, err := c.GetMaterialWithResponse(ctx, slug, &GetMaterialParams{Include: &include})
	if err != nil {
		return err
	}
	p := r.JSON200
	if p == nil || p.AlphaW == nil || *p.AlphaW != 0.9 || p.AbsorptionOctave == nil ||
		(*p.AbsorptionOctave)["250"] != 0.6 ||
		p.Geometry == nil || p.Geometry.BoundingBoxMm.Depth != 40 || len(p.Measurements.AbsorptionIso354) != 1 {
		return fmt.Errorf("%s differs from the example in the OpenAPI document: %s", slug, r.Body)
	}
	tag := r.HTTPResponse.Header.Get("ETag")
	again, err := c.GetMaterialWithResponse(ctx, slug, &GetMaterialParams{Include: &include, IfNoneMatch: &tag})
	if err != nil {
		return err
	}
	if again.StatusCode() != http.StatusNotModified {
		return fmt.Errorf("a request with the ETag of the product: expected 304, got %s", again.Status())
	}
	return nil
}

func searchMaterials(ctx context.Context, c *ClientWithResponses) error {
	q, categories, least, facets, limit, sort := "akustikpaneel", []string{"holz", "textil"}, 0.5, true, int32(50),
		Sort("alphaW_desc")
	r, err := c.SearchMaterialsWithResponse(ctx, &SearchMaterialsParams{
		Q: &q, Category: &categories, AlphaWMin: &least, Facets: &facets, Limit: &limit, Sort: &sort,
	})
	if err != nil {
		return err
	}
	if r.JSON200 == nil || len(r.JSON200.Items) == 0 || r.JSON200.Facets == nil || *r.JSON200.Items[0].AlphaW < least {
		return fmt.Errorf("expected products of two categories, got %s", r.Body)
	}
	return nil
}

func batch(ctx context.Context, c *ClientWithResponses) error {
	r, err := c.GetMaterialsWithResponse(ctx, &GetMaterialsParams{Ids: []string{slug, "gibt-es-nicht"}})
	if err != nil {
		return err
	}
	if r.JSON200 == nil || len(r.JSON200.Items) != 1 || len(r.JSON200.Missing) != 1 {
		return fmt.Errorf("expected one found and one missing product, got %s", r.Body)
	}
	return nil
}

func unknown(ctx context.Context, c *ClientWithResponses) error {
	r, err := c.GetMaterialWithResponse(ctx, "a/b ü", nil)
	if err != nil {
		return err
	}
	if r.JSON404 == nil || r.JSON404.Error != "not_found" || r.JSON404.Message == "" {
		return fmt.Errorf("an unknown product: expected 404 not_found, got %s %s", r.Status(), r.Body)
	}
	return nil
}

func searchProducts(ctx context.Context, c *ClientWithResponses) error {
	types, locale := []string{"wall", "ceiling"}, "en"
	r, err := c.SearchProductsWithResponse(ctx, &SearchProductsParams{Type: &types, Locale: &locale})
	if err != nil {
		return err
	}
	if r.JSON200 == nil || len(r.JSON200.Products) != 24 || r.JSON200.Products[0].DataSource == nil {
		return fmt.Errorf("expected a page of 24 products, got %s", r.Body)
	}
	return nil
}

func compare(ctx context.Context, c *ClientWithResponses) error {
	r, err := c.CompareProductsWithResponse(ctx, &CompareProductsParams{Id: []string{slug}})
	if err != nil {
		return err
	}
	if r.JSON200 == nil || len(r.JSON200.Products) != 1 || len(r.JSON200.Products[0].AbsorptionIso354) != 1 {
		return fmt.Errorf("expected a comparison of one product, got %s", r.Body)
	}
	return nil
}

func description(ctx context.Context, c *ClientWithResponses) error {
	r, err := c.GetDescriptionWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	if r.JSON200 == nil || r.JSON200.Openapi == "" {
		return fmt.Errorf("expected the OpenAPI document, got %s", r.Status())
	}
	return nil
}

func refused(ctx context.Context, c *ClientWithResponses) error {
	r, err := c.SearchMaterialsWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	if r.JSON401 == nil || r.JSON401.Error != "invalid_token" || r.JSON401.Message == "" {
		return fmt.Errorf("a search without a key: expected 401 invalid_token, got %s %s", r.Status(), r.Body)
	}
	return nil
}
