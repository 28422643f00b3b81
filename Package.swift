// swift-tools-version: 6.2
import PackageDescription

// Layers, each above the one before: C, Base, Sound, Aid, Programs. `make lint` fails on an arrow that
// points up, is not declared or is not used.

/// Every target: Swift 6 language mode, warnings are errors.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]

/// For `make arm`: sound alone, and of its tests those named here, between commas. No program and nothing that needs another
/// package.
let soundTestsAlone = Context.environment["AURICLE_SOUND_TESTS"]?.split(separator: ",").map(String.init)
let isSoundAlone = soundTestsAlone != nil

/// Targets with code that runs on the audio thread: pointer code must say `unsafe`, and release builds let
/// the compiler prove that annotated functions neither allocate nor lock (`RT_LINT`). The proof reads Swift's library, of which
/// it must have this compiler's own: `make arm` has an older one.
let realTime: [SwiftSetting] =
  strict + [.strictMemorySafety()]
  + (isSoundAlone ? [] : [.define("RT_LINT", .when(configuration: .release))])

/// Sanitizers replace malloc, as the allocation probe does. `address` looks at everything that tests run, `thread` at the hand-over
/// between threads, and builds that alone. (`realtime` needs no build: .ci/realtime-sanitizer.)
let sanitizer = Context.environment["AURICLE_SANITIZER"]
let isSanitized = sanitizer != nil
let isSanitizedInPart = sanitizer == "thread"

/// How the programs are linked as they are shipped: with Swift's libraries, so that they run where no Swift
/// is.
///
/// Tests are linked with Swift's shared libraries. As only the linking differs, which
/// `--static-swift-stdlib` would not keep to, one build of the modules serves both: what is tested is what
/// is shipped.
///
/// Static Foundation, which the database brings, makes some hundred thousand relocations and tens of
/// thousands of exported names; the start reads them all, and they stay resident. LLD packs the former
/// (glibc 2.36 and later read that) and exports none. Debugging information stays out: most of it is
/// Foundation's. All addresses are known before the program begins, so that their table is read-only while
/// it runs. What would name the folder of the build stays out (left-out.ld). What the daemon runs lies side by
/// side (function-order), so that it keeps half the pages.
///
/// Where lines are counted (`make coverage`), or AddressSanitizer watches, nothing is left out: their tables name what would be.
func linking(with libraries: [String]) -> [LinkerSetting] {
  let leftOut = ["-Xlinker", "-T", "-Xlinker", "\(Context.packageDirectory)/Sources/Programs/left-out.ld"]
  return [
    .unsafeFlags(
      ["-static-stdlib"] + libraries + [
        "-lswiftSynchronization", "-lstdc++", "-use-ld=lld", "-Xlinker", "-z", "-Xlinker",
        "pack-relative-relocs",
        "-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "--no-export-dynamic", "-Xlinker", "--strip-debug",
        "-Xlinker", "--icf=safe", "-Xlinker", "-O2",
        "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/Sources/Programs/function-order",
        "-Xlinker", "--no-warn-symbol-ordering",
        // Found by ALSA's plugin for JACK before the library's own (CJack.h).
        "-Xlinker", "--export-dynamic-symbol=jack_*",
      ] + (Context.environment["AURICLE_COVERAGE"] == nil && !isSanitized ? leftOut : []),
      .when(platforms: [.linux], configuration: .release))
  ]
}
let shipped = linking(with: [
  "-lFoundation", "-lFoundationInternationalization", "-lFoundationEssentials", "-lCoreFoundation",
  "-l_FoundationICU",
  "-l_FoundationCollections", "-l_FoundationCShims", "-lswiftRegexBuilder", "-lswift_RegexParser",
])

let crypto: [Target.Dependency] = [
  .product(name: "Crypto", package: "swift-crypto"),
  .product(name: "CryptoExtras", package: "swift-crypto"),
]
let database = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

// MARK: - C

