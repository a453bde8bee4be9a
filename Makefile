# sabine: `make` alone lists what there is.

GOLANGCI_VERSION := v2.15.0
OAPI_CODEGEN_VERSION := v2.8.2
GOVULNCHECK_VERSION := v1.9.0
ACT_VERSION := v0.2.89
ACTIONLINT_VERSION := v1.7.12
KUBE_SCORE_VERSION := v1.20.0
KUBECTL_VALIDATE_VERSION := v0.0.4
BIN := bin/sabine
TOOLS := .tools
# For processors since 2009: facets take 0.9 of the time that they take with code for older ones.
export GOAMD64 ?= v2
# Functions begin at cache lines: else each link places the loops anew, and some facets take up to 1.2 times as long.
LDFLAGS := -funcalign=64
# Of a release, as `sabine version` tells it. It has no tables for debuggers, which are a quarter of the program, and says
# nothing of the repository, so that a source without one gives the same bytes.
VERSION :=
ifdef VERSION
BUILD_FLAGS := -buildvcs=false
LDFLAGS += -s -w -X main.release=$(VERSION)
endif

.PHONY: help build run web test check lint bench bench-against bench-http bench-explorer bench-fleet bench-growth bench-import bench-peers bench-report figures hunt soak quality fuzz release clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/sabine
	CGO_ENABLED=0 go build -trimpath $(BUILD_FLAGS) -ldflags="$(LDFLAGS)" -o $(BIN) ./cmd/sabine

run: ## serve the sample catalogue on http://127.0.0.1:8080, with a demo key
	@echo "Building $(BIN). The first time this takes a minute."
	@$(MAKE) --no-print-directory build
	@test -e keys.json || (umask 077 && $(BIN) keys create --account demo > .demo-key)
	@if test -e .demo-key; then echo "API key: $$(cat .demo-key)"; fi
	$(BIN) serve --sample --public-detail

web: ## build the pages of the explorer and of the API reference from their sources; needs node
	cd serve/explorer/web && npm ci --loglevel=error && npm run types && npm run build
	cd serve/reference/web && npm ci --loglevel=error && npm run build
	go run ./serve/assets/pack serve/explorer/dist/assets serve/reference/dist

test: ## run every test but those that docs/tests.md leaves to check; installs redis-server where it can
	@scripts/install redis-server || true # scripts/test names what cannot be tested without it
	@scripts/test

# An S3 server for the tests.
$(TOOLS)/versitygw: scripts/tools/s3/go.mod
	CGO_ENABLED=0 go -C scripts/tools/s3 build -trimpath -ldflags='-s -w' -o $(CURDIR)/$@ github.com/versity/versitygw/cmd/versitygw

CHECK_TOOLS := $(addprefix $(TOOLS)/,oapi-codegen versitygw govulncheck act actionlint kube-score kubectl-validate)
check: build $(CHECK_TOOLS) ## run everything that docs/tests.md lists: the race detector, browsers, full lengths, outside tools; needs node for some of it, and installs the rest where it can
	@scripts/install redis-server gcc wngerman nginx zsh fish minisign openssl curl || true # what can't be tested without them is named
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

lint: $(TOOLS)/golangci-lint ## run the linters, and count hard sentences
	scripts/words
	$(TOOLS)/golangci-lint run ./...
	cd bench/peers && ../../$(TOOLS)/golangci-lint run --build-tags sqlite_fts5 ./...
	cd internal/browser && ../../$(TOOLS)/golangci-lint run ./...
	cd deploy/check && ../../$(TOOLS)/golangci-lint run ./...

$(TOOLS)/golangci-lint: Makefile
	GOBIN=$(CURDIR)/$(TOOLS) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)

bench: ## run the benchmarks
	go test -ldflags=$(LDFLAGS) -run '^$$' -bench . -benchmem ./bench/...

# The commands below append their figures to this file as lines of JSON; `make figures` starts a new one and publishes it.
RESULTS := $(CURDIR)/bin/results.ndjson
SCENARIOS = go run ./bench/scenarios -sabine $(BIN) -out $(RESULTS)
PEERS = cd bench/peers && go run -tags sqlite_fts5 -ldflags=$(LDFLAGS) . -results $(RESULTS)

bench-http: build ## measure HTTP against a bare handler; installs wrk where it can
	@scripts/install wrk
	$(SCENARIOS) -products $${BENCH_PRODUCTS:-100000} http

