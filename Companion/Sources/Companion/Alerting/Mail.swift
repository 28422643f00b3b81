import Base
import Foundation

/// A message to somebody who is responsible for a study.
public struct Message: Sendable, Hashable {
  public let address: String
  public let subject: String
  public let text: String

  public init(to address: String, subject: String, text: String) {
    (self.address, self.subject, self.text) = (address, subject, text)
  }
}

/// Something that delivers messages; a test has its own.
public protocol Messenger: Sendable {
  /// - Throws: ``MessageFailure``, where it is not delivered.
  func send(_ message: Message) throws(MessageFailure)
}

/// Reason why a message was not delivered.
public struct MessageFailure: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  public init(_ reason: String) { description = reason }
}

/// The system's own mail program, which takes a message and delivers it by the system's rules (sendmail(1), as POSIX systems have had it).
public struct Sendmail: Messenger {
  /// Path of the program.
  let path: String

  public init(_ path: String = "/usr/sbin/sendmail") { self.path = path }

  public func send(_ message: Message) throws(MessageFailure) {
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw MessageFailure("there is no mail program \(path); install one, such as msmtp-mta")
    }
    // A line break would begin another header.
    guard !message.address.contains(where: \.isNewline), !message.subject.contains(where: \.isNewline)
    else {
      throw MessageFailure("the address or the subject has a line break")
    }
    let text =
      "To: \(message.address)\nSubject: \(message.subject)\nContent-Type: text/plain; charset=utf-8\n\n\(message.text)\n"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-t", "-i"]
    let input = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch {
      throw MessageFailure("\(path) cannot be started: \(error.localizedDescription)")
    }
    // One that ends before it has read says why by its status. Whoever calls ignores SIGPIPE, as the program does.
    var isTaken = true
    do { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) } catch { isTaken = false }
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw MessageFailure("\(path) ended with \(process.terminationStatus)")
    }
    guard isTaken else { throw MessageFailure("\(path) did not take the message") }
  }
}
