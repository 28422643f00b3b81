// swift-tools-version: 6.2
import PackageDescription

// Studies, journal and pages beside the aid. A package of its own, so that the aid keeps its few dependencies and its tests are not linked
// with a server's: `public` in the aid's libraries is all that is seen from here.

/// Every target: Swift 6 language mode, warnings are errors.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]

/// The aid's JSON, files and dates.
let base: Target.Dependency = .product(name: "Base", package: "auricle")

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let storage: [Target] = [
  .systemLibrary(name: "CPQ", path: "Sources/CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
  .target(
    name: "Records",
    dependencies: ["Almanac", "Questionnaires", base, .product(name: "Crypto", package: "swift-crypto")],
    path: "Sources/Records", resources: [.embedInCode("Tables")], swiftSettings: strict),
  .target(
    name: "SQLiteRecords", dependencies: ["Records", .product(name: "GRDB", package: "GRDB.swift")],
    path: "Sources/SQLiteRecords", swiftSettings: strict),
  .target(
    name: "PostgresRecords", dependencies: ["Records", "CPQ"], path: "Sources/PostgresRecords",
    swiftSettings: strict),
]

let wiring: [Target] = [
  .target(
    name: "Companion",
    dependencies: [
      "Studies", "Questionnaires", "Instruments", "Almanac", "Records", "SQLiteRecords", "PostgresRecords",
      base,
    ],
    path: "Sources/Companion", swiftSettings: strict),
  .executableTarget(
    name: "auricle-companion", dependencies: ["Companion", base, argumentParser],
    path: "Sources/auricle-companion",
    swiftSettings: strict),
]

let rooms: [Target] = [
  .target(name: "Almanac", dependencies: [base], path: "Sources/Almanac", swiftSettings: strict),
  .target(name: "Instruments", path: "Sources/Instruments", swiftSettings: strict),
  .target(
    name: "Questionnaires", dependencies: ["Almanac", base], path: "Sources/Questionnaires",
    swiftSettings: strict),
  .target(
    name: "Studies", dependencies: ["Almanac", "Instruments", "Questionnaires", base],
    path: "Sources/Studies",
    resources: [.embedInCode("study.schema.json")], swiftSettings: strict),
]

let tests: [Target] = [
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
    name: "CompanionTests",
    dependencies: ["Companion", "Studies", "Questionnaires", "Almanac", "Records", "SQLiteRecords", base],
    path: "Tests/CompanionTests", swiftSettings: strict),
  .testTarget(
    name: "RecordsTests",
    dependencies: ["Records", "SQLiteRecords", "PostgresRecords", "Questionnaires", "Almanac", base],
    path: "Tests/RecordsTests", swiftSettings: strict),
  .testTarget(
    name: "StudiesTests", dependencies: ["Studies", "Questionnaires", "Almanac", base],
    path: "Tests/StudiesTests", exclude: ["schema.py"], swiftSettings: strict),
]

let package = Package(
  name: "companion",
  dependencies: [
    .package(name: "auricle", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: rooms + storage + wiring + tests,
  swiftLanguageModes: [.v6])
