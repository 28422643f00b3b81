/// Reason why a measurement has no result, as it is kept and leaves in a data set: its kind, which names nobody.
///
/// The aid's own words are for the person alone: in them stand the name that somebody has given their earphones,
/// a Bluetooth address, or a folder that has its owner's name.
public enum AbsenceReason {
  /// The aid's program answered what this one cannot read.
  public static let unreadable = "the aid's program reports no result that can be read"
  /// The aid's program is there and does not run.
  public static let notStarted = "the aid's program does not start"
  /// Of a rehearsal.
  public static let noThreshold = "the ear has no threshold: the hearing test was not done"
  /// Of a rehearsal.
  public static let unsafe =
    "it cannot be measured safely: the threshold lies above the loudest tone that may be played"

  private static let beginningOfNotRehearsed = "a rehearsal does not measure "
  private static let status = "exit status "
  private static let leftOut = "words of the aid's, left out"

  /// Of a rehearsal.
  public static func notRehearsed(_ kind: TaskKind.Key) -> String { beginningOfNotRehearsed + "\(kind)" }

  /// Subjects of the aid's failures that name nobody; others may be devices and files.
  private static let subjects: Set<String> = [
    "auricle", "auricled", "clock", "command line", "configuration", "debug mode", "device", "disk",
    "hearing test", "hearing-test", "loudness", "loudness match", "match", "pitch", "pitch match",
    "procedure", "record", "recording", "records", "report", "room",
  ]

  /// Reason of a command of the aid's that failed.
  ///
  /// - Parameter subject: Of its failure; nil where it told none.
  public static func failed(_ subject: String?, status: Int) -> String {
    (subject.flatMap { subjects.contains($0) ? $0 + ": " : nil } ?? "") + Self.status + "\(status)"
  }

  /// Subject with which words of a failure begin; nil for one that may name somebody.
  public static func subject(of words: String) -> String? {
    words.firstRange(of: ": ").map { String(words[..<$0.lowerBound]) }.flatMap {
      subjects.contains($0) ? $0 : nil
    }
  }

  /// A reason that is kept, as it leaves: earlier versions kept the aid's words, of which the kind alone does.
  public static func leaving(_ kept: String) -> String {
    let subject = subject(of: kept)
    let rest = subject.map { kept.dropFirst($0.count + 2) } ?? kept[...]
    let isStatus =
      rest.hasPrefix(status) && rest.count > status.count
      && rest.dropFirst(status.count).utf8.allSatisfy { (48...57).contains($0) }
    let isOurs =
      [unreadable, notStarted, noThreshold, unsafe].contains(kept)
      || kept.hasPrefix(beginningOfNotRehearsed)
    return isStatus || isOurs ? kept : (subject.map { $0 + ": " } ?? "") + leftOut
  }
}
