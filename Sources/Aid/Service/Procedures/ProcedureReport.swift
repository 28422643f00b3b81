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

    init(_ record: ProcedureSummary) {
      (self.record, name) = (record.beginning.identifier, record.beginning.order.name)
      ear = record.beginning.order.ear
      (beganUnixSeconds, endedUnixSeconds) = (record.beginning.at, record.ended)
      (calibration, result) = (record.beginning.calibration.device, record.result)
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

  /// The room's octave bands; nil: it was not listened to.
  package var bands: RoomBands? {
    lines.lazy.compactMap { if case .bands(let bands) = $0 { bands } else { nil } }.first
  }
}
