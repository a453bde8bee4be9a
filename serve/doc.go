// Package serve implements the HTTP contract of the read API: routes, parameters, the order of checks,
// limits, headers, codings, the OpenAPI document, request logs and metrics.
//
// It does not read indexes or compile data: all data in responses comes from package runtime.
//
// Read contract.go first, then contract_checks.go, which contains the contract's checks in order. Then read
// contract_exchange.go, the life cycle of an exchange, and contract_response.go, which sends the response.
//
// The prefix of a file name is its layer. A file uses only files of its own layer and of the layers above it
// in this list, and two files never use each other:
//
//	http_     HTTP for any server: codings, conditions, clients behind proxies, limits of connections,
//	          slow clients, certificates, the log queue. It is independent of the contract.
//	problems  the contract's error codes
//	params    how a query string is read: params_values.go reads most parameters,
//	          params_needs.go reads measured values, params_surface.go reads surfaces of rooms,
//	          params_room.go reads the other parameters of rooms and computes the result
//	contract  the code for all requests. contract.go defines the types: a Server answers a request, an
//	          exchange, by an operation, with a representation. addresses, metrics and outage belong to it
//	answer_   the operations, each with its parameters and the function that answers it
//	page      the pages for browsers, crawlers and agents: the explorer, the API reference, and the lists of
//	          addresses
//	admin     the endpoints for operators
//	server    the paths of the operations; how a server is made, served and stopped
package serve
