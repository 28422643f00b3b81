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
