import Base
import CLinux
import Control
import Glibc
import Synchronization

/// Serves the control socket: JSON-RPC 2.0, one object a line, on a thread of its own.
///
/// Nobody can make it wait: sockets do not block, lines and answers have limits, a client that does not read
/// is dropped.
///
///     let server = try ControlServer(path: paths.socket, rule: .person, methods: table, handler: daemon)
///     try server.start()
///     …
///     server.stop()
///
/// - Threads: control; ``publish(_:)`` any but audio.
package final class ControlServer: Sendable {
  /// Bounds that keep one client from harming the others.
  package struct Limits: Sendable {
    package var clients = 16
    /// Time without a request after which a client gives way to a new one where there are as many as are allowed, s:
    /// longer than a command pauses between two requests. Own choice.
    package var idle = 2.0
    /// Longest line, bytes.
    package var lineBytes = 65_536
    /// Answers that wait for a client before its questions wait too, bytes.
    package var outputBytes = 65_536
    /// Time in which a client says something, s.
    package var firstMessage = 5.0
    /// Time in which a client takes something of what waits for it, s.
    package var writeStall = 5.0
    /// Time for the last answers when the server stops, s.
    package var farewell = 0.25

    package init() {}
  }

  /// What other threads leave for the server's.
  private struct Mailbox {
    var states: [StatusReport.State] = []
    var isStopping = false
    var isClosed = false
    var thread: pthread_t?
  }

  let socket: ListeningSocket
  let rule: AccessRule
  let limits: Limits
  let methods: MethodTable
  let handler: any ControlHandler
  let log: @Sendable (LogLine) -> Void
  /// Wakes the server's thread.
  let bell: Int32
  private let mailbox = Mutex(Mailbox())

  /// Takes the socket; clients that connect before ``start()`` wait.
  ///
  /// - Parameter guardian: The process that starts this one again, told to commands by the lock file.
  /// - Throws: ``Failure`` when another daemon runs or the path cannot be used.
  package init(
    path: String, rule: AccessRule, methods: MethodTable, handler: any ControlHandler,
    limits: Limits = Limits(), guardian: Int32? = nil,
    log: @escaping @Sendable (LogLine) -> Void = { _ in }
  ) throws(Failure) {
    let bell = clinux_eventfd()
    guard bell >= 0 else {
      throw Failure.socket(-bell, "control socket \(path)", "make an event counter")
    }
    do throws(Failure) {
      socket = try ListeningSocket(path: path, rule: rule, guardian: guardian)
    } catch {
      close(bell)
      throw error
    }
    self.bell = bell
    self.rule = rule
    self.limits = limits
    self.methods = methods
    self.handler = handler
    self.log = log
  }

  deinit {
    stop()
    close(bell)
  }

  /// Path of the socket.
  package var path: String { socket.path }

  /// Whether clients can reach this server, and other daemons see that it is there: socket and lock are in place.
  package var isReachable: Bool { socket.isInPlace }

  /// Begins to serve.
  ///
  /// - Throws: ``Failure`` when no thread can be made.
  package func start() throws(Failure) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    // Locked memory includes stacks: the default 8 MiB would be a third of the daemon.
    pthread_attr_setstacksize(&attributes, 512 << 10)
    var thread = pthread_t()
    let server = Unmanaged.passRetained(self)
    let code = pthread_create(&thread, &attributes, serveControlSocket, server.toOpaque())
    guard code == 0 else {
      server.release()
      throw Failure.socket(code, "control socket \(path)", "make a thread for it")
    }
    mailbox.withLock { $0.thread = thread }
  }

  /// Ends serving, removes the socket and frees the lock. Answers already given still go out.
  ///
  /// Not to be called by the handler, which is called by the thread that this waits for.
  package func stop() {
    let thread = mailbox.withLock { mailbox -> pthread_t? in
      mailbox.isStopping = true
      defer { mailbox.thread = nil }
      return mailbox.thread
    }
    clinux_eventfd_signal(bell)
    if let thread { pthread_join(thread, nil) }
    let isFirst = mailbox.withLock { mailbox in
      defer { mailbox.isClosed = true }
      return !mailbox.isClosed
    }
    if isFirst { socket.close() }
  }

  /// Tells subscribers of a new state.
  package func publish(_ state: StatusReport.State) {
    mailbox.withLock {
      if $0.states.count == ControlSession.longestQueue { $0.states.removeFirst() }
      $0.states.append(state)
    }
    clinux_eventfd_signal(bell)
  }

  /// States left since the last time, and whether to stop.
  func collect() -> (states: [StatusReport.State], isStopping: Bool) {
    mailbox.withLock { mailbox in
      defer { mailbox.states = [] }
      return (mailbox.states, mailbox.isStopping)
    }
  }
}

/// Entry of the server's thread.
@Sendable private func serveControlSocket(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
{
  guard let argument else { return nil }
  let server = Unmanaged<ControlServer>.fromOpaque(argument).takeRetainedValue()
  // Signals are the main thread's, but for those of a fault of this one.
  clinux_block_signals_of_others()
  let signalStack = clinux_take_signal_stack()
  defer { clinux_return_signal_stack(signalStack) }
  clinux_set_thread_name("auricle-control")
  ControlLoop(server).run()
  return nil
}
