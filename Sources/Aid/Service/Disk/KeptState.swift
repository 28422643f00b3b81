import Base
import Control
import Engine
import Glibc

/// A file beside the control socket, as a word to the next daemon. The folder of run-time files goes with the machine's end, so that it does
/// not outlast that.
protocol KeptFile: Sendable {
  var path: String { get }
  /// Paths at which it may lie; by default ``path`` alone.
  var places: [String] { get }
  /// Effect on the next start where it stays although it is over, a clause.
  var consequence: String { get }
}

extension KeptFile {
  /// True while it is there. Something else in its place, such as a folder, nobody has kept, nor has another user, who may put a
  /// file there where the folder is shared.
  var isKept: Bool { keptPlace != nil }

  /// Path at which it is there; nil: it is not.
  var keptPlace: String? { places.first(where: Self.isOwn) }

  /// Removes it, where it is there.
  ///
  /// - Throws: ``Failure`` when it stays.
  func forget() throws(Failure) {
    var failure: Failure?
    for place in places where unlink(place) != 0 {
      let code = errno
      guard Self.isOwn(place) else { continue }
      failure =
        failure
        ?? Failure(
          place, found: "that it cannot be removed: \(SystemError.words(for: code))",
          remedy: "Remove it before the next start.", exit: .inputOutput)
    }
    if let failure { throw failure }
  }

  /// Removes it, where it is there.
  ///
  /// - Returns: A line for the log where it stays.
  func forgetOrTell() -> LogLine? {
    do throws(Failure) { try forget() } catch { return LogLine(.warning, "\(consequence): \(error)") }
    return nil
  }

  var places: [String] { [path] }

  /// True for a file of this user or root; in a folder that a daemon has for itself also for one of that daemon, which commands of others
  /// ask for.
  static func isOwn(_ place: String) -> Bool {
    var status = stat()
    // A second name of a file may be of somebody's making in a shared folder, whoever owns the file.
    guard lstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
      return false
    }
    if status.st_uid == geteuid() || status.st_uid == 0 { return true }
    return SocketFolder.belongs(FilePath.folder(of: place), to: status.st_uid)
  }
}

