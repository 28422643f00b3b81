// swift-tools-version: 6.2
import PackageDescription

// Studies, journal and pages beside the aid. A package of its own, so that the aid keeps its few dependencies and its tests are not linked
// with a server's: `public` in the aid's libraries is all that is seen from here.

/// Every target: Swift 6 language mode, warnings are errors.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]

/// The aid's JSON, files and dates.
let base: Target.Dependency = .product(name: "Base", package: "auricle")
/// People with a loss of hearing and a tinnitus, measured by the aid's own procedures.
let listeners: Target.Dependency = .product(name: "SimulatedListeners", package: "auricle")
/// Documents that a clinic's key has signed.
let signing: Target.Dependency = .product(name: "SignedDocuments", package: "auricle")
/// In place of Foundation's language data where that is linked in, in a release.
let noLanguageData: Target.Dependency = .product(name: "CNoLanguageData", package: "auricle")
let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let database: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")

func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(name)", resources: resources,
    swiftSettings: strict
  )
}

/// Tests are not optimised, the code under test is: as in the aid's package, their build takes a part of the time.
let testCode: [SwiftSetting] =
  strict + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))]

func suite(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource]? = nil
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude, resources: resources,
    swiftSettings: testCode)
}

let libraries: [Target] = [
  .systemLibrary(
    name: "CArchive", path: "Sources/CArchive", pkgConfig: "libarchive",
    providers: [.apt(["libarchive-dev"])]),
  .systemLibrary(name: "CPQ", path: "Sources/CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
]

let modules: [Target] = [
  module("Almanac", [base]),
  module("Archives", ["CArchive"]),
  module("Instruments"),
  module("Questionnaires", ["Almanac", base]),
  module(
    "Studies", ["Almanac", "Archives", "Instruments", "Questionnaires", base, crypto],
    resources: [.embedInCode("study.schema.json")]),
  module(
    "Records", ["Almanac", "Questionnaires", "Studies", base], resources: [.embedInCode("Tables")]),
  module("SQLiteRecords", ["Records", database]),
  module("PostgresRecords", ["Records", "Studies", "CPQ"]),
  module("Exchange", ["Almanac", "Instruments", "Questionnaires", "Studies", base]),
  module(
    "Rehearsals", ["Almanac", "Exchange", "Questionnaires", "Records", "Studies", base, listeners]),
  module(
    "Companion",
    [
      "Almanac", "PostgresRecords", "Questionnaires", "Records", "SQLiteRecords", "Studies", base, signing,
    ]),
]

let programs: [Target] = [
  .executableTarget(
    name: "auricle-companion",
    dependencies: [
      "Almanac", "Companion", "Exchange", "Instruments", "Questionnaires", "Records", "Rehearsals",
      "SQLiteRecords", "Studies",
      base, argumentParser, noLanguageData,
    ],
    path: "Sources/auricle-companion", swiftSettings: strict)
]

let trials: [Target] = [
  .executableTarget(
    name: "answer-trial",
    dependencies: [
      "Almanac", "Companion", "PostgresRecords", "Records", "Rehearsals", "SQLiteRecords", "Studies", base,
    ],
    path: "Tests/Trials/Answers",
    swiftSettings: strict),
  .executableTarget(
    name: "companion-benchmark",
    dependencies: [
      "Almanac", "PostgresRecords", "Questionnaires", "Records", "SQLiteRecords", "Studies", base,
    ],
    path: "Benchmarks/Answers", swiftSettings: strict),
]

let tests: [Target] = [
  .target(name: "ProgramsTesting", path: "Tests/ProgramsTesting", swiftSettings: strict),
  .target(
    name: "RecordsTesting", dependencies: ["Almanac", "PostgresRecords", "Records", "SQLiteRecords"],
    path: "Tests/RecordsTesting", swiftSettings: strict),
  suite(
    "AlmanacTests", ["Almanac", "ProgramsTesting", base], exclude: ["vectors.py", "events.py"],
    resources: [.copy("zones.tsv"), .copy("days.tsv")]),
  suite("ArchivesTests", ["Archives"]),
  suite("InstrumentsTests", ["Instruments", base]),
  suite(
    "QuestionnairesTests", ["Questionnaires", "ProgramsTesting", "Almanac", base], exclude: ["resources.py"]
  ),
  suite(
    "StudiesTests",
    ["Studies", "ProgramsTesting", "Archives", "Instruments", "Questionnaires", "Almanac", base],
    exclude: ["schema.py"]),
  suite(
    "RecordsTests",
    [
      "Records", "RecordsTesting", "PostgresRecords", "SQLiteRecords", "Questionnaires", "Studies",
      "Almanac", base,
    ]),
  suite(
    "RehearsalTests",
    [
      "Rehearsals", "Exchange", "Instruments", "Studies", "Questionnaires", "Almanac", "Records",
      "RecordsTesting", base, listeners,
    ]),
  suite(
    "CompanionTests",
    [
      "Companion", "Studies", "Questionnaires", "Almanac", "Records", "RecordsTesting", "SQLiteRecords",
      base,
    ]),
]

let package = Package(
  name: "companion",
  dependencies: [
    .package(name: "auricle", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: libraries + modules + programs + trials + tests,
  swiftLanguageModes: [.v6])