REV := HEAD
bench-against: build ## compare with the program of the commit REV by turns: build, file and HTTP; FLAGS are its flags of serve; installs wrk where it can
	@scripts/install wrk
	@echo "other: $$(git log -1 --format='%h %s' $(REV)) $(FLAGS); now: $$(git describe --always --dirty --exclude='*')"
	@set -e; git worktree remove --force bin/against 2>/dev/null || git worktree prune; git worktree add --quiet --detach bin/against $(REV); \
		trap 'git worktree remove --force bin/against' EXIT; trap 'exit 1' INT TERM; \
		$(MAKE) --silent -C bin/against build; \
		go run ./bench/scenarios -sabine $(BIN) -against bin/against/bin/sabine -beside '$(FLAGS)' -products $${BENCH_PRODUCTS:-100000} http

bench-explorer: build ## measure the explorer in chromium and by Lighthouse; installs chromium where it can
	@scripts/install chromium
	npm --prefix bench/explorer ci --loglevel=error
	BENCH_RESULTS=$(RESULTS) BENCH_PRODUCTS=$${BENCH_PRODUCTS:-100000} go test -C internal/browser -run '^$$' -bench . -benchtime 20x -timeout 30m
	node bench/explorer/lighthouse.mjs $(BIN) $(RESULTS)

bench-fleet: build $(TOOLS)/versitygw ## check the promises of three servers of an S3 store and a Redis, in three minutes; installs redis-server where it can
	@scripts/install redis-server
	$(SCENARIOS) -s3 $(TOOLS)/versitygw fleet

soak: build ## let a server of 700 MB live through everything at once, ten minutes long; SOAK_TIME=8h for longer
	$(SCENARIOS) -time $${SOAK_TIME:-10m} soak

bench-import: ## measure the import of tables on one core
	BENCH_RESULTS=$(RESULTS) BENCH_PRODUCTS=$${BENCH_PRODUCTS:-100000} go test -ldflags=$(LDFLAGS) -run '^$$' -bench Import -timeout 30m ./bench

bench-peers: ## compare sabine with Bleve, SQLite and PostgreSQL; installs PostgreSQL where it can
	@scripts/install postgres gcc
	$(PEERS) -products $${BENCH_PRODUCTS:-100000} -engines $${BENCH_ENGINES:-sabine,bleve,sqlite,postgres}

bench-growth: ## measure sabine with a tenth of the products and with ten times as many
	$(PEERS) -products $$(($${BENCH_PRODUCTS:-100000} / 10)) -engines sabine
	$(PEERS) -products $$(($${BENCH_PRODUCTS:-100000} * 10)) -engines sabine

bench-report: ## write bench/REPORT.md, its plots and the table of README from bench/results.ndjson
	cd bench/peers && go run ./report -folder .. -readme ../../README.md

# A part that fails, or a promise that is broken, does not end the others, but the command fails.
figures: build $(TOOLS)/versitygw ## measure everything on one commit and one quiet machine, within an hour, and publish it: bench/REPORT.md, its plots, the table of README
	@test -z "$$(git status --porcelain)" || { git status --short; echo "figures are of a commit: commit these changes first" >&2; exit 1; }
	@scripts/install wrk chromium redis-server postgres gcc
	rm -f $(RESULTS)
	$(MAKE) -k -j1 bench-peers bench-growth bench-http bench-explorer bench-import bench-fleet soak SOAK_TIME=$${SOAK_TIME:-5m}; status=$$?; \
		cp $(RESULTS) bench/results.ndjson && $(MAKE) bench-report && exit $$status

hunt: ## hunt for the slowest questions, 100,000 of them at 100,000 products: none may take 20 times the p50 of its class
	BENCH_PRODUCTS=$${BENCH_PRODUCTS:-100000} HUNT_EVALUATIONS=$${HUNT_EVALUATIONS:-100000} \
		go test -ldflags=$(LDFLAGS) -run '^$$' -bench Hunt -benchtime 1x -timeout 60m -v ./bench

quality: ## judge the search: people's queries on the sample, derived ones on 100,000 products
	BENCH_PRODUCTS=$${BENCH_PRODUCTS:-100000} go test -C bench/quality -timeout 30m -v -run 'Judged|Half|Derived'

fuzz: ## run every fuzz target for half a minute
	@scripts/fuzz 30s

release: ## make archives, bills of materials and checksums of VERSION=1.2.3 in bin/release
	@scripts/release "$(VERSION)"

clean: ## remove what make has built
	rm -rf bin $(TOOLS) bench/explorer/node_modules scripts/conformance/node_modules scripts/conformance/generated scripts/conformance/client/api.gen.go
