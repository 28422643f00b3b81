# `make run` builds and shows; `make test` proves. Everything else is a part of the two.

SWIFT ?= swift
# One build for programs and tests, so that tests see what is shipped; release, because the sound code is about 100 times slower in debug.
# The same bytes come out in every folder: BoringSSL's messages would hold the folder's path. And functions are left out that nothing calls,
# once each has a section of its own: a megabyte.
portable := -Xcc -ffile-prefix-map=$(CURDIR)/= -Xcxx -ffile-prefix-map=$(CURDIR)/= -Xswiftc -Xfrontend -Xswiftc -function-sections
# Without debugging information, a tenth of the compilers' time: programs are linked without it, and tests are not looked at in a debugger. (SwiftPM
# puts its `-g` behind a target's `-gnone`.)
# What both packages need is built once, in one folder, as long as their options are the same; a plan that lies there may be the other package's.
release := --disable-build-manifest-caching --configuration release -debug-info-format none -Xswiftc -enable-testing $(portable)
# `swift test` would add the same option once more, and so build everything anew.
tests := $(SWIFT) test --ignore-lock --disable-testable-imports $(release)
studies := --ignore-lock --package-path Companion --scratch-path .build $(release)
sources := Package.swift Sources Tests Benchmarks Companion/Package.swift Companion/Sources Companion/Tests
# The daemon and the desktop's notices are the same file, under other names. The record of the build's commands would be replaced by
# the other package's.
completed := ln -sf auricle .build/release/auricled; ln -sf auricle .build/release/auricle-desktop; \
	if [ -e .build/release.yaml ]; then cp .build/release.yaml .build/programs.yaml; fi

.NOTPARALLEL:
.PHONY: run build programs companion install deb reproducible sizes fresh test bench lab noise quality scenes renderings trials faults fuzz fuzz-chain address \
	mutants coverage manual format lint peers arm install-dependencies clean soak soak-day \
	run-companion bench-companion trial-companion test-deb-companion suite test-companion test-package test-quick quick-unit quick-cli build-tests test-unit test-rtsan test-tsan test-tsan-daemon test-cli test-lab test-kernel

run: ## Renders a recorded voice for a sample hearing loss; touches no sound card
	@.ci/install-dependencies build run
	$(SWIFT) build $(release) --product auricle
	@$(completed)
	.build/release/auricle demo --overwrite

bench-companion: ## Ratios of the companion in one run: an answer that is kept, questions decided anew, a study's check
	@.ci/install-dependencies companion
	@Companion/Benchmarks/run

trial-companion: ## A thousand kills of a rehearsal, of the program on either engine and of PostgreSQL; an hour
	@.ci/install-dependencies companion
	$(SWIFT) build $(studies)
	Companion/Tests/cluster Companion/Tests/kills 1000

test-deb-companion: ## The Debian package auricle-companion: made after `make deb`, checked, installed in a fresh Debian, used, removed; minutes
	@.ci/install-dependencies package companion
	@.ci/lane $@ .ci/scripts Tests/package-companion

run-companion: ## Studies: builds auricle-companion, answers a day of a study by script, says where the files are and what to type next
	@.ci/install-dependencies build companion
	@$(SWIFT) build $(studies) --product auricle-companion
	@Companion/run-demonstration

build: ## Builds the programs as they are shipped, trials and benchmarks
	@.ci/install-dependencies build
	$(SWIFT) build $(release)
	@$(completed)

programs: ## Builds the programs alone
	$(SWIFT) build $(release) --product auricle
	$(SWIFT) build $(release) --product auricle-auth
	@$(completed)

# A build of its own, linked as the aid is: with Swift's libraries, without Foundation's language data (NoLanguageData.c) and without what
# nothing calls.
shipped_companion := --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -z -Xlinker now -Xlinker -z -Xlinker pack-relative-relocs \
	-Xlinker --strip-debug -Xlinker --icf=safe -Xlinker -T -Xlinker $(CURDIR)/Sources/Programs/left-out.ld

