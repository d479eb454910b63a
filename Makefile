# make demo and make test need only Go; `make help` lists the rest.

# Without cgo the program is static and reproducible. Every target builds with the same flags, so that
# the large dependencies are compiled once: builds with and without -trimpath share no cache.
export CGO_ENABLED := 0
export GOFLAGS := $(strip $(shell go env GOFLAGS) -trimpath)

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null)
LDFLAGS := -s -w -X github.com/salint/salint/cmd/salint/internal/fastpath.Version=$(VERSION)

# The time that each fuzzer runs, and the folder that `make corpus` lints.
FUZZTIME ?= 10s
CORPUS   ?=

# The pinned tools come first, so that tests and scripts use the same versions everywhere.
TOOLS := $(CURDIR)/bin/tools
export PATH := $(TOOLS):$(PATH)

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 30

.PHONY: demo
demo: build ## build, then lint and fix the embedded example repository
	bin/salint demo

.PHONY: build
build: ## build bin/salint, one static program
	go build -ldflags '$(LDFLAGS)' -o bin/salint ./cmd/salint

.PHONY: test
test: ## run all tests: Go, Rego, golden cases, and the installed clients
	go test -timeout 30m ./...

# Tests that call package test/long make up more input, or take all golden cases instead of some, if SALINT_LONG is set.
LONG_FILES := grep -rl --include='*_test.go' 'salint/test/long"' cmd internal rules fixers test

.PHONY: long
long: ## run the long form of the tests that make test cuts short: random input, and sweeps over golden cases
	@names=$$(awk '/^func / { name = $$2; sub(/\(.*/, "", name) } name ~ /^Test/ && /[^a-z]long\./ { print name }' $$($(LONG_FILES)) | sort -u | paste -sd '|' -); \
	echo "SALINT_LONG=1 go test -run '^($$names)$$'"; \
	SALINT_LONG=1 go test -timeout 60m -run "^($$names)$$" $$($(LONG_FILES) | xargs dirname | sort -u | sed 's|^|./|')

# What runs in parallel, with its tests. The race detector needs cgo. With it, tests of long random sequences are shorter, and the kernel
# does not limit the memory of child processes.
RACE_PACKAGES := ./internal/base/... ./internal/files/repo ./internal/render $(addprefix ./internal/assemble/,applications charts loader overlay) ./internal/kube/objects ./internal/lint/... ./rules/...
# These take more than a minute with it, and run nothing in parallel. Tests of growth measure what is allocated, which the detector changes.
RACE_SKIP     := TestRego$$|TestFunctions$$|TestFunctionsAccept|GrowWithTheRepository$$

.PHONY: race
race: ## run the tests of what runs in parallel with the race detector (needs a C compiler)
	@command -v "$$(go env CC)" >/dev/null || { echo "skipped: no C compiler ($$(go env CC)), which the race detector needs"; exit 0; }; \
	CGO_ENABLED=1 go test -race -short -vet=off -timeout 10m -skip '$(RACE_SKIP)' $(RACE_PACKAGES)

.PHONY: vulncheck
vulncheck: tools ## look for known vulnerabilities in what the program calls (needs the network)
	@output=$$(govulncheck ./... 2>&1); code=$$?; printf '%s\n' "$$output"; \
	case "$$code:$$output" in \
	  0:*) ;; \
	  1:*'fetching vulnerabilities'*) echo 'skipped: the database of vulnerabilities cannot be reached, so nothing is known about vulnerabilities' ;; \
	  *) exit "$$code" ;; \
	esac

.PHONY: cross
cross: ## build and vet for macOS, Windows, and 32-bit Linux
	for system in darwin/arm64 windows/amd64 windows/arm64 linux/386; do \
	  echo "$$system"; export GOOS=$${system%/*} GOARCH=$${system#*/}; \
	  go build -o /dev/null ./cmd/... && go vet ./... || exit 1; \
	done

.PHONY: release-check
release-check: ## build a release of the current commit without publishing it, and check it (needs goreleaser)
	release/check.sh