let c: [Target] = [
  .target(name: "CLinux", path: "Sources/C/CLinux"),
  .target(name: "CLanes", path: "Sources/C/CLanes"),
  .target(name: "CJack", path: "Sources/C/CJack"),
  .systemLibrary(
    name: "CALSA", path: "Sources/C/CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
  .systemLibrary(
    name: "CFFTW", path: "Sources/C/CFFTW", pkgConfig: "fftw3f", providers: [.apt(["libfftw3-dev"])]),
  .systemLibrary(
    name: "CSndfile", path: "Sources/C/CSndfile", pkgConfig: "sndfile",
    providers: [.apt(["libsndfile1-dev"])]),
  .systemLibrary(
    name: "CSamplerate", path: "Sources/C/CSamplerate", pkgConfig: "samplerate",
    providers: [.apt(["libsamplerate0-dev"])]),
]

let cOfAid: [Target] = [
  .target(name: "CNoLanguageData", path: "Sources/C/CNoLanguageData"),
  .systemLibrary(
    name: "CCairo", path: "Sources/C/CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
  .systemLibrary(
    name: "CDeflate", path: "Sources/C/CDeflate", pkgConfig: "libdeflate",
    providers: [.apt(["libdeflate-dev"])]),
  .systemLibrary(name: "CZopfli", path: "Sources/C/CZopfli", providers: [.apt(["libzopfli-dev"])]),
  .systemLibrary(
    name: "CQRencode", path: "Sources/C/CQRencode", pkgConfig: "libqrencode",
    providers: [.apt(["libqrencode-dev"])]),
  .systemLibrary(
    name: "CZBar", path: "Sources/C/CZBar", pkgConfig: "zbar", providers: [.apt(["libzbar-dev"])]),
  .systemLibrary(
    name: "CPNG", path: "Sources/C/CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
  .systemLibrary(
    name: "CTurboJPEG", path: "Sources/C/CTurboJPEG", pkgConfig: "libturbojpeg",
    providers: [.apt(["libturbojpeg0-dev"])]),
  .systemLibrary(
    name: "CSystemd", path: "Sources/C/CSystemd", pkgConfig: "libsystemd",
    providers: [.apt(["libsystemd-dev"])]),
  .systemLibrary(
    name: "CPAM", path: "Sources/C/CPAM", pkgConfig: "pam", providers: [.apt(["libpam0g-dev"])]),
]

/// Code that waits for people, disks and sockets, or has no clock to meet: optimised for size, for the programs are to be small.
let optimisedForSize: [SwiftSetting] = strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

// MARK: - Base and Sound

let base: [Target] = [
  .target(name: "Base", dependencies: ["CLinux"], path: "Sources/Base", swiftSettings: optimisedForSize)
]

let sound: [Target] = [
  .target(
    name: "Acoustics", dependencies: ["Base"], path: "Sources/Sound/Acoustics",
    swiftSettings: optimisedForSize),
  .target(
    name: "Procedures", dependencies: ["Base", "Acoustics"], path: "Sources/Sound/Procedures",
    swiftSettings: optimisedForSize
  ),
  // In no program of the aid: tests of the procedures, and rehearsals of studies.
  .target(
    name: "SimulatedListeners", dependencies: ["Base", "Acoustics", "Procedures"],
    path: "Sources/Sound/SimulatedListeners", swiftSettings: optimisedForSize),
  .target(
    name: "Fitting", dependencies: ["Base", "Acoustics"], path: "Sources/Sound/Fitting",
    swiftSettings: optimisedForSize),
  .target(
    name: "Realtime", dependencies: ["Base", "CLinux"], path: "Sources/Sound/Realtime",
    // A property that returns a span says what the span depends on.
    swiftSettings: realTime + [.enableExperimentalFeature("Lifetimes")]),
  .target(
    name: "HearingDSP", dependencies: ["Acoustics", "Fitting", "Realtime", "Base", "CFFTW", "CLanes"],
    path: "Sources/Sound/HearingDSP", swiftSettings: realTime),
  .target(
    name: "AudioIO",
    dependencies: ["Realtime", "Base", "CALSA", "CJack", "CSndfile", "CSamplerate", "CLinux"],
    path: "Sources/Sound/AudioIO", swiftSettings: realTime),
  .target(
    name: "Engine", dependencies: ["Base", "Acoustics", "Fitting", "HearingDSP", "AudioIO", "Realtime"],
    path: "Sources/Sound/Engine", swiftSettings: realTime),
  .target(
    name: "Laboratory", dependencies: ["Base", "Engine", "HearingDSP", "Fitting", "Acoustics", "Realtime"],
    path: "Sources/Sound/Laboratory", swiftSettings: optimisedForSize),
]

// MARK: - Aid and Programs

let aid: [Target] = [
  .target(
    name: "Prescriptions", dependencies: ["Base", "Acoustics", "Fitting", "CDeflate", "CZopfli"] + crypto,
    path: "Sources/Aid/Prescriptions", swiftSettings: optimisedForSize),
  .target(
    name: "SignedDocuments", dependencies: ["Prescriptions", "Base", crypto[0]],
    path: "Sources/Aid/SignedDocuments", swiftSettings: optimisedForSize),
  .target(
    name: "Sealing", dependencies: ["Base"] + crypto, path: "Sources/Aid/Sealing",
    swiftSettings: optimisedForSize),
  .target(
    name: "AuditTrail", dependencies: ["Sealing", "Base", crypto[0]], path: "Sources/Aid/AuditTrail",
    swiftSettings: optimisedForSize),
  .target(
    name: "Book", dependencies: ["Prescriptions", "AuditTrail", "Sealing", "Base", database],
    path: "Sources/Aid/Book", swiftSettings: optimisedForSize),
  .target(
    name: "Paper",
    dependencies: [
      "Base", "Prescriptions", "Laboratory", "Engine", "Fitting", "Acoustics",
      "CCairo", "CQRencode", "CZBar", "CPNG", "CTurboJPEG", "CLinux",
    ], path: "Sources/Aid/Paper", swiftSettings: optimisedForSize),
  .target(
    name: "Bus", dependencies: ["Base", "CSystemd", "CLinux"], path: "Sources/Aid/Bus",
    swiftSettings: optimisedForSize),
  .target(
    name: "AuricleClient", dependencies: ["Base", "CLinux"], path: "Sources/Aid/Client",
    swiftSettings: optimisedForSize),
  .target(
    name: "Control", dependencies: ["AuricleClient", "Base", "Acoustics", "Fitting", "AudioIO", "CLinux"],
    path: "Sources/Aid/Control", swiftSettings: optimisedForSize),
  .target(
    name: "Service",
    dependencies: [
      "Base", "Bus", "AuricleClient", "Control", "Book", "AuditTrail", "Sealing", "Prescriptions",
      "Procedures", "Engine", "HearingDSP", "AudioIO", "Realtime", "Fitting", "Acoustics", "CLinux",
      "CSystemd",
    ], path: "Sources/Aid/Service", swiftSettings: optimisedForSize),
]

let programs: [Target] = [
  .target(
    name: "AuricledCommand", dependencies: ["Base", "Service", "Control", argumentParser],
    path: "Sources/Programs/auricled", swiftSettings: optimisedForSize),
  .target(
    name: "AuricleCommands",
    dependencies: [
      "Base", "Service", "Paper", "Prescriptions", "Control", "AuricleClient", "Laboratory", "Procedures",
      "Engine", "HearingDSP", "AudioIO", "Fitting", "Acoustics", argumentParser,
    ],
    path: "Sources/Programs/auricle", exclude: ["Entry"], swiftSettings: optimisedForSize),
  .target(
    name: "DesktopCommand",
    dependencies: ["Base", "Service", "Control", "Bus", "AudioIO", "Acoustics", argumentParser],
    path: "Sources/Programs/auricle-desktop", swiftSettings: optimisedForSize),
  .executableTarget(
    name: "auricle",
    dependencies: ["AuricleCommands", "AuricledCommand", "DesktopCommand", "CNoLanguageData"],
    path: "Sources/Programs/auricle/Entry",
    swiftSettings: strict, linkerSettings: shipped),
  .target(
    name: "ProofOfRole", dependencies: ["Base", "AuricleClient", "CLinux", "CPAM"],
    path: "Sources/Programs/auricle-auth", exclude: ["Entry"], swiftSettings: optimisedForSize),
  .executableTarget(
    name: "auricle-auth", dependencies: ["ProofOfRole"], path: "Sources/Programs/auricle-auth/Entry",
    // Without Foundation: it is root.
    swiftSettings: strict, linkerSettings: linking(with: ["-lswift_RegexParser"])),
]

// MARK: - Tests

/// Most tests: what they test is optimised, they themselves are not. Their build takes a third of the time, and less where their modules, which
/// nobody imports, are not made by a second reading of the sources.
let testCode: [SwiftSetting] =
  strict + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))]

