// swift-tools-version: 6.2
import PackageDescription

/// Every target: Swift 6 language mode, warnings are errors.
let house: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]

/// Targets with code that runs on the audio thread: pointer code must say `unsafe`, and release builds let
/// the compiler prove that annotated functions neither allocate nor lock (`RT_LINT`).
let realTime: [SwiftSetting] =
  house + [.strictMemorySafety(), .define("RT_LINT", .when(configuration: .release))]

/// How the programs are linked as they are shipped.
///
/// Static Foundation, which the database brings, makes some hundred thousand relocations and tens of thousands
/// of exported names; the start reads them all, and they stay resident. LLD packs the former (glibc 2.36 and
/// later read that) and exports none. Debugging information stays out: most of it is Foundation's.
let shipped: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker",
      "--no-export-dynamic",
      "-Xlinker", "--strip-debug", "-Xlinker", "--icf=safe",
    ], .when(platforms: [.linux], configuration: .release))
]

/// The allocation probe replaces malloc for the whole test process, which the sanitizers also want to do.
let sanitized = Context.environment["AURICLE_SANITIZER"] != nil

/// libFuzzer brings its own `main`, so its target links only under `--sanitize=fuzzer`: see `make fuzz`.
let fuzzers: [Target] =
  Context.environment["AURICLE_FUZZER"] == nil
  ? []
  : [
    .executableTarget(
      name: "card-fuzzer", dependencies: ["PrescriptionsTesting"], path: "Tests/fuzz/LibFuzzer",
      swiftSettings: house + [.unsafeFlags(["-parse-as-library"])])
  ]