.PHONY: release-check-machine
release-check-machine: ## the same with only the archives of this machine, which is faster
	release/check.sh --this-machine

.PHONY: lint
lint: tools ## check code, policies, vocabulary, workflows, and scripts
	@test -z "$$(gofmt -l $(GO_FOLDERS))" || { echo 'gofmt would change:'; gofmt -l $(GO_FOLDERS); exit 1; }
	go vet ./...
	go -C test/conformance mod tidy -diff # it requires what this module does
	staticcheck ./...
	go run ./test/vocabulary # words that messages, help and documentation do not use
	opa fmt --list --fail rego
	go run ./rules/cmd/regocheck rego # opa check --strict, with salint's functions declared
	regal lint rego
	actionlint
	@$(call optional,shellcheck,shellcheck .ci/run bench/run.sh bench/real.sh test/conformance/apiserver/build.sh test/conformance/olm/build.sh test/bundles/build.sh test/gitea/build.sh release/files.sh release/notes.sh release/download.sh release/comment.sh release/check.sh release/check-image.sh test/compare/record.sh examples/fleet/lint.sh examples/fleet/multi-gitter/fix.sh examples/fleet/multi-gitter/bodies.sh)
	@$(call optional,action-validator,action-validator action.yml)

.PHONY: fuzz
fuzz: ## run each fuzzer for FUZZTIME
	@grep -rEo --include='*_test.go' '^func Fuzz\w+' cmd internal rules fixers | while IFS=: read -r file function; do \
		echo "fuzzing $${function#func } in $$(dirname "$$file") for $(FUZZTIME)"; \
		go test "./$$(dirname "$$file")" -run '^$$' -fuzz "^$${function#func }$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s || exit 1; \
	done

.PHONY: bench
bench: build ## time salint and other tools on 10,000 generated files
	bench/run.sh

REALWORLD ?= ../shared/realworld

.PHONY: bench-real
bench-real: build ## time salint and kustomize on the repositories of the folder REALWORLD
	@test -d '$(REALWORLD)' || { echo 'REALWORLD is not a folder. Run: make bench-real REALWORLD=path' >&2; exit 2; }
	bench/real.sh '$(REALWORLD)'

.PHONY: corpus
corpus: build ## lint the folder CORPUS; findings are accepted, an internal error (exit code 2) is not
	@test -n '$(CORPUS)' || { echo 'CORPUS is not set. Run: make corpus CORPUS=path' >&2; exit 2; }
	bin/salint lint --color never '$(CORPUS)' || test $$? -eq 1

.PHONY: conformance
conformance: ## compare answers about permissions with Kubernetes' own code (SEED, RUNS: test/conformance/README.md)
	go -C test/conformance vet ./...
	go -C test/conformance test -v -timeout 30m . ./crd $(WORLDS)
	go -C test/conformance test -timeout 10m ./admission

# The packages of Flux and Argo CD need a newer Go than salint, which the go command downloads like a module. helm and kustomize are
# those that Argo CD runs.
CONTROLLERS_GO := GOTOOLCHAIN=go1.27.3 go -C test/controllers
CONTROLLERS    := $(CURDIR)/bin/controllers

.PHONY: controllers
controllers: build controllers-build ## compare what is applied with the packages of Flux and Argo CD (SEED, RUNS, FLAGS: test/controllers/README.md)
	$(CONTROLLERS_GO) mod tidy -diff # it requires what this module does
	cd test/controllers && PATH='$(CONTROLLERS)':"$$PATH" ARGOCD_LOG_LEVEL=panic \
	  '$(CONTROLLERS)/controllers.test' -test.v -test.timeout 120m -salint '$(CURDIR)/bin/salint' $(WORLDS) $(FLAGS)

.PHONY: controllers-build
controllers-build: ## build that comparison, and helm and kustomize, into bin/controllers (some minutes)
	$(CONTROLLERS_GO) build -o '$(CONTROLLERS)/' tool
	$(CONTROLLERS_GO) test -c -vet=off -ldflags '-s -w' -o '$(CONTROLLERS)/' .