/// Tests that compute much themselves: optimised for size, which takes less time to build and runs as fast.
let computingTestCode: [SwiftSetting] =
  strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

let soundTests: [Target] = [
  .target(
    name: "CommonTesting", dependencies: ["Base"], path: "Tests/Support/CommonTesting",
    swiftSettings: strict),
  .target(
    name: "AudioIOTesting", dependencies: ["AudioIO"], path: "Tests/Support/AudioIOTesting",
    // The rig is one thread's. Watching each access to its parts would take a third of a simulated day.
    swiftSettings: strict + [
      .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
    ]),
  .target(
    name: "CAllocationProbe", path: "Tests/Support/CAllocationProbe",
    cSettings: isSanitized ? [.define("AURICLE_NO_INTERPOSITION")] : []),
  .target(
    name: "HearingDSPTesting",
    dependencies: ["HearingDSP", "Fitting", "Acoustics", "Realtime", "CommonTesting"],
    path: "Tests/Support/HearingDSPTesting", swiftSettings: strict),
  .testTarget(
    name: "BaseTests", dependencies: ["Base", "CommonTesting"], path: "Tests/Base/BaseTests",
    swiftSettings: testCode),
  .testTarget(
    name: "RealtimeTests", dependencies: ["Base", "Realtime", "CAllocationProbe", "CLinux"],
    path: "Tests/Sound/RealtimeTests", swiftSettings: testCode),
  .testTarget(
    name: "HearingDSPTests",
    dependencies: [
      "HearingDSP", "HearingDSPTesting", "Fitting", "Acoustics", "Realtime", "CommonTesting",
      "CAllocationProbe", "CLanes",
    ],
    path: "Tests/Sound/HearingDSPTests", swiftSettings: computingTestCode),
  .target(
    name: "EngineTesting",
    dependencies: [
      "Base", "Engine", "HearingDSP", "AudioIO", "Realtime", "Fitting", "Acoustics", "AudioIOTesting",
      "CommonTesting", "CAllocationProbe",
    ],
    path: "Tests/Support/EngineTesting", swiftSettings: strict),
  // By itself, so that .ci/realtime-sanitizer, which links it once more, needs few others.
  .testTarget(
    name: "RealtimeSafetyTests",
    dependencies: [
      "Engine", "EngineTesting", "AudioIO", "AudioIOTesting", "HearingDSP", "HearingDSPTesting", "Fitting",
      "Acoustics", "Realtime", "CAllocationProbe",
    ],
    path: "Tests/Sound/RealtimeSafetyTests", swiftSettings: strict),
  .testTarget(
    name: "EngineTests",
    dependencies: [
      "Base", "Engine", "HearingDSP", "AudioIO", "Realtime", "Fitting", "Acoustics",
      "AudioIOTesting", "EngineTesting", "CommonTesting",
    ],
    path: "Tests/Sound/EngineTests", swiftSettings: computingTestCode),
  .testTarget(
    name: "LaboratoryTests",
    dependencies: ["Base", "Laboratory", "Engine", "HearingDSP", "Fitting", "Acoustics"],
    path: "Tests/Sound/LaboratoryTests", swiftSettings: testCode),
]

