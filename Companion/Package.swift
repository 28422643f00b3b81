// swift-tools-version: 6.2
import PackageDescription

// Studies, journal and pages beside the aid. A package of its own, so that the aid keeps its few dependencies and its tests are not linked
// with a server's: `public` in the aid's libraries is all that is seen from here.

/// Every target: Swift 6 language mode, warnings are errors.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]

let base: Target.Dependency = .product(name: "Base", package: "auricle")

let package = Package(
  name: "companion",
  dependencies: [.package(name: "auricle", path: "..")],
  targets: [
    .target(name: "Almanac", dependencies: [base], swiftSettings: strict),
    .target(name: "Instruments", swiftSettings: strict),
    .testTarget(name: "InstrumentsTests", dependencies: ["Instruments", base], swiftSettings: strict),
    .target(name: "Questionnaires", dependencies: ["Almanac", base], swiftSettings: strict),
    .testTarget(
      name: "QuestionnairesTests", dependencies: ["Questionnaires", "Almanac", base],
      exclude: ["resources.py"],
      swiftSettings: strict),
    .testTarget(
      name: "AlmanacTests", dependencies: ["Almanac", base], exclude: ["vectors.py", "events.py"],
      resources: [.copy("zones.tsv"), .copy("days.tsv")], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6])
