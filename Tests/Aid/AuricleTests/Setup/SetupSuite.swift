import Acoustics
import AudioIO
import Base
import CommonTesting
import Control
import Engine
import Glibc
import Service
import Testing

@testable import AuricleCommands

/// Tests of a setup: a folder for its files, a made-up machine, and the way through it.
protocol SetupSuite {
  var folder: TemporaryFolder { get }
  var bench: FakeBench { get }
}

extension SetupSuite {
  var path: String { folder.file("auricle.toml") }

  /// Answers of the shortest way, with a card.
  static var shortest: [(String, String)] {
    [
      ("Enter to begin", ""), ("", ""), ("first sound", "left"), ("second sound", "r"),
      ("calibration of the earphones", ""), ("Picture or PDF", "card.png"), ("Measure now?", "y"),
      ("Start it now?", ""),
    ]
  }

  /// The same where the limit is so low that it is asked for: below 84 dB SPL, by 120 dB SPL at full scale.
  static func shortest(pressedAt count: Int) -> [(String, String)] {
    guard 120 - 73 + 3 * count < 84 else { return shortest }
    var answers = shortest
    answers.insert(("once more?", "n"), at: 2)
    return answers
  }

  @discardableResult func run(
    _ person: ScriptedPerson, named: (String?, String?) = (nil, nil)
  ) throws -> Base.ExitStatus {
    if access(path, F_OK) != 0 { folder.write("", to: "auricle.toml") }
    let progress = SetupFile(folder: folder.file("state"))
    var run = SetupRun(
      interview: person, bench: bench, file: try ConfigurationFile(ConfigurationSearch(explicit: path)),
      progressFile: progress, progress: progress.read(), named: named)
    return try run.run()
  }

  var configuration: Configuration {
    get throws { try ConfigurationSearch(explicit: path).load().get().configuration }
  }
}