.PHONY: argo
argo: ## check the example for Argo Workflows with the types of Argo
	go -C test/argo vet ./...
	go -C test/argo test ./...

.PHONY: gitea
gitea: ## build Gitea into bin/gitea (some minutes, needs a C compiler), and open pull requests in it as multi-gitter does
	test/gitea/build.sh bin/gitea
	SALINT_GITEA=$(CURDIR)/bin/gitea go test ./test/clients -run TestGitea -count 1 -v

.PHONY: conformance-apiserver
conformance-apiserver: ## compare them with a real API server on loopback, if it is built
	go -C test/conformance test -v -timeout 30m ./server $(WORLDS)

.PHONY: conformance-apiserver-build
conformance-apiserver-build: ## build kube-apiserver, etcd, and kubectl for that into bin/conformance (some minutes)
	test/conformance/apiserver/build.sh bin/conformance

.PHONY: conformance-olm
conformance-olm: ## let operator-controller install what salint writes, if it and the API server are built
	go -C test/conformance test -v -timeout 20m -count 1 ./olm

.PHONY: conformance-olm-build
conformance-olm-build: ## build operator-controller for that into bin/conformance (some minutes; BOXCUTTER: test/conformance/README.md)
	test/conformance/olm/build.sh bin/conformance

# The folder of bundles to compare; without it, the ones of this repository. NEWEST limits it to so many of each package.
BUNDLES ?=
NEWEST  ?= 0

.PHONY: bundles
bundles: build bundles-build ## compare preflight and bundle-diff with operator-controller's packages on the folder BUNDLES (NEWEST: docs/trust.md)
	go run ./test/bundles $(if $(BUNDLES),-newest $(NEWEST) '$(BUNDLES)',-counts test/bundles/testdata/counts.txt test/bundles/testdata)

# The folder with the checkouts of other programs: test/peers/doc.go.
PEERS ?=

.PHONY: peers
peers: ## compare with what other programs expect of their test inputs about accounts and RBAC, checked out in PEERS (test/peers/doc.go)
	go run ./test/peers -v $(if $(wildcard test/peers/testdata/counts.md),-counts test/peers/testdata/counts.md) '$(PEERS)'

.PHONY: bundles-build
bundles-build: ## build programs of operator-controller's packages into bin/bundles (10 minutes; OPERATOR_CONTROLLER, BOXCUTTER: docs/trust.md)
	test/bundles/build.sh bin/bundles

# The pages of a tag have its name, and others that of the main branch. Other versions in DOCS_OUT stay.
DOCS_OUT     ?= $(CURDIR)/bin/site
DOCS_VERSION ?= $(or $(shell git describe --tags --exact-match 2>/dev/null),main)

.PHONY: docs
docs: ## build the documentation site in bin/site, and check its links (needs no network)
	go -C docs/site vet ./...
	go -C docs/site test ./...
	go -C docs/site run . -root '$(CURDIR)' -out '$(DOCS_OUT)' -version '$(DOCS_VERSION)'

.PHONY: vscode
vscode: ## check, test, build, and pack the extension for Visual Studio Code (needs npm and its registry)
	@command -v npm >/dev/null || { echo 'skipped: npm is not installed'; exit 0; }; \
	cp LICENSE editors/vscode/ && cd editors/vscode && npm ci --no-audit --no-fund --ignore-scripts && npm run package

.PHONY: tools
tools: ## build the pinned tools of tools/go.mod and tools/regal into bin/tools
	go -C tools build -o '$(TOOLS)/' tool
	go -C tools/regal build -o '$(TOOLS)/' tool

WORLDS := $(if $(SEED),-seed $(SEED)) $(if $(RUNS),-runs $(RUNS))

GO_FOLDERS := $(wildcard cmd docs internal rules fixers fixtures rego bench test)

# optional runs a command if its program is installed, and prints a message otherwise.
optional = if command -v $(1) >/dev/null; then echo '$(2)'; $(2); else echo 'skipped: $(1) is not installed'; fi
