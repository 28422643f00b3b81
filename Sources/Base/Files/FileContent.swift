import Glibc

/// Whole files, read at once.
package enum FileContent {
  /// Bytes of a file.
  ///
  /// Directories, devices and named pipes are refused, because reading them could wait for ever. A pipe
  /// that the caller has open and names by `/dev/fd`, as a shell's `<(command)` does, is read to its end.
  ///
  /// - Parameter limit: Greatest size accepted, bytes.
  /// - Throws: ``Failure``: ``ExitStatus/noInput`` when there is none, ``ExitStatus/noPermission`` when it
  ///   may not be read, ``ExitStatus/badData`` when it is not a file or too big, ``ExitStatus/inputOutput``
  ///   when reading fails.
  package static func bytes(of path: String, limit: Int) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno, path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(errno, path) }
    if status.st_mode & S_IFMT == S_IFIFO, isInherited(path) {
      _ = fcntl(descriptor, F_SETFL, 0)
    } else if status.st_mode & S_IFMT != S_IFREG {
      throw Failure(path, found: "something that is not a file", expected: "a file", exit: .badData)
    }
    return try content(of: descriptor, limit: limit, named: path)
  }

  private static func isInherited(_ path: String) -> Bool {
    path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/") || path == "/dev/stdin"
  }

  /// Bytes of standard input, to its end.
  ///
  /// - Parameter limit: Greatest size accepted, bytes.
  /// - Throws: ``Failure`` as ``bytes(of:limit:)``.
  package static func bytesOfStandardInput(limit: Int) throws(Failure) -> [UInt8] {
    try content(of: STDIN_FILENO, limit: limit, named: "standard input")
  }

  private static func content(
    of descriptor: Int32, limit: Int, named name: String
  ) throws(Failure) -> [UInt8] {
    func failure(_ error: SystemError) -> Failure {
      Failure(name, found: "that reading it fails: \(error.words)", exit: .inputOutput)
    }
    guard let bytes = try rethrowing(failure, try rest(of: descriptor, limit: limit)) else {
      throw Failure(name, found: "more than \(limit) bytes", expected: "a smaller file", exit: .badData)
    }
    return bytes
  }

  /// Bytes from an open descriptor to its end; nil when there are more than `limit`.
  ///
  /// - Throws: ``SystemError`` when reading fails.
  package static func rest(of descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { return nil }
      bytes += chunk[..<count]
    }
  }

  private static func failure(_ code: Int32, _ path: String) -> Failure {
    switch code {
    case ENOENT, ENOTDIR: Failure(path, found: "no such file", expected: "a file", exit: .noInput)
    case EACCES, EPERM:
      Failure(
        path, found: "no permission to read it", expected: "a file that user \(geteuid()) may read",
        exit: .noPermission)
    default:
      Failure(path, found: "that it cannot be opened: \(SystemError.words(for: code))", exit: .inputOutput)
    }
  }
}
