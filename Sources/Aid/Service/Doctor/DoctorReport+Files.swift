import Base
import Book
import Control

extension DoctorReport {
  /// Files of the aid: who may read and change them, and what was left behind.
  static func files(_ machine: Machine) -> [Finding] {
    let facts = machine.files.map { fact in finding(fact, startedBy: machine.start) }
    let good =
      facts.isEmpty
      ? [Finding("files", .good, found: "permissions as they should be, nothing left behind")] : []
    return book(machine.book) + good + facts
  }

  // MARK: - The book

  private static func book(_ form: BookForm) -> [Finding] {
    switch form {
    case .absent, .inUse: []
    case .current: [Finding("book", .good, found: "of the form that this version reads")]
    case .older:
      [
        Finding(
          "book", .warning, found: "written by an earlier version",
          remedy:
            "The next start brings it up to date. An earlier version does not read it then: auricle book backup first.",
          repair: .none(.waiting))
      ]
    case .newer:
      [
        Finding(
          "book", .bad, found: "written by a later version of Auricle, which this one does not read",
          remedy: "Install that version again. What was prescribed is safe, and not heard until then.",
          repair: .none(.administrator))
      ]
    case .unreadable(let reason):
      [
        Finding(
          "book", .bad, found: reason.hasSuffix(".") ? String(reason.dropLast()) : reason,
          remedy: "Restore a backup: auricle book restore. Without one, ask the clinic for the card again.")
      ]
    }
  }

  // MARK: - Files

  /// - Parameter start: Advice on the command that starts the aid.
  private static func finding(_ fact: FileFact, startedBy start: StartAdvice) -> Finding {
    switch fact {
    case .unwritable(let path):
      return Finding(
        "permissions", .warning, found: "\(path) cannot be written, so nothing is kept between runs",
        remedy: "Give it to the user who runs the aid: chown, chmod 700.", repair: .none(.administrator))
    case .full(let path):
      return Finding(
        "disk", .bad,
        found: "no space is left on the disk of \(path): no card, trial, record or setting can be kept",
        remedy: "Make room there. What is heard stays as it is.", repair: .none(.administrator))
    case .changeable(let path, let rights):
      return Finding(
        "permissions", .bad, found: "others may change \(path) (\(rights.text))",
        remedy: "Find out whether somebody did, then: chmod go-w \(path)",
        repair: .none(rights.isOwn ? .trust : .owner(rights.owner)))
    case .readable(let path, let rights, let excess):
      return Finding(
        "permissions", .warning,
        found: "others may read \(path) (\(rights.text)), which tells of somebody's hearing",
        remedy: "Keep it to yourself: chmod \(excess == 0o007 ? "o" : "go")= \(path)",
        repair: rights.isOwn ? .step(.tighten(path, excess: excess)) : .none(.owner(rights.owner)))
    case .leftSocket(let path):
      return Finding(
        "left behind", .warning, found: "\(path), the socket of a daemon that was ended from outside",
        remedy: "\(start.ofAid(beside: path).command) removes it, too; otherwise: auricle doctor --fix",
        repair: .step(.removeSocket(path)))
    case .leftLock(let path):
      return Finding(
        "left behind", .warning, found: "\(path), the lock of a program that has ended",
        remedy: "It keeps nobody out. To remove it: auricle doctor --fix", repair: .step(.removeLock(path)))
    case .draft(let path):
      return Finding(
        "left behind", .warning, found: "\(path), a file that was never finished",
        remedy: "Nothing reads it. To remove it: auricle doctor --fix", repair: .step(.removeDraft(path)))
    case .kept(let path, .mute):
      return Finding(
        "left behind", .warning, found: "\(path): the aid was muted when it was ended, and starts muted",
        remedy: "Sound again: \(start.ofAid(beside: path).command), then auricle unmute. "
          + "To forget it: auricle stop",
        repair: .none(.hearing))
    case .kept(let path, .stop):
      return Finding(
        "left behind", .warning, found: "\(path): the aid was stopped when it ended, and starts stopped",
        remedy: "Sound again: \(start.ofAid(beside: path).command). To forget it: auricle stop",
        repair: .none(.hearing))
    case .kept(let path, .configuration):
      return Finding(
        "left behind", .warning,
        found:
          "\(path): the configuration of the daemon that was ended, used where the file is wrong by now",
        remedy: "\(start.ofAid(beside: path).command) goes on from there. To forget it: auricle stop",
        repair: .none(.hearing))
    case .setAside(let path):
      return Finding(
        "put aside", .warning, found: "\(path), a file that was replaced or could not be understood",
        remedy: "Remove it when you do not need it any more.")
    case .newConfiguration(let path):
      return Finding(
        "configuration", .warning, found: "\(path), which an update brought beside yours",
        remedy: "Compare the two, take over what you want, and remove it.")
    }
  }
}
