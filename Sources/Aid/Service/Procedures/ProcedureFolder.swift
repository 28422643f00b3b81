import Base
import Glibc
import Procedures

/// The folder of records: `procedures` in the state folder, its owner's alone.
///
/// - Threads: any that waits for a disk, one at a time for each record.
package struct ProcedureFolder: Sendable {
  let path: String

  /// Records read at once at most, the newest ones: years of a study.
  package static let greatestCount = 2000
  private static let suffix = ".jsonl"

  package init(state: String) { path = state + "/procedures" }

  /// Identifiers, oldest first: they begin with their time.
  package var identifiers: [String] {
    let names = Folder.names(in: path).filter { $0.hasSuffix(Self.suffix) }
    return names.map { String($0.dropLast(Self.suffix.count)) }.filter(Self.isIdentifier).sorted()
  }

  /// Every record that can be read, oldest first, of the newest ``greatestCount``.
  package func summaries() -> [ProcedureSummary] {
    identifiers.suffix(Self.greatestCount).compactMap(summary)
  }

  /// Nil of a file that cannot be read, or has another's name.
  private func summary(_ identifier: String) -> ProcedureSummary? {
    guard let summary = try? ProcedureSummary(at: file(identifier)),
      summary.beginning.identifier == identifier
    else { return nil }
    return summary
  }

  /// A part of the records, oldest first.
  package struct Page: Sendable {
    package let summaries: [ProcedureSummary]
    /// Names of files that are damaged, or no records.
    package let unreadable: [String]
    /// True where older ones are left.
    package let hasOlder: Bool

    static let empty = Page(summaries: [], unreadable: [], hasOlder: false)
  }

  /// - Parameters:
  ///   - count: The newest ones.
  ///   - identifier: Of those that are older than this one; all when left out.
  package func page(_ count: Int, before identifier: String? = nil) -> Page {
    var all = identifiers
    if let identifier { all.removeAll { $0 >= identifier } }
    let read: [(name: String, summary: ProcedureSummary?)] = all.suffix(count).map { ($0, summary($0)) }
    return Page(
      summaries: read.compactMap(\.summary), unreadable: read.filter { $0.summary == nil }.map(\.name),
      hasOlder: all.count > count)
  }

  /// - Throws: ``Failure``.
  package func record(_ identifier: String) throws(Failure) -> ProcedureRecord {
    guard Self.isIdentifier(identifier) else {
      throw Failure(
        "record", found: "\"\(LogLine.printable(String(identifier.prefix(64))))\"",
        expected: "a name as auricle match history shows it", exit: .usage)
    }
    let record = try ProcedureRecord(at: file(identifier))
    guard record.beginning.identifier == identifier else {
      throw Failure(
        identifier, found: "the record of another name", expected: "a record as it was written",
        exit: .badData)
    }
    return record
  }

  func file(_ identifier: String) -> String { path + "/" + identifier + Self.suffix }

  /// Makes the folder and a record in it.
  ///
  /// - Parameters:
  ///   - name: Of the procedure.
  ///   - now: s since 1970-01-01 UTC.
  /// - Returns: Its file and its identifier, `20261126T153000Z-loudness`.
  /// - Throws: ``Failure``.
  func make(_ name: String, at now: Double) throws(Failure) -> (file: ProcedureFile, identifier: String) {
    do throws(SystemError) { try Folder.make(path) } catch { throw .writing(path, error) }
    // Two of one second are told apart by a number.
    for count in 1..<100 {
      let identifier = Self.stamp(now) + "-" + name + (count == 1 ? "" : "-\(count)")
      do throws(SystemError) { return (try ProcedureFile(making: file(identifier)), identifier) } catch {
        guard error.code == EEXIST else { throw .writing(file(identifier), error) }
      }
    }
    throw Failure(path, found: "a hundred records of one second", exit: .cannotCreate)
  }

  /// UTC, to the second.
  private static func stamp(_ now: Double) -> String {
    var time = time_t(now)
    var parts = tm()
    gmtime_r(&time, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// True for letters, digits and hyphens: nothing that leads out of the folder.
  private static func isIdentifier(_ text: String) -> Bool {
    (1...80).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
      }
  }
}