let otherTests: [Target] = [
  .target(
    name: "PrescriptionsTesting",
    dependencies: [
      "Base", "Prescriptions", "Fitting", "Acoustics", "CommonTesting", "CDeflate", crypto[0],
    ],
    path: "Tests/Support/PrescriptionsTesting", swiftSettings: strict),
  .testTarget(
    name: "AcousticsTests", dependencies: ["Base", "Acoustics"], path: "Tests/Sound/AcousticsTests",
    swiftSettings: testCode),
  .testTarget(
    name: "ProceduresTests",
    dependencies: ["Procedures", "SimulatedListeners", "Acoustics", "CommonTesting"],
    path: "Tests/Sound/ProceduresTests", swiftSettings: computingTestCode),
  .testTarget(
    name: "FittingTests", dependencies: ["Base", "Fitting", "Acoustics"], path: "Tests/Sound/FittingTests",
    exclude: ["Vectors"], swiftSettings: testCode),
  .testTarget(
    name: "AudioIOTests",
    dependencies: ["AudioIO", "Base", "AudioIOTesting", "CommonTesting", "CSndfile"],
    path: "Tests/Sound/AudioIOTests", swiftSettings: testCode),
  .testTarget(
    name: "PrescriptionsTests",
    dependencies: [
      "Base", "Prescriptions", "PrescriptionsTesting", "Paper", "PaperTesting", "Fitting", "Acoustics",
      "CommonTesting", crypto[0],
    ],
    path: "Tests/Aid/PrescriptionsTests", swiftSettings: testCode),
  .testTarget(
    name: "SignedDocumentsTests",
    dependencies: [
      "Base", "SignedDocuments", "Prescriptions", "Fitting", "Acoustics", "CommonTesting", crypto[0],
    ],
    path: "Tests/Aid/SignedDocumentsTests", swiftSettings: testCode),
  .testTarget(
    name: "SealingTests", dependencies: ["Base", "Sealing", "CommonTesting"] + crypto,
    path: "Tests/Aid/SealingTests", swiftSettings: testCode),
  .testTarget(
    name: "AuditTrailTests", dependencies: ["Base", "AuditTrail", "Sealing"],
    path: "Tests/Aid/AuditTrailTests", swiftSettings: testCode),
  .testTarget(
    name: "BookTests",
    dependencies: [
      "Base", "Book", "AuditTrail", "Sealing", "Prescriptions", "PrescriptionsTesting", "Fitting",
      "Acoustics",
      "CommonTesting", database,
    ] + crypto,
    path: "Tests/Aid/BookTests", exclude: ["FormerBook"], swiftSettings: testCode),
  .target(
    name: "PaperTesting", dependencies: ["Paper", "CPNG", "CTurboJPEG"], path: "Tests/Support/PaperTesting",
    swiftSettings: strict),
  .testTarget(
    name: "PaperTests",
    dependencies: [
      "Paper", "PaperTesting", "Prescriptions", "Laboratory", "Fitting", "Acoustics", "Base",
      "CommonTesting", "CCairo",
    ],
    path: "Tests/Aid/PaperTests", swiftSettings: testCode),
  .testTarget(
    name: "BusTests",
    dependencies: ["Bus", "AuricleClient", "Base", "CLinux", "CSystemd", "CommonTesting"],
    path: "Tests/Aid/BusTests", swiftSettings: testCode),
  .testTarget(
    name: "ControlTests", dependencies: ["Control", "Base", "CommonTesting"],
    path: "Tests/Aid/ControlTests", swiftSettings: testCode),
  .testTarget(
    name: "AuricleTests",
    dependencies: [
      "AuricleCommands", "CommonTesting", "Service", "Control", "Engine", "AudioIO", "Procedures",
      "Laboratory", "Acoustics", "Prescriptions",
      "Base", argumentParser,
    ],
    path: "Tests/Aid/AuricleTests", swiftSettings: testCode),
  .testTarget(
    name: "DesktopTests",
    dependencies: ["DesktopCommand", "AudioIO", "Bus", "Service", "Base", "CommonTesting"],
    path: "Tests/Aid/DesktopTests", swiftSettings: testCode),
  .testTarget(
    name: "ClientTests", dependencies: ["AuricleClient", "Base", "CommonTesting"],
    path: "Tests/Aid/ClientTests", swiftSettings: testCode),
  .testTarget(
    name: "AuricleAuthTests",
    dependencies: ["ProofOfRole", "AuricleClient", "Base", "CommonTesting", "CLinux", "CPAM"],
    path: "Tests/Aid/AuricleAuthTests", swiftSettings: testCode),
  .testTarget(
    name: "ServiceTests",
    dependencies: [
      "Base", "Book", "Bus", "Service", "Control", "Prescriptions", "Procedures", "Engine", "HearingDSP",
      "AudioIO",
      "Realtime",
      "Fitting", "Acoustics", "Sealing", "CommonTesting", "EngineTesting", "PrescriptionsTesting", "CLinux",
    ],
    path: "Tests/Aid/ServiceTests", swiftSettings: testCode),
]

