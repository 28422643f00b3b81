import Base
import Glibc

/// A mute or a stop that outlasts a crash, as long as it lasts and the daemon lives.
///
/// A person who has muted or stopped the aid expects silence, also of a daemon that is started again. While it is kept and no daemon runs,
/// the last one was silent so and ended without being asked to.
///
/// A start whose socket nobody names reads it from the configuration, which may name another one than that of the daemon that crashed. So
/// such a daemon's silence lies beside its socket and beside the standard one, where every such start of the same configuration file looks.
struct KeptSilence: KeptFile {
  /// End of the files' names.
  enum Kind: String, Sendable, CaseIterable {
    case mute = "muted"
    case stop = "stopped"
  }

  /// Mark beside one socket.
  private struct Mark: KeptMark {
    let kind: Kind
    /// Socket beside which it lies.
    let place: String
    /// Socket of the daemon that is silent.
    let socket: String
    /// Its configuration file; nil: it has none, or that does not matter.
    let configuration: String?
    /// True where nothing counts but what says that it is of this socket's daemon.
    let isStrict: Bool
    /// True where every one counts: beside this socket nobody else keeps any.
    let isAlone: Bool

    var path: String { "\(place).\(kind.rawValue)" }
    var consequence: String { kind.consequence }
    /// Socket of the daemon and, behind a NUL, its configuration file.
    var content: String {
      if let configuration { return "\(socket)\0\(configuration)" }
      return place == socket ? "" : socket
    }
    var places: [String] { files.filter(isCounted) }
    /// Other sockets of a daemon that crashed and made this mark.
    var formers: [String] { places.map { maker(of: $0).socket }.filter { $0 != place && $0 != socket } }
    /// True where one lies that does not count.
    var isOthers: Bool { files.contains { Self.isOwn($0) && !isCounted($0) } }

    /// False for a mark of another daemon, which runs, or has another configuration and may be started again.
    private func isCounted(_ file: String) -> Bool {
      let maker = maker(of: file)
      // Its socket may be spelled otherwise by now.
      guard maker.socket != socket, !isAlone else { return true }
      let mayBeOwn = maker.configuration == nil || maker.configuration == configuration
      guard mayBeOwn, !isStrict else { return false }
      return [place, maker.socket].allSatisfy { $0 == socket || !KeptState.isTaken($0) }
    }

    /// Socket and configuration file of the daemon that made a file; nil: it does not say of which.
    private func maker(of file: String) -> (socket: String, configuration: String?) {
      var status = stat()
      // By its text files are removed: another user's does not count.
      guard Self.isOwn(file), lstat(file, &status) == 0, status.st_uid == geteuid(),
        let bytes = try? FileContent.bytes(of: file, limit: 2 * Int(PATH_MAX))
      else { return (place, nil) }
      let parts = bytes.split(separator: 0, maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
      return (parts.first ?? place, parts.dropFirst().first)
    }
  }

  private let kind: Kind
  private let socket: String
  private let standard: String?
  private let isNamed: Bool
  private let configuration: String?

  /// - Parameters:
  ///   - standard: The socket of a daemon that is given no other; nil, by default: nothing lies beside it.
  ///   - isNamed: True: this daemon's socket was named for it, so that it keeps nothing there, and takes away what it has left there when
  ///     nobody named that. False by default.
  ///   - configuration: Its configuration file; nil, by default: it has none.
  init(
    _ kind: Kind, besideSocket socket: String, standard: String? = nil, isNamed: Bool = false,
    configuration: String? = nil
  ) {
    (self.kind, self.socket, self.standard) = (kind, socket, standard)
    (self.isNamed, self.configuration) = (isNamed, configuration)
  }

  private func mark(beside place: String) -> Mark {
    Mark(
      kind: kind, place: place, socket: socket, configuration: configuration,
      isStrict: isNamed && place == standard && place != socket,
      isAlone: place == socket && standard != nil && place != standard)
  }

  var path: String { mark(beside: socket).path }

  var consequence: String { kind.consequence }

  /// Also those that it had beside a socket before a crash, which would silence a later start there.
  var places: [String] {
    let marks = [socket, KeptState.other(standard, beside: socket)].compactMap(\.self).map(mark(beside:))
    return (marks + marks.flatMap(\.formers).map(mark(beside:))).flatMap(\.places)
  }

  /// Makes it. Beside a standard socket without a folder no start would find it, and what another daemon has left there stays.
  ///
  /// - Throws: ``Failure`` of the first file that cannot be made; the other one is there all the same.
  func keep() throws(Failure) {
    var failure: Failure?
    let beside = isNamed ? nil : KeptState.standard(standard, beside: socket)
    for mark in [socket, beside].compactMap(\.self).map(mark(beside:))
    where mark.place == socket || access(FilePath.folder(of: mark.path), F_OK) == 0 && !mark.isOthers {
      do throws(Failure) { try mark.keep() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}

extension KeptSilence.Kind {
  /// Effect on the next start where it stays although it is over, a clause.
  fileprivate var consequence: String {
    switch self {
    case .mute: "the next start would be muted"
    case .stop: "the next start would make no sound"
    }
  }
}
