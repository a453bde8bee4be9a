package serve_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/snapshot"
	"sabine/runtime"
	"sabine/serve"
	"sabine/serve/keys"
	"sabine/serve/ratelimit"
)

// Example starts a server with one product and sends it a request.
func Example() {
	dir, err := os.MkdirTemp("", "sabine")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	folder := snapshot.Folder{Dir: dir}
	product := []byte(
		`{"id": "0b6f1c8e-4d2a-5e7b-9c3f-1a2b3c4d5e6f", "label": {"de": "Stuhl, gepolstert", "en": "Upholstered chair"}, "manufacturer": "Beispiel"}`)
	ctx := context.Background()
	if _, err := compiler.Build(ctx, compiler.Options{Folder: folder, Inputs: []dataset.Input{{
		Name: "chair.json", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(product)), nil },
	}}}); err != nil {
		panic(err)
	}

	current := runtime.NewCurrent(folder, nil)
	defer func() { _ = current.Close() }()
	if err := current.Load(ctx); err != nil {
		panic(err)
	}
	store, err := keys.OpenStore(filepath.Join(dir, "keys.json"), nil) // a missing file contains no keys
	if err != nil {
		panic(err)
	}
	counters, err := ratelimit.NewMemory("", nil, nil)
	if err != nil {
		panic(err)
	}
	account, err := ratelimit.ParsePolicy("60/1m,1000/24h")
	if err != nil {
		panic(err)
	}
	public, err := ratelimit.ParsePolicy("120/1m")
	if err != nil {
		panic(err)
	}
	server, err := serve.New(serve.Options{Current: current, Keys: store, Limits: ratelimit.NewLimiter(counters, account,
		public, nil)})
	if err != nil {
		panic(err)
	}

	r := httptest.NewRequest(http.MethodGet, "/api/public/search?q=Stuhl&locale=en", nil)
	w := httptest.NewRecorder()
	server.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Header().Get("RateLimit-Policy"))
	fmt.Println(w.Body.String()[:85])
	// Output:
	// 200 120;w=60
	// {"products":[{"id":"0b6f1c8e-4d2a-5e7b-9c3f-1a2b3c4d5e6f","slug":"0b6f1c8e-4d2a-5e7b-
}