companion: ## Builds auricle-companion as it is shipped; minutes
	$(SWIFT) build --ignore-lock --package-path Companion --scratch-path Companion/.build-deb --configuration release \
		$(portable) $(shipped_companion) --product auricle-companion

# Where they go; `make install DESTDIR=/tmp/root PREFIX=/usr` fills a folder.
DESTDIR ?=
PREFIX ?= /usr/local

install: ## Installs what `make build` made: DESTDIR=, PREFIX=/usr/local
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" Installation/install

deb: ## Makes the Debian packages, .build-deb/auricle_*.deb and auricle-companion_*.deb; DEB_BUILD_PROFILES=pkg.auricle.nocompanion the first alone
	@.ci/install-dependencies build package companion
	@mkdir -p .build-deb
	@DESTINATION=$(CURDIR)/.build-deb debian/rules clean binary
	@ls .build-deb/*.deb

reproducible: deb ## Builds programs and package once more, in another folder, and compares the packages; ten minutes
	@.ci/reproducible

test: ## Runs the lanes that every commit passes; docs/tests.md names the longer ones
	@.ci/install-dependencies
	@.ci/test

bench: ## Measures speed, memory and delay
	@.ci/install-dependencies
	@"$(MAKE)" --no-print-directory build >&2
	Benchmarks/run

# Left out of test-quick; why the slowest of them take so long stands in docs/tests.md.
slow_suites := FeedbackTestTests ProgramSwitchTests HostilePayloadTests RandomBookTests AddedStableGainTests OutputLimitTests \
	BrokenLimitTests InsertionGainTests CardRoundTripTests NoFeedbackTests RoundTripTests BookStorageTests ShippedDefaultTests \
	RateMatchingTests HostilePictureTests
slow_scripts := role-matrix durability slow-disk verify mutations no-allocation bit-flips crashes book-race daemon-life desktop
space := $(subst x,,x x)

# What a driver does to the sound while it is there, goes, is held and is broken.
quick_scenarios := start-stop,unplugged,held,underrun,permission,limits,disk-full

# What cannot be installed is skipped, which the table shows.
lab: build ## The daemon on Debian's kernel in qemu: what breaks on a sound card, recorded; ONLY=name,name; LIVE_SECONDS=60
	@.ci/install-dependencies run lab || echo "Without these packages scenarios are skipped"
	@LANE_TIMEOUT=14400 .ci/lane $@ Tests/kernel/run

arm: ## Sound and fitting on aarch64: their tests under emulation, their renderings beside this processor's; ONLY=name,name
	@.ci/install-dependencies build run arm || echo "Without these packages it is skipped"
	$(SWIFT) build $(release) --product rendering-trial
	@Tests/arm/run

# Swift's own prerequisites and nothing of ours is there before.
fresh: build ## The README's two commands, and PipeWire, in a fresh Debian; an hour and root; COMMANDS='make run' for one of the two
	@.ci/install-dependencies package
	@.ci/scripts Tests/fresh

sizes: programs ## Bytes of the installed programs by dependency
	Benchmarks/Size/run

# The voices' packages are fetched and unpacked, not installed.
noise: build ## What noise reduction gains and costs, by natural voices; an hour, PyPI, Debian's mirror and 1.2 GB the first time
	@.ci/install-dependencies run noise || echo "Without these packages voices are skipped"
	Benchmarks/Noise/run.sh $(OPTIONS)

# Programs of other people, so none is installed unasked: .ci/install-dependencies peers.
PEERS ?=

peers: build ## Work, delay, memory and gain error against sox, ffmpeg and LV2 plugins; ten to twenty minutes; PEERS='--only sox --write'
	Benchmarks/Peers/run.sh .build/release $(PEERS)

quality: build ## Objective quality against a plain NAL-R filter: HASPI, HASQI, SII; half an hour
	Benchmarks/Quality/run.sh .build/release

scenes: build ## Judges the classifier of scenes on sounds of Debian packages; an hour and some GB
	Benchmarks/Scenes/run.sh

# Programs of another commit, and those that are compared with them.
BEFORE ?=
AFTER ?= .build/release/auricle

renderings: build ## Compares what BEFORE=…/auricle and this one make of recorded speech; ten minutes
	.ci/renderings "$(BEFORE)" "$(AFTER)"

trials: build ## Long trials: scanning of cards, fuzzed pictures and payloads, mutations, attacks on the socket, turned bits, kills of the book, feedback loops with music, half an hour of streamed music, a whole hearing test; hours
	.build/release/scan-trial trials 200
	.build/release/scan-trial hostile
	.build/release/scan-trial fuzz 20000
	.build/release/card-fuzz 1000000
	MUTATIONS=100000 .ci/scripts Tests/cli mutations
	ATTACK_SECONDS=600 .ci/scripts Tests/lab 08-attack
	BIT_FLIPS=200 BIT_FLIPS_SEARCHED=all BIT_FLIP_OUTCOMES=100000 .ci/scripts Tests/cli bit-flips
	.build/release/book-crash-trial 500
	AURICLE_ROUND_TRIPS=2000 $(tests) --filter RoundTripTests
	AURICLE_FEEDBACK_NOISES=50 $(tests) --filter AddedStableGainTests
	AURICLE_STREAM_SECONDS=1800 $(tests) --filter StreamingClockTests
	AURICLE_WHOLE=1 .ci/scripts Tests/lab 17-hearing-test 19-matches

# Seconds after which no fault is begun any more, and what of Tests/faults/faults.py is asked for besides: --all, --path scan.
FAULTS_TIME ?= 1800
FAULTS ?=

faults: build ## Every system call of start-up, cards, book, configuration and records fails in turn; half an hour; FAULTS='--all'; .build/faults.csv
	@Tests/faults/run --seconds $(FAULTS_TIME) --csv .build/faults.csv --json .build/faults.json --list .build/faults-calls.tsv $(FAULTS)

# JSON=1 prints nothing else on standard output.
soak: ## The aid in use, in turn with a bare loop: memory, descriptors, latency, xruns; MINUTES=10 or HOURS=n; DEVICE=hw:… for a sound card, silently; JSON=1
	@"$(MAKE)" --no-print-directory build >&2
	@HOURS="$(HOURS)" MINUTES="$(MINUTES)" DEVICE="$(DEVICE)" Tests/soak/run $(if $(JSON),--json)

soak-day: build ## Twenty-four hours of two drifting clocks in virtual time
	.build/release/clock-trial 24

# Seconds that each target is searched, and names of targets.
FUZZ_TIME ?= 600

fuzz: ## libFuzzer with sanitizers on cards, pictures, control lines, configurations, audiograms; half an hour after its build; ONLY=card,control; FUZZ_TIME=600
	@.ci/install-dependencies build
	@FUZZ_TIME="$(FUZZ_TIME)" ONLY="$(ONLY)" Tests/fuzz/run

# Settings of each of five plans: two minutes of a core for 3000, beside the build.
FUZZ_SETTINGS ?= 3000

# A test that asks for a wrong alignment on purpose is answered as without the sanitizer.
address := AURICLE_SANITIZER=address ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
of_address := $(tests) --sanitize=address --scratch-path .build-asan -Xcc -fsanitize=undefined -Xcc -fno-sanitize=function,vptr \
	-Xcc -fno-sanitize-recover=undefined

fuzz-chain: ## The chain with everything on, at the ends of what it accepts, under AddressSanitizer
	$(address) AURICLE_CHAIN_FUZZ=$(FUZZ_SETTINGS) $(of_address) --filter 'Fuzz|RandomSetting|FeedbackSafety|NonFinite'

address: ## Every Swift test under AddressSanitizer, and the C under UndefinedBehaviorSanitizer; FILTER=CardRoundTrip
	@.ci/install-dependencies build
	@$(address) LANE_TIMEOUT=7200 .ci/lane $@ $(of_address) $(if $(FILTER),--filter '$(FILTER)')

mutants: ## Changes each comparison, constant and sign of the safety stage: a test must fail each time; an hour
	@Tests/mutants/mutants.py

coverage: ## Line coverage of the libraries by Swift tests, scripts and kernel laboratory, in a build of its own; two hours and a half
	@.ci/install-dependencies build run lab
	@Tests/coverage/run

manual: ## Writes the manual page of the control protocol anew, from the list of methods
	AURICLE_WRITE_MANUAL=1 $(tests) --filter ControlManual

format: ## Formats the sources by .swift-format
	$(SWIFT) format --in-place --recursive --parallel --configuration .swift-format $(sources)

lint: ## Checks the form and changes nothing
	$(SWIFT) format lint --strict --recursive --parallel --configuration .swift-format $(sources)
	.ci/arrows . Companion
	.ci/circles Sources/Aid/Service
	.ci/words check
	.ci/words check Companion/Sources Companion/Tests
	.ci/stages
	Tests/mutants/mutants.py --list >/dev/null

install-dependencies: ## Installs missing Debian packages
	@.ci/install-dependencies

clean: ## Removes everything built
	rm -rf .build .build-* Companion/.build Companion/.build-*

# Each sanitizer has a folder of its own: they differ in flags, and sharing one would build all anew each time.

suite: ## One suite of tests: FILTER=CardRoundTrip
	$(tests) --filter '$(FILTER)'

test-unit: ## Every Swift test
	@.ci/lane $@ $(tests)

build-tests: ## Builds the tests of the aid
	$(SWIFT) build --build-tests --ignore-lock $(release)

test-rtsan: build-tests ## The audio thread's code under RealtimeSanitizer
	@.ci/lane $@ .ci/realtime-sanitizer

# With its default history the sanitizer silently drops a report whose earlier access it no longer recalls.
test-tsan: ## Hand-over between threads under ThreadSanitizer
	@AURICLE_SANITIZER=thread TSAN_OPTIONS=history_size=7 .ci/lane $@ $(SWIFT) test --sanitize=thread --scratch-path .build-tsan \
		--filter Handover

# Debug, because a release is linked without names; optimised, because sound would not keep up; commands are the shipped ones.
test-tsan-daemon: build ## The whole daemon under ThreadSanitizer; by itself, because its build takes six minutes
	$(SWIFT) build --sanitize=thread -Xswiftc -O --scratch-path .build-tsan-daemon --product auricle
	@ln -sf auricle .build-tsan-daemon/debug/auricled
	@PROGRAMS=$(CURDIR)/.build-tsan-daemon/debug COMMANDS=$(CURDIR)/.build/release .ci/lane $@ .ci/scripts Tests/tsan

test-companion: ## Studies, questionnaires and times: the package Companion, on SQLite and on a PostgreSQL of the tests' own
	@.ci/install-dependencies companion
	@.ci/lane $@ bash -c 'for words in "$(SWIFT) test --disable-testable-imports $(studies)" Companion/Tests/commands "Companion/Tests/kills 25"; do Companion/Tests/cluster $$words || exit; done'

test-cli: build ## The programs, as a user calls them
	@AT_ONCE=2 .ci/lane $@ .ci/scripts Tests/cli

test-lab: build ## The live loop, on a sound card made of software
	@AT_ONCE=2 .ci/lane $@ .ci/scripts Tests/lab

test-package: build ## The Debian package; BEFORE=….deb is upgraded from
	@.ci/install-dependencies package || echo "Without these packages it cannot be made"
	@AT_ONCE=2 .ci/lane $@ .ci/scripts Tests/package

test-kernel: build ## Scenarios of the kernel laboratory that take half a minute each
	@.ci/install-dependencies run lab || echo "Without these packages scenarios are skipped"
	@.ci/lane $@ env ONLY=$(quick_scenarios) Tests/kernel/run

test-quick: ## Lint, tests and scripts that are quick: within five minutes of a built tree
	@.ci/test lint quick-unit quick-cli

quick-unit:
	@.ci/lane $@ $(tests) --skip '\.($(subst $(space),|,$(slow_suites)))/'

quick-cli: build
	@AT_ONCE=2 .ci/lane $@ .ci/scripts Tests/cli $(filter-out $(slow_scripts),$(basename $(notdir $(wildcard Tests/cli/*.sh))))
