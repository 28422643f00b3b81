// swift-tools-version: 6.2
import PackageDescription

// Studies, journal and pages beside the aid. A package of its own, so that the aid keeps its few dependencies and its tests are not linked
// with a server's: `public` in the aid's libraries is all that is seen from here.

/// Every target: Swift 6 language mode, warnings are errors.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]

/// The aid's JSON, files and dates.
let base: Target.Dependency = .product(name: "Base", package: "auricle")

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")

let archives: [Target] = [
  .systemLibrary(
    name: "CArchive", path: "Sources/CArchive", pkgConfig: "libarchive",
    providers: [.apt(["libarchive-dev"])]),
  .target(name: "Archives", dependencies: ["CArchive"], path: "Sources/Archives", swiftSettings: strict),
]

let rooms: [Target] = [
  .target(name: "Almanac", dependencies: [base], path: "Sources/Almanac", swiftSettings: strict),
  .target(name: "Instruments", path: "Sources/Instruments", swiftSettings: strict),
  .target(
    name: "Questionnaires", dependencies: ["Almanac", base], path: "Sources/Questionnaires",
    swiftSettings: strict),
  .target(
    name: "Studies", dependencies: ["Almanac", "Archives", "Instruments", "Questionnaires", base, crypto],
    path: "Sources/Studies",
    resources: [.embedInCode("study.schema.json")], swiftSettings: strict),
]

let tests: [Target] = [
  .testTarget(
    name: "ArchivesTests", dependencies: ["Archives"], path: "Tests/ArchivesTests", swiftSettings: strict),
  .testTarget(
    name: "AlmanacTests", dependencies: ["Almanac", base], path: "Tests/AlmanacTests",
    exclude: ["vectors.py", "events.py"],
    resources: [.copy("zones.tsv"), .copy("days.tsv")], swiftSettings: strict),
  .testTarget(
    name: "InstrumentsTests", dependencies: ["Instruments", base], path: "Tests/InstrumentsTests",
    swiftSettings: strict),
  .testTarget(
    name: "QuestionnairesTests", dependencies: ["Questionnaires", "Almanac", base],
    path: "Tests/QuestionnairesTests",
    exclude: ["resources.py"], swiftSettings: strict),
  .testTarget(
    name: "StudiesTests",
    dependencies: ["Studies", "Archives", "Instruments", "Questionnaires", "Almanac", base],
    path: "Tests/StudiesTests", exclude: ["schema.py"], swiftSettings: strict),
]

let package = Package(
  name: "companion",
  dependencies: [
    .package(name: "auricle", path: ".."),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ],
  targets: archives + rooms + tests,
  swiftLanguageModes: [.v6])
