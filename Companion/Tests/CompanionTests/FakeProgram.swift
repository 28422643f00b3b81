import Almanac
import Base
import Synchronization

@testable import Companion

/// The aid's program as a script has it: ends of its commands in their order, and what it was asked.
final class FakeProgram: MeasuringProgram, Sendable {
  private let ends: Mutex<[Result<ProgramEnd, Failure>]>
  private let asked = Mutex<[String]>([])
  /// Answer to `match history --json`; nil: the aid is not running.
  private let history: String?
  /// Something that happens while it measures.
  private let meanwhile: @Sendable () -> Void

  init(
    _ ends: [Result<ProgramEnd, Failure>], history: String? = nil,
    meanwhile: @escaping @Sendable () -> Void = {}
  ) {
    self.meanwhile = meanwhile
    self.ends = Mutex(ends)
    self.history = history
  }

  var commands: [String] { asked.withLock { $0 } }

  func run(_ arguments: [String]) throws(Failure) -> ProgramEnd {
    let words = arguments.joined(separator: " ")
    if words == "version" { return Self.end(0, "auricle 0.1.0, protocol 1") }
    asked.withLock { $0.append(words) }
    if words == "match history --json" {
      return history.map { Self.end(0, $0) } ?? Self.end(69, #"{"errors":[{"message":"not running"}]}"#)
    }
    meanwhile()
    let next = ends.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    return try (next ?? .success(Self.end(70, "asked once too often"))).get()
  }

  static func end(_ status: Int?, _ output: String) -> ProgramEnd {
    ProgramEnd(status: status, output: Array(output.utf8))
  }
}

/// Reports as the aid writes them.
enum AidReport {
  static let result =
    #""result":{"loudness":{"at_limit":false,"deviation":1.129,"ear":"right","frequency":1000,"level":25,"scattered":false,"sensation_level":5,"threshold":20,"trials":[25,24,26]}}"#
  static func loudness(_ record: String = "r1", _ more: String = #""tinnitus_side":"left","#) -> String {
    #"{"calibration":{"device":"HDA 200","status":"provisional"},"record":""# + record
      + #"","schema":100,"threshold_from":"t1","# + more + result + "}"
  }
  static let pitch =
    #"{"calibration":{"device":"HDA 200","status":"verified"},"record":"p1","result":{"pitch":{"compared_frequency":3000,"frequency":6000,"octave_confused":true}},"schema":100,"tinnitus_side":"head"}"#
  static func point(
    _ frequency: Int, _ threshold: Int, masked: Bool = false, response: Bool = true
  ) -> String {
    #"{"conduction":"air","frequency":\#(frequency),"has_response":\#(response),"masked":\#(masked),"threshold":\#(threshold)}"#
  }
  static let hearing =
    #"{"audiograms":{"left":[\#(point(1000, 10))],"right":[\#(point(1000, 40)),\#(point(1000, 65, masked: true)),\#(point(4000, 90, response: false))]},"calibration":{"device":"HDA 200","status":"none"},"doubts":["a","b"],"record":"h1","reliable":false,"schema":100,"thresholds":[]}"#
  /// Entries of the history: record, procedure, minutes after 18:00 of its beginning, finished or not.
  static func history(_ entries: (String, String, Double, Bool)...) -> String {
    let start = Double(Instant("2026-03-29T18:00:00Z")!.seconds)
    let list = entries.map { record, name, minute, isFinished in
      #"{"began_unix_seconds":\#(start + minute * 60),"calibration":{"device":"HDA 200","status":"none"},"#
        + (isFinished ? #""ended_unix_seconds":\#(start + minute * 60 + 90),"# + result + "," : "")
        + #""ear":"right","name":"\#(name)","record":"\#(record)"}"#
    }
    return #"{"agreement":[],"records":[\#(list.joined(separator: ","))],"schema":200}"#
  }
}
