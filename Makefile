# `make` without a target lists the targets.

GOLANGCI_VERSION := v2.15.0
OAPI_CODEGEN_VERSION := v2.8.2
GOVULNCHECK_VERSION := v1.9.0
ACT_VERSION := v0.2.89
ACTIONLINT_VERSION := v1.7.12
KUBE_SCORE_VERSION := v1.20.0
KUBECTL_VALIDATE_VERSION := v0.0.4
BIN := bin/sabine
TOOLS := .tools
# The program requires a processor from 2009 or later. This reduces the time for facets to 0.9.
export GOAMD64 ?= v2
# Align functions to cache lines. Otherwise loops move with each build, and some facets take up to 1.2 times as long.
LDFLAGS := -funcalign=64
# The version of a release, which `sabine version` prints. A release contains no debug tables, which are a quarter of the program.
# It contains no data about the repository, so that the source produces the same bytes without a repository.
VERSION :=
ifdef VERSION
BUILD_FLAGS := -buildvcs=false
LDFLAGS += -s -w -X main.release=$(VERSION)
endif

.PHONY: help build run web test check lint bench bench-against bench-http bench-explorer bench-fleet bench-growth bench-import bench-peers bench-report figures hunt soak quality fuzz release clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/sabine
	CGO_ENABLED=0 go build -trimpath $(BUILD_FLAGS) -ldflags="$(LDFLAGS)" -o $(BIN) ./cmd/sabine

run: ## serve the sample catalogue on http://127.0.0.1:8080, with a demo key
	@echo "Building $(BIN). The first time this takes a minute."
	@$(MAKE) --no-print-directory build
	@test -e keys.json || (umask 077 && $(BIN) keys create --account demo > .demo-key)
	@if test -e .demo-key; then echo "API key: $$(cat .demo-key)"; fi
	$(BIN) serve --sample --public-detail

web: ## build the pages of the explorer and the API reference; requires node
	cd serve/explorer/web && npm ci --loglevel=error && npm run types && npm run build
	cd serve/reference/web && npm ci --loglevel=error && npm run build
	go run ./serve/assets/pack serve/explorer/dist/assets serve/reference/dist

test: ## run all tests except those that docs/tests.md lists for make check; install redis-server if possible
	@scripts/install redis-server || true # scripts/test reports the tests that require redis-server
	@scripts/test

# S3 server for the tests.
$(TOOLS)/versitygw: scripts/tools/s3/go.mod
	CGO_ENABLED=0 go -C scripts/tools/s3 build -trimpath -ldflags='-s -w' -o $(CURDIR)/$@ github.com/versity/versitygw/cmd/versitygw

CHECK_TOOLS := $(addprefix $(TOOLS)/,oapi-codegen versitygw govulncheck act actionlint kube-score kubectl-validate)
check: build $(CHECK_TOOLS) ## run all tests and checks in docs/tests.md, with the race detector, browsers and external tools; some require node; install the other tools if possible
	@scripts/install redis-server gcc wngerman nginx zsh fish minisign openssl curl || true # scripts/test reports the tests that require these programs
	@scripts/install valkey-server || true
	@scripts/install chromium || true
	@scripts/test all
	@scripts/check-promises
	@scripts/check
	@scripts/check-supply
	@scripts/check-release

$(TOOLS)/oapi-codegen: Makefile
	GOBIN=$(CURDIR)/$(TOOLS) go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@$(OAPI_CODEGEN_VERSION)

$(TOOLS)/govulncheck: Makefile
	GOBIN=$(CURDIR)/$(TOOLS) go install golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION)

$(TOOLS)/act: Makefile
	GOBIN=$(CURDIR)/$(TOOLS) go install github.com/nektos/act@$(ACT_VERSION)

$(TOOLS)/actionlint: Makefile
	GOBIN=$(CURDIR)/$(TOOLS) go install github.com/rhysd/actionlint/cmd/actionlint@$(ACTIONLINT_VERSION)

$(TOOLS)/kube-score: Makefile
	GOBIN=$(CURDIR)/$(TOOLS) go install github.com/zegl/kube-score/cmd/kube-score@$(KUBE_SCORE_VERSION)

$(TOOLS)/kubectl-validate: Makefile
	GOBIN=$(CURDIR)/$(TOOLS) go install sigs.k8s.io/kubectl-validate@$(KUBECTL_VALIDATE_VERSION)

lint: $(TOOLS)/golangci-lint ## run the linters, and check the fraction of sentences that are hard to read
	scripts/words
	$(TOOLS)/golangci-lint run ./...
	cd bench/peers && ../../$(TOOLS)/golangci-lint run --build-tags sqlite_fts5 ./...
	cd internal/browser && ../../$(TOOLS)/golangci-lint run ./...
	cd deploy/check && ../../$(TOOLS)/golangci-lint run ./...

$(TOOLS)/golangci-lint: Makefile
	GOBIN=$(CURDIR)/$(TOOLS) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)

bench: ## run the Go benchmarks
	go test -ldflags=$(LDFLAGS) -run '^$$' -bench . -benchmem ./bench/...

