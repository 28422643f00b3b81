import Glibc

/// Output of another program that was run to its end, with limits on time and size.
package struct ProgramOutput: Sendable, Equatable {
  /// Everything that it wrote.
  package let bytes: [UInt8]
  package let ending: ProcessEnding

  /// Runs a program without input, and waits for it.
  ///
  /// - Parameters:
  ///   - path: The program's file.
  ///   - name: Name that the program is told to have; nil: its path.
  ///   - arguments: Without the program's name.
  ///   - hasErrors: True where what it writes to standard error is taken too; otherwise that is dropped.
  ///   - limit: Most that is read, bytes.
  ///   - patience: Longest that it is waited for, s.
  /// - Returns: Nil where it cannot be started, writes more or takes longer; then it is ended.
  package init?(
    of path: String, named name: String? = nil, _ arguments: [String] = [], hasErrors: Bool = false,
    limit: Int, patience: Double
  ) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      return nil
    }
    let streams: [ProgramLaunch.Stream] = [
      .file("/dev/null", flags: O_RDONLY), .descriptor(ends[1]),
      hasErrors ? .descriptor(ends[1]) : .file("/dev/null", flags: O_WRONLY),
    ]
    let process = try? ProgramLaunch.start(path, named: name, arguments, streams: streams)
    close(ends[1])
    defer { close(ends[0]) }
    guard let process else { return nil }
    let due = SystemTime.monotonic + patience
    let read = Self.read(ends[0], limit: limit, until: due)
    // It may go on long after it has closed its output.
    let ending = Self.ending(of: process, until: read == nil ? 0 : due)
    guard let read, let ending else { return nil }
    (bytes, self.ending) = (read, ending)
  }

  /// Longest time between two looks whether a program has ended, µs. Own choice: most end with their output.
  private static let longestPause: UInt32 = 20_000

  /// Waits for a program's end, which is brought about where it does not come in time; nil then.
  private static func ending(of process: pid_t, until end: Double) -> ProcessEnding? {
    var (status, pause): (Int32, UInt32) = (0, 500)
    while waitpid(process, &status, WNOHANG) == 0 {
      guard SystemTime.monotonic < end else {
        kill(process, SIGKILL)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return nil
      }
      usleep(pause)
      pause = min(2 * pause, longestPause)
    }
    return ProcessEnding(status: status)
  }

  /// Reads to the end; nil where there is more, or it does not come in time.
  private static func read(_ descriptor: Int32, limit: Int, until end: Double) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let left = end - SystemTime.monotonic
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard left > 0, bytes.count <= limit else { return nil }
      guard poll(&polled, 1, Int32((left * 1000).rounded(.up))) > 0 else { continue }
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { return nil }
    }
  }
}
