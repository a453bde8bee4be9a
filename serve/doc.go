// Package serve is the HTTP contract of the read API: routes, parameters, the order of checks, limits, headers,
// codings, the OpenAPI document, request logs and metrics.
//
// It never looks into an index and never compiles: package runtime answers every question about the data.
//
// Read server.go first, then checks.go: each of the contract's checks stands there, in the contract's order. A request
// is an exchange (exchange.go); what it may ask is an operation (operations.go); how its answer leaves is response.go,
// and stream.go where it is sent while it is made.
// What it answers stands with the operations: materials.go and search.go, export.go, reverberation.go, and changes.go, where a
// second generation is held and read. values.go reads the parameters of most, needs.go those of measured values.
//
// Beside the API stand pages (pages.go), asked for when it has nothing at a path: the explorer (explorer.go, explorer_view.go), the
// API reference (reference.go), and what says where everything is (discovery.go). Agents speak to /mcp (mcp.go), whose tools
// ask the API's own operations (tools.go).
//
// Those who run the server ask the admin address (admin.go, metrics.go), which also tells how the store behind the folder of
// generations is followed (mirror.go). certificate.go is for who serves by TLS without a proxy.
package serve