/// Recordings as they are heard, on two processors.
let rendering = Target.executableTarget(
  name: "rendering-trial", dependencies: ["Engine", "Fitting", "Acoustics", "CFFTW"],
  path: "Tests/Trials/Rendering", swiftSettings: strict)

/// Readers of mutated material: what comes from outside, and the sound that it is made into.
let ofMutations: [Target.Dependency] = [
  "Base", "Service", "Control", "Engine", "HearingDSP", "Fitting", "Acoustics", "Prescriptions",
  "PrescriptionsTesting", "CommonTesting", "CLinux", "CFFTW", "CSndfile", crypto[0], database,
]

/// Long trials, in programs that may crash.
let trials: [Target] = [
  rendering,
  .executableTarget(
    name: "book-crash-trial",
    dependencies: [
      "Base", "Book", "Sealing", "Prescriptions", "PrescriptionsTesting", "Fitting", "Acoustics",
      "CommonTesting",
    ],
    path: "Tests/Trials/BookCrash", swiftSettings: strict),
  .executableTarget(
    name: "scan-trial", dependencies: ["Base", "Paper", "PaperTesting", "CTurboJPEG"],
    path: "Tests/Trials/Scanning", swiftSettings: strict),
  .executableTarget(
    name: "clock-trial", dependencies: ["Base", "AudioIOTesting"], path: "Tests/Trials/Clocks",
    swiftSettings: strict),
  .executableTarget(
    name: "card-fuzz", dependencies: ["PrescriptionsTesting"], path: "Tests/Trials/CardFuzz",
    swiftSettings: strict),
  .executableTarget(
    name: "mutation-trial", dependencies: ofMutations, path: "Tests/Trials/Mutation",
    exclude: ["LibFuzzer"],
    swiftSettings: strict),
]

