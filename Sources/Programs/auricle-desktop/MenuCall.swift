import Base
import Bus
import Glibc
import Service

/// A choice of the desktop's menu, carried out as a person types it; what it says would be seen by nobody there, so a notification
/// tells why it failed.
///
/// - Threads: main.
struct MenuCall {
  let action: MenuAction
  /// Of the daemon; nil: the usual places.
  let socket: String?

  /// Longest that the command is waited for, s: it waits for a daemon for 10 s, and for its device for 8 s. Own choice. As long a server
  /// may take to answer for a notification that is to be closed.
  private static let patience = 60.0
  /// Most that it writes, bytes. Own choice: some sentences.
  private static let longestAnswer = 1 << 20
  /// Longest that the notification is kept, s: where its sender has gone, some desktops take it away. Own choice.
  private static let longestNotice = 600.0
  /// Longest that the message bus is given to begin to answer, s. Own choice: one that is well does at once.
  private static let longestConnecting = 5.0
  /// Longest time between two looks for a daemon that was not there, s. Own choice: a notice of silence beside sound misleads.
  private static let longestInterval = 1.0

  /// Carries it out, and stays for as long as a notification is shown, where there is one.
  ///
  /// - Returns: Exit status of the command.
  func carryOut() -> ExitStatus {
    let words = [action.rawValue, "--json"] + (socket.map { ["--socket", $0] } ?? [])
    // This file under its other name; it may have been replaced on the disk since.
    let output = ProgramOutput(
      of: "/proc/self/exe", named: "auricle", words, hasErrors: true, limit: Self.longestAnswer,
      patience: Self.patience)
    let status = output.map { Self.status(of: $0.ending) } ?? .temporary
    let late =
      "auricle \(action.rawValue) cannot be run, or has not answered within \(Self.patience.shortText) s."
    let answer = MenuAnswer(output?.bytes ?? [UInt8](late.utf8))
    guard let notice = action.notice(answer, status: status) else { return status }
    StandardError.write(
      "\(DesktopEntry.name): \(notice.body.split(separator: "\n").joined(separator: " "))\n")
    // Its words stand above, and a daemon that does not answer has nothing to add.
    let aid = AidConnection(
      socket: socket, log: MessageLog(threshold: .error), longestInterval: Self.longestInterval)
    show(notice, until: action.isSilent(answer) ? aid : nil)
    return status
  }

  private static func status(of ending: ProcessEnding) -> ExitStatus {
    switch ending {
    case .exit(let status): ExitStatus(rawValue: status) ?? .software
    case .signal: .software
    }
  }

  /// Shows a notice until somebody has closed it, it no longer holds, or its time is over. Where nobody shows it, which needs a message
  /// bus of the session and a server there, this ends at once, and after some seconds where that bus does not answer: the reason stands on
  /// standard error.
  ///
  /// - Parameter aid: Its sound ends the notice; nil: nothing but the person does.
  private func show(_ notice: Notice, until aid: AidConnection?) {
    guard let bus = try? MessageBus(.session) else { return }
    let server = NotificationServer<MenuAction>(bus) { _ in }
    defer { withExtendedLifetime(server) {} }
    server.show(notice, as: action)
    let start = SystemTime.monotonic
    var end: Double { start + (bus.isReady ? Self.longestNotice : Self.longestConnecting) }
    while server.isShown(action), SystemTime.monotonic < end, aid?.isHeard() != true {
      wait(for: bus, aid, until: end)
      guard bus.process() else { return }
    }
    guard bus.isReady else { return }
    server.close(action)
    // One that is still on its way is closed once the server has answered.
    let last = SystemTime.monotonic + Self.patience
    while server.isShown(action), SystemTime.monotonic < last {
      wait(for: bus, nil, until: last)
      guard bus.process() else { return }
    }
  }

  /// Waits until there is something to do, a minute at most.
  private func wait(for bus: MessageBus, _ aid: AidConnection?, until end: Double) {
    var polled: [pollfd] = [bus.descriptor, aid?.descriptor].compactMap(\.self)
    let left = min(end, bus.deadline, aid?.deadline ?? .infinity) - SystemTime.monotonic
    poll(&polled, nfds_t(polled.count), Int32(min(max(left * 1000, 0).rounded(.up), 60_000)))
  }
}

extension AidConnection {
  /// True where the aid has told since the last look that its sound is heard.
  fileprivate func isHeard() -> Bool {
    var polled = descriptor ?? pollfd(fd: -1, events: 0, revents: 0)
    poll(&polled, 1, 0)
    return serve(isReadable: polled.revents != 0, now: SystemTime.monotonic).contains { event in
      guard case .aid(let standing) = event else { return false }
      return standing.sound == .heard
    }
  }
}
