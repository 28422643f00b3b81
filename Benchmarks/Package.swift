// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]

/// A library of the hearing aid's package.
func library(_ name: String) -> Target.Dependency { .product(name: name, package: "auricle") }

let package = Package(
  name: "auricle-benchmarks",
  dependencies: [.package(name: "auricle", path: "..")],
  targets: [
    .executableTarget(
      name: "chain-benchmark", dependencies: [library("Sound"), library("CFFTW")], path: "Chain",
      exclude: ["run.sh"], swiftSettings: strict),
    .executableTarget(
      name: "live-benchmark", dependencies: [library("Sound"), library("CALSA")], path: "Live",
      exclude: ["run.sh"], swiftSettings: strict),
    .executableTarget(
      name: "mute-benchmark", dependencies: [library("AuricleClient")], path: "Mute",
      exclude: ["run.sh"], swiftSettings: strict),
    .executableTarget(
      name: "noise-rendering", dependencies: [library("Sound")], path: "Noise",
      exclude: ["score.py", "run.sh", "train.py"], swiftSettings: strict),
    .executableTarget(
      name: "scene-trial", dependencies: [library("Sound")], path: "Scenes",
      exclude: ["run.sh", "train.py", "sounds.py", "report.py"], swiftSettings: strict),
    .executableTarget(
      name: "start-benchmark", path: "Start", exclude: ["run.sh"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