/// Programs that measure what is shipped, so they are built and linked as that is.
let benchmarks: [Target] = [
  .executableTarget(
    name: "chain-benchmark",
    dependencies: ["Base", "Acoustics", "Fitting", "Realtime", "HearingDSP", "AudioIO", "CFFTW"],
    path: "Benchmarks/Chain", exclude: ["run.sh"], swiftSettings: strict, linkerSettings: shipped),
  .executableTarget(
    name: "live-benchmark",
    dependencies: ["Base", "Acoustics", "Fitting", "Realtime", "AudioIO", "Engine", "CALSA"],
    path: "Benchmarks/Live", exclude: ["run.sh"], swiftSettings: strict, linkerSettings: shipped),
  .executableTarget(
    name: "mute-benchmark", dependencies: ["AuricleClient"], path: "Benchmarks/Mute",
    exclude: ["run.sh"], swiftSettings: strict, linkerSettings: shipped),
  .executableTarget(
    name: "noise-rendering", dependencies: ["Acoustics", "Fitting", "HearingDSP"],
    path: "Benchmarks/Noise",
    exclude: ["Learning", "audiograms.py", "score.py", "run.sh", "train.py", "voices.py", "voices.tsv"],
    swiftSettings: strict,
    linkerSettings: shipped),
  .executableTarget(
    name: "scene-trial", dependencies: ["Acoustics", "Fitting", "Realtime", "HearingDSP", "AudioIO"],
    path: "Benchmarks/Scenes", exclude: ["train.py", "run.sh", "sounds.py", "report.py"],
    swiftSettings: strict, linkerSettings: shipped),
  .executableTarget(
    name: "start-benchmark", path: "Benchmarks/Start", exclude: ["run.sh"], swiftSettings: strict,
    linkerSettings: shipped),
]

