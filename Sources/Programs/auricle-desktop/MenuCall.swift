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

  /// Longest that the command is waited for, s: it waits for a daemon for 10 s, and for its device for 8 s. Own choice.
  private static let patience = 60.0
  /// Most that it writes, bytes. Own choice: some sentences.
  private static let longestAnswer = 1 << 20
  /// Longest that the notification is kept, s: where its sender has gone, some desktops take it away. Own choice.
  private static let longestNotice = 600.0

  /// Carries it out, and stays until the person has closed the notification, where there is one.
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
    show(notice)
    return status
  }

  private static func status(of ending: ProcessEnding) -> ExitStatus {
    switch ending {
    case .exit(let status): ExitStatus(rawValue: status) ?? .software
    case .signal: .software
    }
  }

  /// Shows a notice until it is closed; nothing without a message bus of the session, as the reason stands on standard error.
  private func show(_ notice: Notice) {
    guard let bus = try? MessageBus(.session) else { return }
    var isClosed = false
    let server = NotificationServer<MenuAction>(bus) { news in
      if case .dismissed = news { isClosed = true }
    }
    defer { withExtendedLifetime(server) {} }
    server.show(notice, as: action)
    let end = SystemTime.monotonic + Self.longestNotice
    while !isClosed, SystemTime.monotonic < end {
      var polled = [bus.descriptor]
      let left = min(end, bus.deadline) - SystemTime.monotonic
      poll(&polled, 1, Int32(min(max(left * 1000, 0).rounded(.up), 60_000)))
      guard bus.process() else { return }
    }
  }
}