extension [any KeptFile] {
  /// Removes them.
  ///
  /// - Throws: ``Failure`` of the first that stays; the others are gone all the same.
  fileprivate func forget() throws(Failure) {
    var failure: Failure?
    for file in self {
      do throws(Failure) { try file.forget() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}

/// One that is empty, or has a line of text.
protocol KeptMark: KeptFile {
  /// Text in it; by default none.
  var content: String { get }
}

extension KeptMark {
  var content: String { "" }

  var places: [String] { files }

  /// Paths at which it may lie: in a shared folder also those beside ``path`` that ``keep()`` may have made.
  var files: [String] {
    let folder = FilePath.folder(of: path)
    guard SocketFolder.isShared(folder) else { return [path] }
    let start = FilePath.name(of: path) + "."
    let beside = Folder.names(in: folder).filter { name in
      name.hasPrefix(start) && name.utf8.count == start.utf8.count + Self.endingCount
    }
    return [path] + beside.map { "\(folder)/\($0)" }
  }

  /// Characters that mkstemp(3) makes.
  private static var endingCount: Int { 6 }

  /// Makes it; in a shared folder, where something of another user lies at its path and cannot be removed, at one that begins so.
  ///
  /// - Throws: ``Failure`` when the file cannot be made.
  func keep() throws(Failure) {
    guard !isKept else { return }
    // A file that does not count as it.
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { unlink(path) }
    // Brought to no disk, for which silence would have to wait: it is to outlast this process, not the
    // machine. A pipe of another user's would wait for a reader for good without O_NONBLOCK.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW, 0o600)
    let code = descriptor < 0 ? errno : EEXIST
    if descriptor >= 0 {
      fill(descriptor)
      close(descriptor)
    }
    // The opened file may be of another user, who was quicker.
    guard !isKept else { return }
    if SocketFolder.isShared(FilePath.folder(of: path)) {
      var template = Array("\(path).XXXXXX".utf8CString)
      let other = mkstemp(&template)
      if other >= 0 {
        fill(other)
        close(other)
        return
      }
    }
    throw Failure(
      path, found: "that it cannot be made: \(SystemError.words(for: code))", exit: .cannotCreate)
  }

  /// Writes its text, unless the opened file has another name or is another user's.
  private func fill(_ descriptor: Int32) {
    var status = stat()
    guard !content.isEmpty, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_nlink == 1
    else { return }
    let text = [UInt8](content.utf8)
    _ = write(descriptor, text, text.count)
  }
}

/// Mark of an end that nobody asked for and that the daemon told all the same: what it leaves for the next start is no sign of a crash then.
///
/// It lies wherever something may be left that would count as one: beside the socket, and beside the standard one where the configuration
/// is kept there.
struct ToldEnd: Sendable {
  fileprivate struct Mark: KeptMark {
    let path: String

    var consequence: String { "a crash would not count as one" }
  }

  private let socket: String
  private let standard: String?

  /// - Parameter standard: The socket of a daemon that is given no other; nil: this daemon's was named for it.
  init(besideSocket socket: String, standard: String?) { (self.socket, self.standard) = (socket, standard) }

  fileprivate var marks: [Mark] {
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

  /// Removes it.
  ///
  /// - Returns: Lines for the log about files that stay.
  func forgetOrTell() -> [LogLine] { marks.compactMap { $0.forgetOrTell() } }
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
  /// - Parameters:
  ///   - standard: The socket of a daemon that is given no other; nil: nothing lies beside it.
  ///   - isNamed: True: this daemon's socket was named for it. False by default.
  ///   - configuration: Its configuration file; nil, by default: it has none.
  /// - Throws: ``Failure`` of the first that stays; the others are gone all the same.
  package static func forget(
    besideSocket socket: String, standard: String?, isNamed: Bool = false, configuration: String? = nil
  ) throws(Failure) {
    var kept: [any KeptFile] = KeptSilence.Kind.allCases.map {
      KeptSilence(
        $0, besideSocket: socket, standard: standard, isNamed: isNamed, configuration: configuration)
    }
    let usual = isNamed ? nil : standard
    kept.append(KeptConfiguration(besideSocket: socket))
    kept += ToldEnd(besideSocket: socket, standard: usual).marks as [any KeptFile]
    if let other = Self.standard(usual, beside: socket) {
      kept.append(KeptConfiguration(besideSocket: other))
    }
    try kept.forget()
  }

  /// The standard socket, where a daemon at another one keeps its configuration beside it: of a socket that the configuration names a start
  /// does not know before it has read that. Nil where it is the same, or where a lock beside it says that another daemon has it.
  static func standard(_ standard: String?, beside socket: String) -> String? {
    other(standard, beside: socket).flatMap { isTaken($0) ? nil : $0 }
  }

  /// The same, whoever has it. Nil also where its folder is a stranger's.
  static func other(_ standard: String?, beside socket: String) -> String? {
    guard let standard, standard != socket, !SocketFolder.isStrangers(FilePath.folder(of: standard)) else {
      return nil
    }
    return standard
  }

  /// True where another daemon has a socket, or may have it. The lock of one that was killed stays, and may name this process by now.
  static func isTaken(_ socket: String) -> Bool {
    switch DaemonTrace(ofSocket: socket) {
    case .running(let number): number != getpid()
    case .absent: false
    case .unknown: true
    }
  }
}

/// The configuration in force, in a file beside the control socket, as long as the daemon lives.
///
/// A file that is being edited, or was left wrong, does not reach a daemon that runs; it must not end the
/// sound when that one crashes and is started again. Like ``KeptSilence``, it does not outlast the machine's
/// end.
///
/// The file holds the path of the configuration file, a NUL, and the text as it was read. Where other devices than it asks for are in use,
/// or calibrations that name none count with others, three more parts follow, each behind a NUL: `[device]` as it is in use, `[device]` with
/// which such calibrations count, and the sentence on the refusal of what it asks for, empty where that was not refused.
struct KeptConfiguration: KeptFile {
  let path: String

  init(besideSocket socket: String) { path = socket + ".configuration" }

  var consequence: String { "the next start would count as one after a crash" }

  /// Reads the configuration; one that is wrong, or whose file is gone, gives way to the one that the last
  /// daemon had in force, where that one did not end by itself. One that is the same as then has the devices
  /// that were in use then.
  ///
  /// - Parameter isAudiogramHeard: False: a prescription is heard instead of it, so that it may be missing.
  /// - Throws: ``ConfigurationFailures`` of the file when nothing else is kept.
  func settings(
    _ search: ConfigurationSearch, isAudiogramHeard: Bool = true
  ) throws(ConfigurationFailures) -> Found {
    let kept = content
    let isLost = kept.map { search.hasLost($0.file) } ?? false
    do throws(ConfigurationFailures) {
      // Nothing takes its place: neither defaults nor another file have what somebody chose to be safe.
      if let kept, isLost { throw ConfigurationFailures(failures: [Self.lost(kept.file)]) }
      var loaded = try search.load().get()
      var refusal: String?
      if let kept, kept.file == loaded.file, kept.loaded.content == loaded.content {
        (loaded, refusal) = (kept.loaded, kept.refusal)
      }
      let (settings, leftOut) = try AidSettings.reading(loaded, isAudiogramHeard: isAudiogramHeard)
      return Found(loaded: loaded, settings: settings, refusedDevices: refusal, leftOut: leftOut)
    } catch {
      guard let kept, isLost || kept.file == search.file(),
        let (settings, leftOut) = try? AidSettings.reading(kept.loaded, isAudiogramHeard: isAudiogramHeard)
      else { throw error }
      return Found(
        loaded: kept.loaded, settings: settings, refused: error.failures, refusedDevices: kept.refusal,
        leftOut: leftOut)
    }
  }

  /// The configuration in force has no file any more.
  static func lost(_ file: String) -> Failure {
    Failure(
      file, inWords: "The configuration in force has no file any more",
      remedy: "Put it back, then: auricle reload. "
        + "For what is found without it, or the defaults: auricle stop --daemon, then start it again.",
      exit: .noInput)
  }

  /// True for ``lost(_:)`` of any file.
  static func isLost(_ failure: Failure) -> Bool { failure == lost(failure.subject) }

  /// A configuration to begin with.
  struct Found {
    let loaded: LoadedConfiguration
    /// Settings that it asks for.
    let settings: AidSettings
    /// Why it is not the one of the file; empty: it is.
    var refused: [Failure] = []
    /// Why its devices are not those that it asks for, a sentence without its full stop; nil: they are.
    var refusedDevices: String?
    /// Why its audiogram is left out; nil: it is not.
    let leftOut: Failure?
  }

  /// A configuration as it was kept.
  private struct Content {
    /// Path of its file.
    let file: String
    let loaded: LoadedConfiguration
    /// Why its devices are not those that it asks for; nil: they are.
    let refusal: String?
  }

  /// Greatest size read, bytes: the text of a configuration, its devices twice, a sentence on them, and a path.
  private static let limit = 4 * Configuration.maximumFileSize + Int(PATH_MAX)

  /// Nil when nothing is kept, or it is changeable by others or damaged.
  private var content: Content? {
    guard let trust = FileTrust(of: path), (try? trust.refuseChangeable()) != nil,
      let bytes = try? FileContent.bytes(of: path, limit: Self.limit)
    else { return nil }
    let parts = bytes.split(separator: 0, maxSplits: 4, omittingEmptySubsequences: false).map { Array($0) }
    guard parts.count == 2 || parts.count == 5 else { return nil }
    let file = String(decoding: parts[0], as: UTF8.self)
    guard let loaded = try? Configuration.reading(parts[1], file: file) else { return nil }
    guard parts.count == 5 else { return Content(file: file, loaded: loaded, refusal: nil) }
    let devices = parts[2...3].compactMap { text in
      (try? Configuration.reading(text, file: file))?.configuration.device
    }
    guard devices.count == 2 else { return nil }
    let refusal = String(decoding: parts[4], as: UTF8.self)
    return Content(
      file: file, loaded: loaded.with(devices[0], calibrated: devices[1]),
      refusal: refusal.isEmpty ? nil : refusal)
  }

  /// Keeps it, unless there is no folder: of a socket that the configuration itself names, a start would
  /// not know.
  ///
  /// - Parameter refusal: Why its devices are not those that it asks for, a sentence without its full stop; nil, by default: they are.
  /// - Throws: ``Failure`` when the file cannot be made, or the former one cannot be removed.
  func keep(_ loaded: LoadedConfiguration, _ refusal: String? = nil) throws(Failure) {
    guard let file = loaded.file else { return try forget() }
    guard access(FilePath.folder(of: path), F_OK) == 0 else { return }
    var parts = [Array(file.utf8), loaded.content]
    let devices = [loaded.configuration.device, loaded.calibratedDevice]
    if refusal != nil || devices.contains(where: { $0 != loaded.askedDevice }) {
      parts += (devices.map(Self.text(of:)) + [refusal ?? ""]).map { Array($0.utf8) }
    }
    try WholeFile.save(Array(parts.joined(separator: [0])), to: path)
  }

  /// Keys of `[device]`, as a configuration has them.
  private static func text(of device: Configuration.Device) -> String {
    var configuration = Configuration()
    configuration.device = device
    return Configuration.schema.compactMap { setting -> String? in
      guard setting.key.hasPrefix("device.") else { return nil }
      return setting.value(in: configuration).map { "\(setting.key) = \($0)\n" }
    }.joined()
  }

  /// Why the configuration's audiogram is not read, for the status.
  static func sentence(leavingOut failure: Failure) -> String {
    "The audiogram that the configuration names cannot be read, and is not needed: the prescription book says what is heard. "
      + "Name another one, or none: auricle config unset hearing.audiogram. \(failure.logMessage)"
  }

  /// Why the kept configuration is in force, for the status; nil: it is not.
  static func sentence(_ refused: [Failure]) -> String? {
    guard let first = refused.first else { return nil }
    // One that is gone brings its own advice.
    return "The configuration file is not in force; the one from before the crash is. "
      + (isLost(first) ? "" : "Correct the file, then: auricle reload. ") + first.logMessage
  }
}