# The following targets append their results to this file as lines of JSON. `make figures` creates a new file and publishes it.
RESULTS := $(CURDIR)/bin/results.ndjson
SCENARIOS = go run ./bench/scenarios -sabine $(BIN) -out $(RESULTS)
PEERS = cd bench/peers && go run -tags sqlite_fts5 -ldflags=$(LDFLAGS) . -results $(RESULTS)

bench-http: build ## measure HTTP, compared with a minimal handler; install wrk if possible
	@scripts/install wrk
	$(SCENARIOS) -products $${BENCH_PRODUCTS:-100000} http

REV := HEAD
bench-against: build ## compare the build, the snapshot and HTTP with the program at commit REV, which serves with the flags FLAGS; install wrk if possible
	@scripts/install wrk
	@echo "other: $$(git log -1 --format='%h %s' $(REV)) $(FLAGS); now: $$(git describe --always --dirty --exclude='*')"
	@set -e; git worktree remove --force bin/against 2>/dev/null || git worktree prune; git worktree add --quiet --detach bin/against $(REV); \
		trap 'git worktree remove --force bin/against' EXIT; trap 'exit 1' INT TERM; \
		$(MAKE) --silent -C bin/against build; \
		go run ./bench/scenarios -sabine $(BIN) -against bin/against/bin/sabine -beside '$(FLAGS)' -products $${BENCH_PRODUCTS:-100000} http

bench-explorer: build ## measure the explorer with chromium and Lighthouse; install chromium if possible
	@scripts/install chromium
	npm --prefix bench/explorer ci --loglevel=error
	BENCH_RESULTS=$(RESULTS) BENCH_PRODUCTS=$${BENCH_PRODUCTS:-100000} go test -C internal/browser -run '^$$' -bench . -benchtime 20x -timeout 30m
	node bench/explorer/lighthouse.mjs $(BIN) $(RESULTS)

bench-fleet: build $(TOOLS)/versitygw ## verify the promises for three servers with an S3 store and Redis, in three minutes; install redis-server if possible
	@scripts/install redis-server
	$(SCENARIOS) -s3 $(TOOLS)/versitygw fleet

soak: build ## test a server with a snapshot of 700 MB and all kinds of load together, for ten minutes; set SOAK_TIME=8h for a longer test
	$(SCENARIOS) -time $${SOAK_TIME:-10m} soak

bench-import: ## measure the import of tables on one core
	BENCH_RESULTS=$(RESULTS) BENCH_PRODUCTS=$${BENCH_PRODUCTS:-100000} go test -ldflags=$(LDFLAGS) -run '^$$' -bench Import -timeout 30m ./bench

bench-peers: ## compare sabine with Bleve, SQLite and PostgreSQL; install PostgreSQL if possible
	@scripts/install postgres gcc
	$(PEERS) -products $${BENCH_PRODUCTS:-100000} -engines $${BENCH_ENGINES:-sabine,bleve,sqlite,postgres}

bench-growth: ## measure sabine with a tenth and with ten times the number of products
	$(PEERS) -products $$(($${BENCH_PRODUCTS:-100000} / 10)) -engines sabine
	$(PEERS) -products $$(($${BENCH_PRODUCTS:-100000} * 10)) -engines sabine

bench-report: ## write bench/REPORT.md, its plots and README's table from bench/results.ndjson
	cd bench/peers && go run ./report -folder .. -readme ../../README.md

# If a benchmark fails or a promise is broken, the remaining benchmarks still run, and the command fails at the end.
figures: build $(TOOLS)/versitygw ## run all benchmarks for the current commit, in an hour, and publish bench/REPORT.md, its plots and README's table; requires a machine without other work
	@test -z "$$(git status --porcelain)" || { git status --short; echo "figures must be measured for a commit: commit these changes first" >&2; exit 1; }
	@scripts/install wrk chromium redis-server postgres gcc
	rm -f $(RESULTS)
	$(MAKE) -k -j1 bench-peers bench-growth bench-http bench-explorer bench-import bench-fleet soak SOAK_TIME=$${SOAK_TIME:-5m}; status=$$?; \
		cp $(RESULTS) bench/results.ndjson && $(MAKE) bench-report && exit $$status

hunt: ## search for the slowest queries, with 100,000 queries and 100,000 products; each query must take at most 20 times the p50 of its class
	BENCH_PRODUCTS=$${BENCH_PRODUCTS:-100000} HUNT_EVALUATIONS=$${HUNT_EVALUATIONS:-100000} \
		go test -ldflags=$(LDFLAGS) -run '^$$' -bench Hunt -benchtime 1x -timeout 60m -v ./bench

quality: ## measure the quality of the search, with queries that people wrote for the sample and queries derived from 100,000 products
	BENCH_PRODUCTS=$${BENCH_PRODUCTS:-100000} go test -C bench/quality -timeout 30m -v -run 'Judged|Half|Derived'

fuzz: ## run every fuzz target for 30 seconds
	@scripts/fuzz 30s

release: ## build archives, bills of materials and checksums in bin/release; set VERSION=1.2.3
	@scripts/release "$(VERSION)"

clean: ## remove all files that make built
	rm -rf bin $(TOOLS) bench/explorer/node_modules scripts/conformance/node_modules scripts/conformance/generated scripts/conformance/client/api.gen.go
