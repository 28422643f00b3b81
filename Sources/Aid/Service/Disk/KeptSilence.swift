import Base
import Glibc

/// A mute or a stop that outlasts a crash, as long as it lasts and the daemon lives.
///
/// A person who has muted or stopped the aid expects silence, also of a daemon that is started again. While it is kept and no daemon runs,
/// the last one was silent so and ended without being asked to.
///
/// A start whose socket nobody names reads it from the configuration, which may name another one than that of the daemon that crashed. So
/// such a daemon's silence lies beside its socket and beside the standard one, where every such start looks.
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

    var path: String { "\(place).\(kind.rawValue)" }
    var consequence: String { kind.consequence }
    /// Beside another socket it says whose it is.
    var content: String { place == socket ? "" : socket }
    var places: [String] { files.filter(isCounted) }
    /// Other sockets of a daemon that crashed and made this mark.
    var formers: [String] { places.map(maker(of:)).filter { $0 != place && $0 != socket } }

    /// False for a mark of another daemon, which runs.
    private func isCounted(_ file: String) -> Bool {
      let maker = maker(of: file)
      return maker == socket || [place, maker].allSatisfy { $0 == socket || !KeptState.isTaken($0) }
    }

    /// Socket of the daemon that made a file.
    private func maker(of file: String) -> String {
      var status = stat()
      // By its text files are removed: another user's does not count.
      guard Self.isOwn(file), lstat(file, &status) == 0, status.st_uid == geteuid(),
        let bytes = try? FileContent.bytes(of: file, limit: Int(PATH_MAX)), !bytes.isEmpty
      else { return place }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private let kind: Kind
  private let socket: String
  private let standard: String?

  /// - Parameter standard: The socket of a daemon that is given no other; nil, by default: this daemon's was named for it.
  init(_ kind: Kind, besideSocket socket: String, standard: String? = nil) {
    (self.kind, self.socket, self.standard) = (kind, socket, standard)
  }

  private func mark(beside place: String) -> Mark { Mark(kind: kind, place: place, socket: socket) }

  var path: String { mark(beside: socket).path }

  var consequence: String { kind.consequence }

  /// Also those that it had beside a socket before a crash, which would silence a later start there.
  var places: [String] {
    let marks = [socket, KeptState.other(standard, beside: socket)].compactMap(\.self).map(mark(beside:))
    return (marks + marks.flatMap(\.formers).map(mark(beside:))).flatMap(\.places)
  }

  /// Makes it. Beside a standard socket without a folder no start would find it.
  ///
  /// - Throws: ``Failure`` of the first file that cannot be made; the other one is there all the same.
  func keep() throws(Failure) {
    var failure: Failure?
    for place in [socket, KeptState.standard(standard, beside: socket)].compactMap(\.self)
    where place == socket || access(FilePath.folder(of: place), F_OK) == 0 {
      do throws(Failure) { try mark(beside: place).keep() } catch { failure = failure ?? error }
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
