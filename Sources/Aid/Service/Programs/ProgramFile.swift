import Base
import Control
import Engine

/// The file in which ``ProgramMemory`` lasts: whole or not at all, for its owner's eyes.
struct ProgramFile: Sendable {
  /// Why nothing is remembered without a file.
  static let missing =
    "program, volume and tone are forgotten when the daemon ends: there is no folder to keep them in"

  private let file: StateFile<ProgramMemory>

  /// - Parameter path: In a folder that is there.
  init(path: String) { file = StateFile(path, limit: 1 << 16) }

  /// Program, volume and tone of the last run.
  ///
  /// A file that cannot be understood is put aside, so that it can be looked at, and the first program is
  /// taken.
  ///
  /// - Returns: The memory, and what is wrong with the file, one sentence without a full stop; nil when all
  ///   is well.
  func read() -> (memory: ProgramMemory, problem: String?) {
    do throws(Failure) {
      return (try file.read() ?? ProgramMemory(), nil)
    } catch {
      let kept = file.putAside()
      return (
        ProgramMemory(), "program, volume and tone are forgotten: \(file.path) has \(error.found)\(kept)"
      )
    }
  }

  /// Keeps it.
  ///
  /// - Returns: Why it is not kept; nil: it is. The file is then as it was.
  func write(_ memory: ProgramMemory) -> String? {
    do throws(Failure) {
      try file.write(memory)
      return nil
    } catch { return Self.problem(error) }
  }

  /// Reason for which a choice is not kept, which is heard all the same.
  static func problem(_ failure: Failure) -> String {
    // A full disk's remedy is that of a command: that nothing was changed. This is written again by itself.
    let reason =
      failure.exitStatus == .inputOutput ? "\(failure.subject): \(failure.found)." : failure.message
    return "this is not remembered after the daemon ends: \(reason)"
  }
}

/// Choice of a program with volume and tone, and calls and music, as they are remembered.
///
/// Volume and tone belong to the choice: what is turned in a concert does not follow to the street, and in
/// automatic mode the volume stays while the programs change.
struct ProgramMemory: Sendable, Hashable {
  var choice = ProgramChoice.first
  /// As turned; the limits of the prescription are applied when it is used.
  var adjustments: [ProgramChoice: SoundAdjustment] = [:]
  /// Calls and music, whatever the program.
  var stream = Stream()

  /// Streamed sound as the wearer has set it.
  struct Stream: Sendable, Hashable {
    var isOn = false
    /// dB.
    var level = 0.0
    /// dB.
    var balance = 0.0
  }

  /// Of the choice in force.
  var adjustment: SoundAdjustment {
    get { adjustments[choice] ?? .none }
    set { adjustments[choice] = newValue == .none ? nil : newValue }
  }
}

extension ProgramMemory: Codable {
  /// As the file has it.
  private struct Kept: Codable {
    var schema = 100
    let program: String
    let adjustments: [String: Turned]
    /// Nil: it was never turned on or otherwise.
    var stream: Streamed?
  }

  private struct Streamed: Codable {
    let isOn: Bool
    let levelDB: Double
    let balanceDB: Double
  }

  private struct Turned: Codable {
    let volumeDB: Double
    let toneDB: Double
  }

  /// Words of programs that are not known, written by another version, are left out.
  init(from decoder: any Decoder) throws {
    let kept = try Kept(from: decoder)
    let isSane =
      kept.adjustments.values.allSatisfy { Self.isSane($0.volumeDB) && Self.isSane($0.toneDB) }
      && kept.stream.map { Self.isSane($0.levelDB) && Self.isSane($0.balanceDB) } ?? true
    guard kept.schema / 100 == 1, isSane else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "another schema, or a number out of range"))
    }
    choice = ProgramChoice(word: kept.program) ?? .first
    stream = kept.stream.map { Stream(isOn: $0.isOn, level: $0.levelDB, balance: $0.balanceDB) } ?? Stream()
    for (word, turned) in kept.adjustments {
      guard let choice = ProgramChoice(word: word) else { continue }
      adjustments[choice] = SoundAdjustment(volume: turned.volumeDB, tone: turned.toneDB)
    }
  }

  func encode(to encoder: any Encoder) throws {
    let turned = adjustments.map { ($0.key.word, Turned(volumeDB: $0.value.volume, toneDB: $0.value.tone)) }
    let streamed = Streamed(isOn: stream.isOn, levelDB: stream.level, balanceDB: stream.balance)
    let kept = Kept(
      program: choice.word, adjustments: Dictionary(turned, uniquingKeysWith: { $1 }),
      stream: stream == Stream() ? nil : streamed)
    try kept.encode(to: encoder)
  }

  /// Wider than any limit; a number beyond was not written by this program.
  private static func isSane(_ value: Double) -> Bool { (-100.0...100).contains(value) }
}
