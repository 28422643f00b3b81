import Base
import Control
import Glibc
import Service

/// The connection to the daemon: subscribed to what the desktop wants to know, made again when it was lost.
///
/// - Threads: main. A daemon that hangs is waited for for ``patience``; nothing here is urgent.
final class AidConnection {
  /// Time between two attempts to connect, s: doubled from the first to the last. A daemon that was killed is back within 1 s; one that
  /// does not run costs a call of the system each time. Own choice.
  static let intervals = 0.5...10.0
  /// Longest that an answer is waited for, s: a daemon that hangs for longer is ended by its service manager (WatchdogSec=5s), and one
  /// that is only slow has not gone.
  private static let patience = 5.0

  private let socket: String?
  private let log: MessageLog
  private let longestInterval: Double
  private var client: ControlClient?
  private var interval = intervals.lowerBound
  private var nextAttempt = 0.0
  /// True when a notification may have come beside an answer: it lies in the client then, where nothing polls.
  private var looksAgain = false
  /// As logged last.
  private var trouble: String?

  /// - Parameters:
  ///   - socket: Path; nil: the usual places, looked at anew each time.
  ///   - longestInterval: Longest time between two attempts, s.
  init(socket: String?, log: MessageLog, longestInterval: Double = AidConnection.intervals.upperBound) {
    (self.socket, self.log, self.longestInterval) = (socket, log, longestInterval)
  }

  // MARK: - Serving

  var descriptor: pollfd? { client.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) } }

  /// When to be served though nothing was polled, monotonic s.
  var deadline: Double { client == nil ? nextAttempt : looksAgain ? 0 : .infinity }

  /// - Parameter isReadable: True where the descriptor was polled so.
  /// - Returns: Events, oldest first.
  func serve(isReadable: Bool, now: Double) -> [DesktopState.Event] {
    if client == nil {
      guard now >= nextAttempt else { return [] }
      return connect(now: now)
    }
    return isReadable || looksAgain ? listen(now: now) : []
  }

  private func connect(now: Double) -> [DesktopState.Event] {
    nextAttempt = now + interval
    interval = min(2 * interval, longestInterval)
    let path = socket ?? usualPath
    guard DaemonTrace(ofSocket: path) != .absent else { return [] }
    do throws(Failure) {
      let made = try ControlClient(path: path, timeout: Self.patience)
      try made.ask(Subscription(to: [.state, .prescription]))
      let standing = AidStanding(try made.ask(ReportMethods.Status()))
      (client, looksAgain) = (made, true)
      interval = Self.intervals.lowerBound
      trouble = nil
      log.write(.info, "connected to \(path)")
      return [.aid(standing)]
    } catch {
      // A daemon that does not run is no fault, and any other is told once.
      if error.exitStatus != .unavailable, error.logMessage != trouble {
        trouble = error.logMessage
        log.write(.warning, error.logMessage)
      }
      return []
    }
  }

  /// As a command finds it.
  private var usualPath: String {
    let configured = try? ConfigurationSearch(explicit: nil).load().get().configuration.control.socket
    let path = StandardPaths.current.clientSocket(explicit: nil, configured: configured)
    guard StandardPaths.current.namedSocket == nil, DaemonTrace.isLeft(path) else { return path }
    return DaemonTrace.systemsSocket(insteadOf: path) ?? path
  }

  /// Reads everything that has come, then asks how things are now.
  private func listen(now: Double) -> [DesktopState.Event] {
    guard let client else { return [] }
    looksAgain = false
    var last: StatusReport.State?
    do throws(Failure) {
      while let news = try client.nextNotification(timeout: 0) {
        last = Self.state(in: news) ?? last
      }
      let standing = AidStanding(try client.ask(ReportMethods.Status()))
      if let news = try client.nextNotification(timeout: 0) {
        last = Self.state(in: news)
        looksAgain = true
      }
      return [.aid(standing)]
    } catch {
      log.write(.info, "the connection to \(client.path) has ended")
      lose(now: now)
      return (last.map { [.state($0)] } ?? []) + [.lost(socket: client.path)]
    }
  }

  private static func state(in news: ControlNotification) -> StatusReport.State? {
    guard news.topic == Subscription.Topic.state.rawValue else { return nil }
    return try? JSON.value(StatusReport.State.self, from: news.content)
  }

  private func lose(now: Double) {
    client = nil
    interval = Self.intervals.lowerBound
    nextAttempt = now + interval
  }

  // MARK: - Asking

  /// Carries out what a button stands for.
  func call(_ action: AidAction) {
    switch action {
    case .start: ask(SoundMethods.Start())
    case .unmute: ask(SoundMethods.Unmute())
    }
  }

  /// Tells which earphones there are; nil: that it is not known.
  func tell(_ earphones: StatusReport.Earphones?) {
    if let earphones { ask(EarphoneMethods.Tell(earphones)) } else { ask(EarphoneMethods.Forget()) }
  }

  /// A refusal is logged; a connection that has ended is seen when it is polled.
  private func ask(_ method: some ControlMethod) {
    looksAgain = true
    do throws(Failure) { _ = try client?.ask(method) } catch { log.write(.warning, error.logMessage) }
  }
}