/// libFuzzer brings its own `main`, so its program links only under `--sanitize=fuzzer`: see Tests/fuzz/run. It reads the
/// mutation trial's material, in the trial's place.
let isFuzzed = Context.environment["AURICLE_FUZZER"] != nil
let fuzzer = Target.executableTarget(
  name: "fuzzer", dependencies: ofMutations + ["Paper", "PaperTesting"], path: "Tests/Trials/Mutation",
  exclude: ["Main.swift"], swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
let trialsOrFuzzer = isFuzzed ? trials.filter { $0.name != "mutation-trial" } + [fuzzer] : trials

/// Targets that ThreadSanitizer is built with.
let sanitizedPart = (c + base + sound + soundTests).filter { target in
  ["CLinux", "Base", "Realtime", "CAllocationProbe", "RealtimeTests"].contains(target.name)
}

/// The named tests as libraries of one program: the package manager's own needs XCTest, and with it Foundation. Debian's is read
/// by the compiler that made it alone; what tests use of one stands in Tests/arm/Foundation.
let soundTestLibraries = (soundTests + otherTests).filter { soundTestsAlone?.contains($0.name) == true }
  .map { test in
    Target.target(
      name: test.name, dependencies: test.dependencies + ["Foundation"], path: test.path,
      exclude: test.exclude, swiftSettings: test.swiftSettings)
  }
let soundAlone =
  c + base + sound + aid.filter { $0.name == "AuricleClient" } + [rendering]
  + soundTests.filter { $0.type != .test } + soundTestLibraries + [
    .target(
      name: "Foundation", dependencies: ["AuricleClient", "Base"], path: "Tests/arm/Foundation",
      swiftSettings: strict),
    .executableTarget(
      name: "sound-tests", dependencies: soundTestLibraries.map { .target(name: $0.name) },
      path: "Tests/arm/Tests",
      swiftSettings: strict),
  ]

// MARK: - Package

let package = Package(
  name: "auricle",
  // The programs, and the client library for other programs.
  products: isSanitizedInPart || isSoundAlone
    ? []
    : [
      .executable(name: "auricle", targets: ["auricle"]),
      .executable(name: "auricle-auth", targets: ["auricle-auth"]),
      .library(name: "AuricleClient", targets: ["AuricleClient"]),
      // For Companion, a package of its own.
      .library(name: "Base", targets: ["Base"]),
      .library(name: "Sealing", targets: ["Sealing"]),
      .library(name: "AuditTrail", targets: ["AuditTrail"]),
      .library(name: "SignedDocuments", targets: ["SignedDocuments"]),
      .library(name: "SimulatedListeners", targets: ["SimulatedListeners"]),
      .library(name: "CNoLanguageData", targets: ["CNoLanguageData"]),
    ],
  dependencies: isSanitizedInPart || isSoundAlone
    ? []
    : [
      .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
      .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
      .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
  targets: isSanitizedInPart
    ? sanitizedPart
    : isSoundAlone
      ? soundAlone
      : c + base + sound + soundTests + cOfAid + aid + programs + otherTests
        + (isSanitized ? [] : trialsOrFuzzer + benchmarks),
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11
)
