// Package serve implements the HTTP contract of the read API: routes, parameters, the order of checks,
// limits, headers, codings, the OpenAPI document, request logs and metrics.
//
// It never reads an index and never compiles: package runtime answers all questions about the data.
//
// Read contract.go first, then contract_checks.go, which has the contract's checks in order. Then
// contract_exchange.go has the life cycle of an exchange, and contract_response.go sends its response.
//
// The prefix of a file name is its layer. A file uses only files of its own layer and of the layers above it
// in this list, and no two files use each other:
//
//	http_     HTTP for any server: codings, conditions, clients behind proxies, limits of connections,
//	          slow clients, certificates, the log queue. It is independent of the contract.
//	problems  the contract's error codes
//	params    how a query string is read: params_values.go has the readers of most parameters,
//	          params_needs.go of measured values, params_room.go of rooms,
//	          params_room_target.go of targets, objects and fills
//	contract  the parts that all requests share. contract.go has the types: a Server answers a request, an
//	          exchange, by an operation, with a representation. addresses, metrics and outage belong to it
//	answer_   the operations, each with its parameters and the function that answers it
//	page      the pages for browsers, crawlers and agents: the explorer, the API reference, and the lists of
//	          addresses
//	admin     the endpoints for operators
//	server    the paths of the operations; how a server is made, served and stopped
package serve
