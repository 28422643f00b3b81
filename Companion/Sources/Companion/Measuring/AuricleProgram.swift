import Base
import Glibc

/// `auricle`, the aid's command, which asks the person at the terminal and leaves standard output to its result.
public struct AuricleProgram: MeasuringProgram {
  public let path: String

  public init(path: String) { self.path = path }

  /// The one of `COMPANION_AURICLE`, the one beside this program, the one of the folder of programs, or the first in `PATH`.
  ///
  /// - Returns: Nil where there is none.
  public static func found(_ variables: [String: String]) -> AuricleProgram? {
    if let path = variables["COMPANION_AURICLE"] {
      return access(path, X_OK) == 0 ? AuricleProgram(path: path) : nil
    }
    let beside = Folder.target(ofLink: "/proc/self/exe").map { own -> [String] in
      let folder = FilePath.folder(of: own)
      // It lies in libexec/auricle where it is installed (CompanionProgram of the aid).
      let prefix = FilePath.folder(of: FilePath.folder(of: folder))
      return [folder + "/auricle", prefix + "/bin/auricle"]
    }
    let named = (variables["PATH"] ?? "").split(separator: ":").map { String($0) + "/auricle" }
    return ((beside ?? []) + named).first { access($0, X_OK) == 0 && isFile($0) }
      .map { AuricleProgram(path: $0) }
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Most bytes of output that are kept: a history of some ten thousand records.
  private static let most = 1 << 24

  public func run(_ arguments: [String]) throws(Failure) -> ProgramEnd {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw failure(SystemError(call: "pipe", code: errno)) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let process: pid_t
    do throws(SystemError) {
      defer { close(ends[1]) }
      // The terminal is its standard input, and with it the one that it draws on.
      process = try ProgramLaunch.start(
        path, named: "auricle", arguments,
        streams: [.descriptor(STDIN_FILENO), .descriptor(ends[1]), .descriptor(ends[1])])
    } catch { throw failure(error) }
    let output = Self.read(ends[0])
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    if case .exit(let code) = ProcessEnding(status: status) {
      return ProgramEnd(status: Int(code), output: output)
    }
    return ProgramEnd(status: nil, output: output)
  }

  /// To its end; what is beyond the most is read and left out.
  private static func read(_ descriptor: Int32) -> [UInt8] {
    var (output, part) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = Glibc.read(descriptor, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return output }
      if output.count < most { output += part[..<count] }
    }
  }

  private func failure(_ error: SystemError) -> Failure {
    Failure(path, found: "that it does not start: \(error)", exit: .system)
  }
}
