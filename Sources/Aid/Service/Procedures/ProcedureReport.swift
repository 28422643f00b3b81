import Acoustics
import Procedures

/// Records of procedures as they are listed.
package struct ProcedureList: Sendable, Codable, Hashable {
  package struct Entry: Sendable, Codable, Hashable {
    package let record: String
    package let name: ProcedureOrder.Name
    /// Of a match.
    package let ear: Ear?
    package let beganUnixSeconds: Double
    /// Nil: it was left, and can be gone on with.
    package let endedUnixSeconds: Double?
    package let calibration: DeviceCalibration
    package let result: ProcedureResult?
    /// True of a match of pitch that lies at an end of its range: the true one may lie beyond. Nil of every other procedure.
    package let isPitchAtEdge: Bool?

    init(_ record: ProcedureSummary) {
      (self.record, name) = (record.beginning.identifier, record.beginning.order.name)
      ear = record.beginning.order.ear
      (beganUnixSeconds, endedUnixSeconds) = (record.beginning.at, record.ended)
      (calibration, result) = (record.beginning.calibration.device, record.result)
      isPitchAtEdge = record.beginning.plan.isPitchAtEdge(record.result)
    }
  }

  package let records: [Entry]
  /// Names of files that are damaged, or no records.
  package let unreadable: [String]
  /// True where older ones are left.
  package let hasOlder: Bool

  init(_ page: ProcedureFolder.Page) {
    records = page.summaries.map(Entry.init)
    (unreadable, hasOlder) = (page.unreadable, page.hasOlder)
  }
}

/// A whole record.
package struct ProcedureDetails: Sendable, Codable, Equatable {
  package let beginning: ProcedureBeginning
  package let lines: [ProcedureLine]
  /// True where lines are left out that are not needed to work the result out again; nil: it is whole.
  package var isShortened: Bool?

  /// The room's octave bands; nil: it was not listened to.
  package var bands: RoomBands? {
    lines.lazy.compactMap { if case .bands(let bands) = $0 { bands } else { nil } }.first
  }
}

extension ProcedureDetails {
  /// Longest record that is given whole, bytes: a client reads answers of 1 MiB (``ClientStream``), of which some is the envelope's.
  private static let longest = (1 << 20) - (1 << 12)

  /// A record as an answer has room for it. A key that is held down makes thirty lines a second, and the room one or more; neither
  /// changes a result. The room's last window stays, for tables of matches.
  init(_ record: ProcedureRecord) {
    guard record.length > Self.longest else {
      self.init(beginning: record.beginning, lines: record.lines)
      return
    }
    let lastWindow = record.lines.lastIndex { if case .room = $0 { true } else { false } }
    let needed = record.lines.indices.filter { index in
      switch record.lines[index] {
      case .key: false
      case .room: index == lastWindow
      case .begin, .presented, .answer, .bands, .interrupted, .resumed, .restarted, .end: true
      }
    }
    self.init(beginning: record.beginning, lines: needed.map { record.lines[$0] }, isShortened: true)
  }
}