let package = Package(
  name: "auricle",
  products: [
    .executable(name: "auricled", targets: ["auricled"]),
    .executable(name: "auricle", targets: ["auricle"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // What tests of every room use.
    .target(name: "CommonTesting", swiftSettings: house),

    // What every room that writes files uses.
    .target(name: "Files", dependencies: ["CLinux"], swiftSettings: house),

    // Pure values.
    .target(name: "Acoustics", swiftSettings: house),
    .target(name: "Fitting", dependencies: ["Acoustics"], swiftSettings: house),

    // Prescriptions.
    .target(
      name: "Prescriptions",
      dependencies: [
        "Acoustics", "Fitting", "CDeflate", "CZopfli", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ], swiftSettings: house),
    .target(
      name: "PrescriptionsTesting",
      dependencies: [
        "CommonTesting", "Prescriptions", "Fitting", "Acoustics", "CDeflate",
        .product(name: "Crypto", package: "swift-crypto"),
      ], swiftSettings: house),
    .target(
      name: "CardPictures", dependencies: ["CQRencode", "CZBar", "CPNG", "CTurboJPEG", "CLinux"],
      swiftSettings: house),
    .target(
      name: "PrescriptionBook",
      dependencies: [
        "Prescriptions", "Acoustics", "Files", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: house),

    // Sound.
    .target(
      name: "Realtime", dependencies: ["CLinux"],
      // A property that returns a span says what the span depends on.
      swiftSettings: realTime + [.enableExperimentalFeature("Lifetimes")]),
    .target(
      name: "HearingDSP", dependencies: ["Acoustics", "Fitting", "Realtime", "Files", "CFFTW"],
      swiftSettings: realTime),
    .target(
      name: "AudioIO",
      dependencies: ["Acoustics", "Realtime", "Files", "CALSA", "CSndfile", "CSamplerate", "CLinux"],
      swiftSettings: realTime),
    .target(name: "AudioIOTesting", dependencies: ["AudioIO"], swiftSettings: house),
    .target(
      name: "HearingAid", dependencies: ["Acoustics", "Fitting", "HearingDSP", "AudioIO", "Realtime"],
      swiftSettings: realTime),

    .target(
      name: "Laboratory", dependencies: ["HearingAid", "HearingDSP", "Fitting", "Acoustics", "Realtime"],
      swiftSettings: house),

    // People.
    .target(
      name: "Clinic", dependencies: ["Prescriptions", "Fitting", "Acoustics", "Control"],
      swiftSettings: house),
    .target(
      name: "Daemon",
      dependencies: [
        "Control", "HearingAid", "HearingDSP", "AudioIO", "Realtime", "PrescriptionBook", "Prescriptions",
        "Fitting", "Acoustics", "CLinux",
      ],
      swiftSettings: house),
    .target(name: "Drawing", dependencies: ["Acoustics", "Files", "CCairo"], swiftSettings: house),
    .target(name: "Control", dependencies: ["Files", "CLinux"], swiftSettings: house),
    .executableTarget(
      name: "auricled",
      dependencies: [
        "Daemon", "Control", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: house, linkerSettings: shipped),
    .executableTarget(
      name: "auricle",
      dependencies: [
        "Daemon", "Clinic", "CardPictures", "PrescriptionBook", "Prescriptions", "Control", "HearingAid",
        "Laboratory", "Drawing",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: house, linkerSettings: shipped),

    .executableTarget(
      name: "chain-benchmark",
      dependencies: ["HearingDSP", "Fitting", "Acoustics", "AudioIO", "Realtime", "CFFTW"],
      path: "Benchmarks/Chain", exclude: ["run.sh"], swiftSettings: house),

    .executableTarget(
      name: "scene-trial", dependencies: ["HearingDSP", "Fitting", "Acoustics", "AudioIO", "Realtime"],
      path: "Benchmarks/Scenes", exclude: ["run.sh", "train.py", "sounds.py", "report.py"],
      swiftSettings: house),

    .executableTarget(
      name: "noise-rendering", dependencies: ["HearingDSP", "Fitting", "Acoustics"],
      path: "Benchmarks/Noise", exclude: ["score.py", "run.sh", "train.py"], swiftSettings: house),

    .executableTarget(
      name: "live-benchmark", dependencies: ["HearingAid", "AudioIO", "Fitting", "Acoustics", "CALSA"],
      path: "Benchmarks/Live", exclude: ["run.sh"], swiftSettings: house),

    .executableTarget(
      name: "start-benchmark", path: "Benchmarks/Start", exclude: ["run.sh"], swiftSettings: house),

    .executableTarget(
      name: "book-crash-trial",
      dependencies: ["PrescriptionBook", "Prescriptions", "Fitting", "Acoustics", "CommonTesting"],
      path: "Tests/crash", swiftSettings: house),

    .executableTarget(
      name: "card-fuzz", dependencies: ["PrescriptionsTesting"], path: "Tests/fuzz/Trial",
      swiftSettings: house),

    .executableTarget(
      name: "mutation-trial",
      dependencies: [
        "Daemon", "Control", "Clinic", "HearingAid", "HearingDSP", "Fitting", "Acoustics", "Prescriptions",
        "PrescriptionsTesting", "CommonTesting", "CLinux", "CFFTW", "CSndfile",
        .product(name: "Crypto", package: "swift-crypto"), .product(name: "GRDB", package: "GRDB.swift"),
      ], path: "Tests/fuzz/Mutation", swiftSettings: house),

    .executableTarget(
      name: "scan-trial", dependencies: ["CardPictures", "CPNG", "CTurboJPEG"], path: "Benchmarks/Scanning",
      swiftSettings: house),

    // C libraries.
    .target(name: "CLinux"),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CFFTW", pkgConfig: "fftw3f", providers: [.apt(["libfftw3-dev"])]),
    .systemLibrary(name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(
      name: "CSamplerate", pkgConfig: "samplerate", providers: [.apt(["libsamplerate0-dev"])]),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CZopfli", providers: [.apt(["libzopfli-dev"])]),
    .systemLibrary(name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CZBar", pkgConfig: "zbar", providers: [.apt(["libzbar-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),

    // Tests.
    .target(
      name: "CAllocationProbe", path: "Tests/CAllocationProbe",
      cSettings: sanitized ? [.define("AURICLE_NO_INTERPOSITION")] : []),
    .testTarget(name: "FilesTests", dependencies: ["Files", "CommonTesting"], swiftSettings: house),
    .testTarget(name: "AcousticsTests", dependencies: ["Acoustics"], swiftSettings: house),
    .testTarget(
      name: "FittingTests", dependencies: ["Fitting"], resources: [.copy("Vectors")], swiftSettings: house),
    .testTarget(
      name: "PrescriptionsTests",
      dependencies: [
        "Prescriptions", "PrescriptionsTesting", "Fitting", "Acoustics",
        .product(name: "Crypto", package: "swift-crypto"),
      ], swiftSettings: house),
    .testTarget(name: "CardPicturesTests", dependencies: ["CardPictures"], swiftSettings: house),
    .testTarget(
      name: "PrescriptionBookTests",
      dependencies: [
        "PrescriptionBook", "Prescriptions", "Fitting", "Acoustics", "CommonTesting",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: house),
    .testTarget(
      name: "RealtimeTests", dependencies: ["Realtime", "CAllocationProbe"], swiftSettings: house),
    .testTarget(
      name: "HearingDSPTests", dependencies: ["HearingDSP", "CommonTesting", "CAllocationProbe"],
      swiftSettings: house),
    .testTarget(
      name: "AudioIOTests",
      dependencies: [
        "AudioIO", "AudioIOTesting", "Files", "CommonTesting", "CAllocationProbe", "CSndfile",
      ],
      swiftSettings: house),
    .testTarget(
      name: "HearingAidTests",
      dependencies: ["HearingAid", "AudioIOTesting", "CommonTesting", "CAllocationProbe"],
      swiftSettings: house),
    .testTarget(name: "LaboratoryTests", dependencies: ["Laboratory"], swiftSettings: house),
    .testTarget(
      name: "ClinicTests",
      dependencies: [
        "Clinic", "Control", "Prescriptions", "PrescriptionsTesting", "CommonTesting", "CardPictures",
      ],
      swiftSettings: house),
    .testTarget(
      name: "ControlTests", dependencies: ["Control", "Files", "CommonTesting"], swiftSettings: house),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "Daemon", "Control", "HearingAid", "HearingDSP", "AudioIO", "Realtime", "Prescriptions", "Fitting",
        "Acoustics", "CommonTesting",
      ],
      swiftSettings: house),
    .testTarget(name: "DrawingTests", dependencies: ["Drawing", "CommonTesting"], swiftSettings: house),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11
)

package.targets += fuzzers

// The sanitizers look at the rooms of sound alone: building the others thrice would double the time of the tests.
// AURICLE_SOUND_ONLY does the same for whoever works on sound.
if sanitized || Context.environment["AURICLE_SOUND_ONLY"] != nil {
  let sound: Set = [
    "Acoustics", "Fitting", "Realtime", "HearingDSP", "AudioIO", "AudioIOTesting", "HearingAid", "CLinux",
    "CALSA", "CFFTW", "CSndfile", "CSamplerate", "CAllocationProbe", "RealtimeTests", "HearingDSPTests",
    "HearingAidTests", "Laboratory", "LaboratoryTests", "CommonTesting",
    "Files", "FilesTests",
  ]
  let benchmarks: Set<String> = sanitized ? [] : ["chain-benchmark", "scene-trial", "noise-rendering"]
  package.targets.removeAll { !sound.union(benchmarks).contains($0.name) }
  package.products = []
  package.dependencies = []
}
