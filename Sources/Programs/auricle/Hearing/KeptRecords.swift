import Acoustics
import Base
import Control
import Service

/// Records of procedures as a command reads them: all there are, a part at a time.
struct KeptRecords {
  /// Oldest first.
  let entries: [ProcedureList.Entry]
  /// Names of files that are damaged, or no records.
  let unreadable: [String]

  init(_ client: ControlClient) throws(Failure) {
    var entries: [ProcedureList.Entry] = []
    var unreadable: [String] = []
    var before: String?
    while true {
      let page = try client.ask(ProcedureMethods.List(before: before))
      entries = page.records + entries
      unreadable = page.unreadable + unreadable
      guard page.hasOlder, let oldest = (page.records.map(\.record) + page.unreadable).min() else { break }
      before = oldest
    }
    (self.entries, self.unreadable) = (entries, unreadable)
  }

  /// Calibration and beginning of a record, s since 1970-01-01 UTC, where the whole of it cannot be had: of a list the ends of a
  /// record are read alone. Unknown and now without either.
  static func beginning(of record: String, _ client: ControlClient) -> (DeviceCalibration, began: Double) {
    let entry = (try? KeptRecords(client))?.entries.first { $0.record == record }
    return (entry?.calibration ?? .unknown, entry?.beganUnixSeconds ?? SystemTime.wall)
  }

  /// Says on standard error which files are left out.
  func tellUnreadable() {
    for name in unreadable {
      StandardError.write("auricle: left out: \(name): it is damaged, or the record of another name.\n")
    }
  }
}
