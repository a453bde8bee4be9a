// Package serve is the HTTP contract of the read API: routes, parameters, the order of checks, limits,
// headers, codings, the OpenAPI document, request logs and metrics.
//
// It never looks into an index and never compiles: package runtime answers every question about the data.
//
// The first word of a file's name says its layer. A file uses files of its own layer and of those above it in
// this list, and no two files use each other:
//
//	http_     what HTTP needs of any server: codings, conditions, clients behind proxies, limits of
//	          connections, slow clients, certificates, the queue of the log. It knows nothing of the contract.
//	problems  the contract's error codes
//	params    how a query string is read: params_values.go has the readers of most parameters,
//	          params_needs.go those of measured values, params_room.go those of rooms,
//	          params_room_target.go their targets, what stands in them and what is to fill them
//	contract  what is the same for every request. contract.go has the types: a Server answers a request, an
//	          exchange, by an operation, with a representation. addresses, metrics and outage belong to them
//	answer_   the operations, each with the parameters that it knows and the function that answers it
//	page      what people's browsers, crawlers and agents find beside the API: the explorer, the API
//	          reference, and what says where everything is
//	admin     what those ask who run the server
//	server    which operation is at which path; how a server is made, served and ended
//
// Package queryreport counts the texts that nothing is found for; answer_search.go hands them to it.
//
// Read contract.go first, then contract_checks.go: each of the contract's checks is there, in the contract's
// order. contract_exchange.go has the life of an exchange, contract_response.go how its answer leaves.
package serve
