import Base
import Control
import Engine
import Glibc

/// An empty file beside the control socket, as a word to the next daemon. The folder of run-time files goes with the machine's end, so that
/// it does not outlast that.
protocol KeptMark: Sendable {
  var path: String { get }
}

extension KeptMark {
  /// True while it is there.
  var isKept: Bool { access(path, F_OK) == 0 }

  /// - Throws: ``Failure`` when the file cannot be made.
  func keep() throws(Failure) {
    // Brought to no disk, for which silence would have to wait: it is to outlast this process, not the
    // machine.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw Failure(
        path, found: "that it cannot be made: \(SystemError.words(for: errno))", exit: .cannotCreate)
    }
    close(descriptor)
  }

  func forget() { unlink(path) }
}

/// A mute or a stop that outlasts a crash, as long as it lasts and the daemon lives.
///
/// A person who has muted or stopped the aid expects silence, also of a daemon that is started again. While it is kept and no daemon runs,
/// the last one was silent so and ended without being asked to.
struct KeptSilence: KeptMark {
  /// End of the file's name.
  enum Kind: String, Sendable, CaseIterable {
    case mute = "muted"
    case stop = "stopped"
  }

  let path: String

  init(_ kind: Kind, besideSocket socket: String) { path = "\(socket).\(kind.rawValue)" }
}

/// Mark of an end that nobody asked for and that the daemon told all the same: what it leaves for the next start is no sign of a crash then.
///
/// It lies wherever something may be left that would count as one: beside the socket, and beside the standard one where the configuration
/// is kept there.
struct ToldEnd: Sendable {
  private struct Mark: KeptMark { let path: String }

  private let socket: String
  private let standard: String?

  /// - Parameter standard: The socket of a daemon that is given no other; nil: this daemon's was named for it.
  init(besideSocket socket: String, standard: String?) { (self.socket, self.standard) = (socket, standard) }

  private var marks: [Mark] {
    [socket, KeptState.standard(standard, beside: socket)].compactMap(\.self)
      .map { Mark(path: "\($0).ended") }
  }

  /// True while it is there.
  var isKept: Bool { marks.contains(where: \.isKept) }

  /// - Throws: ``Failure`` when a file cannot be made; the other one is there all the same.
  func keep() throws(Failure) {
    var failure: Failure?
    for mark in marks {
      do throws(Failure) { try mark.keep() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  func forget() { for mark in marks { mark.forget() } }
}

/// Mute, stop and configuration that a daemon has left beside its socket because nobody asked it to end.
package enum KeptState {
  /// True when the last daemon ended without being asked to, and none has ended in order since.
  package static func isLeft(besideSocket socket: String) -> Bool {
    KeptSilence.Kind.allCases.contains { KeptSilence($0, besideSocket: socket).isKept }
      || KeptConfiguration(besideSocket: socket).isKept
  }

  /// Removes all of them: after a stop the next start begins anew.
  ///
  /// - Parameter standard: The socket of a daemon that is given no other; nil: this daemon's was named for it.
  package static func forget(besideSocket socket: String, standard: String?) {
    for kind in KeptSilence.Kind.allCases { KeptSilence(kind, besideSocket: socket).forget() }
    KeptConfiguration(besideSocket: socket).forget()
    ToldEnd(besideSocket: socket, standard: standard).forget()
    if let other = Self.standard(standard, beside: socket) {
      KeptConfiguration(besideSocket: other).forget()
    }
  }

  /// The standard socket, where a daemon at another one keeps its configuration beside it: of a socket that the configuration names a start
  /// does not know before it has read that. Nil where it is the same, or where a lock beside it says that another daemon has it.
  fileprivate static func standard(_ standard: String?, beside socket: String) -> String? {
    guard let standard, standard != socket, access(standard + ".lock", F_OK) != 0 else { return nil }
    return standard
  }
}

/// The configuration in force, in a file beside the control socket, as long as the daemon lives.
///
/// A file that is being edited, or was left wrong, does not reach a daemon that runs; it must not end the
/// sound when that one crashes and is started again. Like ``KeptSilence``, it does not outlast the machine's
/// end.
///
/// The file holds the path of the configuration file, a NUL, and the text as it was read.
struct KeptConfiguration: Sendable {
  private let path: String

  init(besideSocket socket: String) { path = socket + ".configuration" }

  /// True when the last daemon ended without being told to.
  var isKept: Bool { access(path, F_OK) == 0 }

  /// Reads the configuration; one that is wrong gives way to the one that the last daemon had in force,
  /// where that one did not end by itself.
  ///
  /// - Parameter isAudiogramHeard: False: a prescription is heard instead of it, so that it may be missing.
  /// - Throws: ``ConfigurationFailures`` of the file when nothing else is kept.
  func settings(
    _ search: ConfigurationSearch, isAudiogramHeard: Bool = true
  ) throws(ConfigurationFailures) -> Found {
    do throws(ConfigurationFailures) {
      let loaded = try search.load().get()
      let (settings, leftOut) = try AidSettings.reading(loaded, isAudiogramHeard: isAudiogramHeard)
      return Found(loaded: loaded, settings: settings, leftOut: leftOut)
    } catch {
      guard let file = search.file(), let former = former(of: file),
        let (settings, leftOut) = try? AidSettings.reading(former, isAudiogramHeard: isAudiogramHeard)
      else { throw error }
      return Found(loaded: former, settings: settings, refused: error.failures, leftOut: leftOut)
    }
  }

  /// A configuration to begin with.
  struct Found {
    let loaded: LoadedConfiguration
    /// Settings that it asks for.
    let settings: AidSettings
    /// Why it is not the one of the file; empty: it is.
    var refused: [Failure] = []
    /// Why its audiogram is left out; nil: it is not.
    let leftOut: Failure?
  }

  /// Configuration kept of a file; nil when none is, or it is another file's, changeable by others or
  /// damaged.
  private func former(of file: String) -> LoadedConfiguration? {
    guard let trust = FileTrust(of: path), (try? trust.refuseChangeable()) != nil,
      let bytes = try? FileContent.bytes(of: path, limit: Configuration.maximumFileSize + Int(PATH_MAX)),
      let end = bytes.firstIndex(of: 0), bytes[..<end].elementsEqual(file.utf8)
    else { return nil }
    return try? Configuration.reading(Array(bytes[(end + 1)...]), file: file)
  }

  /// Keeps it, unless there is no folder: of a socket that the configuration itself names, a start would
  /// not know.
  ///
  /// - Throws: ``Failure`` when the file cannot be made.
  func keep(_ loaded: LoadedConfiguration) throws(Failure) {
    guard let file = loaded.file else { return forget() }
    guard access(FilePath.folder(of: path), F_OK) == 0 else { return }
    try WholeFile.save(Array(file.utf8) + [0] + loaded.content, to: path)
  }

  func forget() { unlink(path) }

  /// Why the configuration's audiogram is not read, for the status.
  static func sentence(leavingOut failure: Failure) -> String {
    "The audiogram that the configuration names cannot be read, and is not needed: the prescription book says what is heard. "
      + "Name another one, or none: auricle config unset hearing.audiogram. \(failure.logMessage)"
  }

  /// Why the kept configuration is in force, for the status; nil: it is not.
  static func sentence(_ refused: [Failure]) -> String? {
    guard let first = refused.first else { return nil }
    return
      "The configuration file is not in force; the one from before the crash is. Correct the file, then: auricle reload. "
      + first.logMessage
  }
}
