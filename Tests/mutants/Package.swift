// swift-tools-version: 6.2
import PackageDescription

// The sound's own modules and the tests of the safety stage, so that one changed line is built in seconds. mutants.py fills a folder with
// copies and this description.

let realTime: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .strictMemorySafety(), .enableExperimentalFeature("Lifetimes"),
]

let package = Package(
  name: "mutants",
  targets: [
    .target(name: "CLinux", path: "Sources/C/CLinux"),
    .target(name: "CLanes", path: "Sources/C/CLanes"),
    .systemLibrary(name: "CFFTW", path: "Sources/C/CFFTW", pkgConfig: "fftw3f"),
    .target(name: "Base", dependencies: ["CLinux"], path: "Sources/Base"),
    .target(name: "Acoustics", dependencies: ["Base"], path: "Sources/Sound/Acoustics"),
    .target(name: "Fitting", dependencies: ["Base", "Acoustics"], path: "Sources/Sound/Fitting"),
    .target(
      name: "Realtime", dependencies: ["Base", "CLinux"], path: "Sources/Sound/Realtime",
      swiftSettings: realTime),
    .target(
      name: "HearingDSP", dependencies: ["Acoustics", "Fitting", "Realtime", "Base", "CFFTW", "CLanes"],
      path: "Sources/Sound/HearingDSP", swiftSettings: realTime),
    .target(name: "CommonTesting", dependencies: ["Base"], path: "Tests/Support/CommonTesting"),
    .target(
      name: "HearingDSPTesting",
      dependencies: ["HearingDSP", "Fitting", "Acoustics", "Realtime", "CommonTesting"],
      path: "Tests/Support/HearingDSPTesting"),
    .testTarget(
      name: "SafetyTests",
      dependencies: ["HearingDSP", "HearingDSPTesting", "Fitting", "Acoustics", "Realtime"],
      path: "Tests/Sound/HearingDSPTests/Output"),
  ])
