import Base
import CLinux
import CommonTesting
import Control
import Glibc
import Synchronization

@testable import Service

/// A control socket's folder, and the handler of its requests.
struct SocketPlace {
  let folder = TemporaryFolder()
  let handler = StubHandler()
}

/// A suite whose tests have a control socket each.
protocol SocketSuite {
  var place: SocketPlace { get }
}

extension SocketSuite {
  var folder: TemporaryFolder { place.folder }
  var path: String { folder.file("control.sock") }
  var handler: StubHandler { place.handler }

  /// A line that calls a method.
  func request(_ method: String, _ parameters: String = "{}", id: Int = 1) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"# + "\n"
  }
}

/// A control server driven by a loop on a thread of its own, as the daemon's loop drives it, with a handler
/// that answers at once.
final class ServedSocket: Sendable {
  private struct Mailbox {
    var states: [StatusReport.State] = []
    var isStopping = false
    var thread: pthread_t?
  }

  /// Used by the loop's thread once that exists.
  private nonisolated(unsafe) let server: ControlServer
  private let handler: StubHandler
  private let log: @Sendable (LogLine) -> Void
  private let mailbox = Mutex(Mailbox())
  private let bell = clinux_eventfd()

  init(
    path: String, rule: AccessRule, handler: StubHandler, limits: ControlServer.Limits = .init(),
    passed: PassedSocket? = nil, log: @escaping @Sendable (LogLine) -> Void = { _ in }
  ) throws(Failure) {
    server = try ControlServer(
      path: path, rule: rule, methods: handler.methods, limits: limits, passed: passed)
    self.handler = handler
    self.log = log
  }

  deinit {
    stop()
    close(bell)
  }

  var path: String { server.path }
  var isReachable: Bool { server.isReachable }

  func start() {
    var thread = pthread_t()
    let entry = Unmanaged.passRetained(self)
    pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<ServedSocket>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, entry.toOpaque())
    mailbox.withLock { $0.thread = thread }
  }

  func publish(_ state: StatusReport.State) {
    mailbox.withLock { $0.states.append(state) }
    clinux_eventfd_signal(bell)
  }

  func stop() {
    let thread = mailbox.withLock { mailbox in
      mailbox.isStopping = true
      defer { mailbox.thread = nil }
      return mailbox.thread
    }
    clinux_eventfd_signal(bell)
    if let thread { pthread_join(thread, nil) }
    server.close()
  }

  private func run() {
    while true {
      let now = SystemTime.monotonic
      let (states, isStopping) = mailbox.withLock { mailbox in
        defer { mailbox.states = [] }
        return (mailbox.states, mailbox.isStopping)
      }
      for state in states { server.publish(state, now: now) }
      if isStopping { server.finish(now: now) }
      if isStopping, server.isFinished(at: now) { return }
      var polled = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)] + server.descriptors(at: now)
      let left = min(max(server.deadline - now, 0) * 1000, 60_000)
      poll(&polled, nfds_t(polled.count), Int32(left.rounded(.up)))
      _ = clinux_eventfd_take(bell)
      serve(polled.dropFirst())
    }
  }

  private func serve(_ polled: ArraySlice<pollfd>) {
    for occurrence in server.serve(polled, now: SystemTime.monotonic) {
      switch occurrence {
      case .request(let id, let method, let peer):
        let answer = handler.answer(method, from: peer)
        if let line = server.answer(id, answer, now: SystemTime.monotonic) { log(line) }
      case .refused(let name, let peer): log(LogLine(.warning, "\(name) refused to \(peer.words)"))
      case .gone(let peer): handler.hasGone(peer)
      case .unsubscribed: break
      case .log(let line): log(line)
      }
    }
    let now = SystemTime.monotonic
    if server.wantsMeters(at: now) { server.publish(handler.meters(), now: now) }
  }
}

extension ControlSession {
  /// Takes a line as it comes from the socket.
  mutating func take(_ line: [UInt8], now: Double) -> LineOutcome { take(Request(line: line), now: now) }
}
