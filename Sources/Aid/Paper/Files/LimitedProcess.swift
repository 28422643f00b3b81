import Base
import CLinux
import Glibc

/// A program that reads one file and writes to its standard output, with limits on memory and time.
///
/// The program waits for its input, which is not sent before the limits stand.
struct LimitedProcess: ~Copyable {
  /// End of the program.
  enum Ending: Equatable {
    case process(ProcessEnding)
    /// It was ended because its output was enough.
    case enough
    /// It was ended because its time was over.
    case late
  }

  /// Memory of the program, its code included, bytes.
  static let memory: UInt64 = 1 << 30
  /// Processor time, s; a coarse second line behind the budget.
  static let processorTime: UInt64 = 3
  /// Largest file it may write, bytes: a cache of fonts, not pictures.
  static let fileSize: UInt64 = 1 << 20
  /// Interval at which the work of a silent program is read, ms.
  private static let pause: Int32 = 20
  /// Bytes of messages kept.
  private static let mostMessage = 4096

  private let process: pid_t
  private let input: Int32
  private let output: Int32
  private let messages: Int32

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: The program's file.
  ///   - arguments: Without the program's name.
  /// - Returns: nil when the program cannot be started.
  init?(_ path: String, _ arguments: [String]) {
    // Sockets, since writing to one whose other end is gone can be told not to raise SIGPIPE. The program's own ends wait.
    var pairs = [[Int32]](repeating: [-1, -1], count: 3)
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    for k in pairs.indices
    where socketpair(AF_UNIX, type, 0, &pairs[k]) != 0 || fcntl(pairs[k][0], F_SETFL, O_NONBLOCK) != 0 {
      for fd in pairs.joined() where fd >= 0 { close(fd) }
      return nil
    }
    let child = try? ProgramLaunch.start(
      path, arguments, environment: ["LC_ALL=C", "PATH=/usr/bin:/bin"],
      streams: pairs.map { .descriptor($0[1]) })
    for pair in pairs { close(pair[1]) }
    guard let child else {
      for pair in pairs { close(pair[0]) }
      return nil
    }
    process = child
    (input, output, messages) = (pairs[0][0], pairs[1][0], pairs[2][0])
    for (resource, most) in [
      (CLINUX_RLIMIT_AS, Self.memory), (CLINUX_RLIMIT_CPU, Self.processorTime),
      (CLINUX_RLIMIT_FSIZE, Self.fileSize),
    ] {
      _ = clinux_limit_process(child, Int32(resource), most)
    }
  }

  /// Feeds the program and reads it until it ends, its output is enough, or the budget is spent.
  ///
  /// - Parameters:
  ///   - bytes: Its input.
  ///   - budget: Is charged with the program's work; the program is killed when it is spent.
  ///   - take: Given each piece of output; true when that is enough.
  /// - Returns: Its end, and the text that it wrote to its standard error.
  consuming func run(
    feeding bytes: [UInt8], on budget: WorkBudget, take: (UnsafeRawBufferPointer) -> Bool
  ) -> (ending: Ending, message: String) {
    var sent = 0
    var message: [UInt8] = []
    var early: Ending?
    var open = [input, output, messages]
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    if bytes.isEmpty { Self.shut(&open[0]) }
    while early == nil, open[1] >= 0 || open[2] >= 0 {
      let used = Duration.seconds(SystemTime.processor(of: process))
      guard !budget.isSpent(with: used) else {
        early = .late
        break
      }
      var polled = [
        pollfd(fd: open[0], events: Int16(POLLOUT), revents: 0),
        pollfd(fd: open[1], events: Int16(POLLIN), revents: 0),
        pollfd(fd: open[2], events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 3, Self.pause) > 0 else { continue }
      if polled[0].revents != 0 {
        let count = bytes.withUnsafeBytes {
          send(open[0], $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
        }
        if count > 0 { sent += count }
        if sent == bytes.count || (count < 0 && errno != EAGAIN && errno != EINTR) { Self.shut(&open[0]) }
      }
      for k in 1...2 where polled[k].revents != 0 {
        let count = read(open[k], buffer.baseAddress, buffer.count)
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { Self.shut(&open[k]) }
        let piece = buffer[..<max(count, 0)]
        if k == 2 {
          message += piece.prefix(Self.mostMessage - message.count)
        } else if count > 0, early == nil, take(UnsafeRawBufferPointer(rebasing: piece)) {
          early = .enough
        }
      }
    }
    for k in open.indices { Self.shut(&open[k]) }
    // Without its outputs the program has nothing left to do.
    if early != nil { kill(process, SIGKILL) }
    budget.charge(Duration.seconds(SystemTime.processor(of: process)))
    let status = Self.end(of: process, on: budget)
    return (early ?? status, String(decoding: message, as: UTF8.self))
  }

  private static func shut(_ fd: inout Int32) {
    if fd >= 0 { close(fd) }
    fd = -1
  }

  /// Waits for the program, and kills it when the budget is spent.
  private static func end(of process: pid_t, on budget: WorkBudget) -> Ending {
    var status: Int32 = 0
    var pause = timespec(tv_sec: 0, tv_nsec: 500_000)
    while waitpid(process, &status, WNOHANG) == 0 {
      if budget.isSpent(with: .zero) { kill(process, SIGKILL) }
      nanosleep(&pause, nil)
    }
    return .process(ProcessEnding(status: status))
  }
}

/// Processor time allowed for one file: of this thread and of a program that draws for it.
///
/// On an idle machine that is the time one waits. On a busy one the same files are read, only later: the
/// result must not depend on the load.
///
/// - Threads: the one that made it.
final class WorkBudget {
  /// Processor time allowed.
  let limit: Duration
  /// Processor time of programs that have ended.
  private var elsewhere = Duration.zero
  private let start: Duration
  private let wallStart = ContinuousClock.now

  /// Waiting allowed, as a multiple of the limit, so that a program that sleeps holds nobody either.
  private static let patience = 6

  init(_ limit: Duration) {
    self.limit = limit
    start = Self.spent
  }

  private static var spent: Duration { .seconds(SystemTime.thread) }

  /// Processor time that is left; below zero once more than all is spent.
  var left: Duration { limit - (Self.spent - start) - elsewhere }

  /// True when all is spent.
  var isSpent: Bool { isSpent(with: .zero) }

  /// True when all is spent, a running program's time included.
  func isSpent(with running: Duration) -> Bool {
    Self.spent - start + elsewhere + running >= limit
      || ContinuousClock.now - wallStart >= limit * Self.patience
  }

  /// Counts a program that has ended.
  func charge(_ time: Duration) { elsewhere += time }
}
