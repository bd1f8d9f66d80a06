# What there is to do here; `make` alone lists it. Needs Go, a C compiler and
# nothing else; the browser tests also need Chromium.

# SQLite's full-text search is compiled in by this tag, so every go command needs it.
export GOFLAGS := $(GOFLAGS) -tags=sqlite_fts5
export CGO_ENABLED = 1

VERSION     := $(shell git describe --tags --always --dirty 2>/dev/null || echo unreleased)
LDFLAGS     := -s -w -X main.release=$(VERSION)
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME    ?= 20s
TESTTIME    ?= 20m
ARGS        ?=
PACKAGES    ?= ./...

.DEFAULT_GOAL := help

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## build and start the workbench (ARGS="--addr 0.0.0.0:8080" passes flags on)
	./bin/colloquy serve $(ARGS)

# Tests wait for browsers and streams more than they compute, so more of them
# run at once than there are cores.
TEST := go test -shuffle=on -parallel=4 -timeout=$(TESTTIME)

test: ## vet, then every test of every promise, in minutes
	go vet $(PACKAGES)
	$(TEST) $(PACKAGES)

check: lint ## what a change must pass: lint, and every case of every test under the race detector
	COLLOQUY_FULL=1 $(TEST) -race $(PACKAGES)

generate: ## write *_templ.go from *.templ
	go tool templ generate -include-version=false -path templates

lint: ## formatting, vet and staticcheck
	@test -z "$$(gofmt -s -l $$(git ls-files '*.go'))" || { gofmt -s -l $$(git ls-files '*.go'); echo 'Run gofmt -s -w on these files.'; exit 1; }
	go tool templ fmt -fail templates
	go vet ./...
	go run $(STATICCHECK) ./...

bench: ## measure the budgets of docs/benchmarks.md, beside a bare broadcaster
	go run ./cmd/bench $(ARGS)

browser: ## the same tests, with Chromium required instead of used when found
	COLLOQUY_BROWSER=required $(MAKE) test

fuzz: ## let each fuzz target run for FUZZTIME
	@set -e; for package in $$(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' $(PACKAGES)); do \
		for target in $$(go test -list='^Fuzz' $$package | grep '^Fuzz' || true); do \
			echo "$$package $$target"; \
			go test -run='^$$' -fuzz="^$$target$$" -fuzztime=$(FUZZTIME) -fuzzminimizetime=10x $$package; \
		done; \
	done

build: ## the one binary, bin/colloquy
	go build -trimpath -ldflags='$(LDFLAGS)' -o bin/colloquy ./cmd/colloquy

# A release is built for each system whose C compiler is on this machine
# (Debian: gcc-aarch64-linux-gnu, gcc-mingw-w64-x86-64). The Linux binaries are
# static: no library of the machine they run on is used.
STATIC := -linkmode external -extldflags -static
PURE   := sqlite_fts5,sqlite_omit_load_extension,netgo,osusergo

release: ## binaries for Linux and Windows with their sha256 sums, in dist/
	rm -rf dist && mkdir dist
	GOOS=linux GOARCH=amd64 go build -trimpath -tags=$(PURE) -ldflags='$(LDFLAGS) $(STATIC)' -o dist/colloquy-linux-amd64 ./cmd/colloquy
	@if command -v aarch64-linux-gnu-gcc >/dev/null; then set -x; \
		CC=aarch64-linux-gnu-gcc GOOS=linux GOARCH=arm64 go build -trimpath -tags=$(PURE) -ldflags='$(LDFLAGS) $(STATIC)' -o dist/colloquy-linux-arm64 ./cmd/colloquy; \
	else echo 'linux/arm64 is left out: aarch64-linux-gnu-gcc is not installed'; fi
	@if command -v x86_64-w64-mingw32-gcc >/dev/null; then set -x; \
		CC=x86_64-w64-mingw32-gcc GOOS=windows GOARCH=amd64 go build -trimpath -tags=sqlite_fts5,sqlite_omit_load_extension -ldflags='$(LDFLAGS)' -o dist/colloquy-windows-amd64.exe ./cmd/colloquy; \
	else echo 'windows/amd64 is left out: x86_64-w64-mingw32-gcc is not installed'; fi
	cp LICENSE README.md CHANGELOG.md dist/
	cd dist && sha256sum colloquy-* > SHA256SUMS && cat SHA256SUMS

vendor: ## fetch the vendored browser files anew and write their sha256 sums (needs npm)
	sh static/vendor.sh

.PHONY: help run test check generate lint bench browser fuzz build release vendor
