import Base
import Foundation

/// The system's own mail program, which takes a message and delivers it by the system's rules (sendmail(1), as POSIX systems have had it).
public struct Sendmail: Messenger {
  /// Path of the program.
  let path: String
  /// Longest time that it may take, s.
  let patience: Double

  /// Own choice: a queue takes a message within a second; whoever waits for the next question is not kept for longer.
  public static let patience = 10.0

  /// - Parameter patience: s; a program that takes longer is ended, and the message counts as not delivered.
  public init(_ path: String = "/usr/sbin/sendmail", patience: Double = Self.patience) {
    (self.path, self.patience) = (path, patience)
  }

  /// Most bytes of a message (own choice: names and a few sentences).
  private static let longest = 16_384

  public func send(_ message: Message) throws(MessageFailure) {
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw MessageFailure("there is no mail program \(path); install one, such as msmtp-mta")
    }
    // A line break would begin another header.
    guard !message.address.contains(where: \.isNewline), !message.subject.contains(where: \.isNewline)
    else {
      throw MessageFailure("the address or the subject has a line break")
    }
    let text = message.mail
    guard text.utf8.count <= Self.longest else {
      throw MessageFailure(
        "the message is longer than \(Self.longest) bytes: the study's names are too long")
    }
    let status = try Self.run(path, with: Data(text.utf8), patience)
    guard status == 0 else { throw MessageFailure("\(path) ended with \(status)") }
  }

  /// - Returns: The program's status.
  private static func run(
    _ path: String, with text: Data, _ patience: Double
  ) throws(MessageFailure) -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-t", "-i"]
    // A file that has no name, not a pipe: a program that goes without reading raises no SIGPIPE here, and one that reads nothing keeps nobody waiting.
    let unwritten = MessageFailure("the message cannot be written to a temporary file")
    guard let input = tmpfile() else { throw unwritten }
    defer { fclose(input) }
    let written = text.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, input) }
    guard written == text.count, fflush(input) == 0 else { throw unwritten }
    rewind(input)
    process.standardInput = FileHandle(fileDescriptor: fileno(input))
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    do { try process.run() } catch {
      throw MessageFailure("\(path) cannot be started: \(error.localizedDescription)")
    }
    guard ended.wait(timeout: .now() + patience) == .success else {
      // With whatever it has started, where it leads a group of its own; it cannot refuse.
      if getpgid(process.processIdentifier) == process.processIdentifier {
        kill(-process.processIdentifier, SIGKILL)
      }
      kill(process.processIdentifier, SIGKILL)
      throw MessageFailure("\(path) did not end within \(NumberText.exact(patience)) s, and was ended")
    }
    return process.terminationStatus
  }
}
