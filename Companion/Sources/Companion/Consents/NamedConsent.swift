import Base
import Studies

/// Agreement of a script, which names what it agrees to: the text by its hash, and each kind of data. No option agrees to whatever comes.
public struct NamedConsent: Sendable, Hashable {
  /// SHA-256 of the text, or its beginning.
  public let text: String
  /// ``DataType/id`` of each kind that is given.
  public let kinds: [String]

  public init(text: String, giving kinds: [String]) { (self.text, self.kinds) = (text, kinds) }

  /// - Throws: ``Failure`` where the text is another, and where the kinds make no consent.
  public func agreement(to form: ConsentForm) throws(Failure) -> Agreement {
    guard form.isNamed(by: text) else {
      throw Failure(
        "--agree", found: "\"\(text)\"",
        expected:
          "\(form.sha256.prefix(ConsentForm.shortestName)) or more of the SHA-256 of the text in \(form.language)",
        remedy: "Read the text first: auricle study consent --of STUDY", exit: .usage)
    }
    do throws(ConsentRefusal) { return try form.agreement(giving: Set(kinds)) } catch {
      throw Failure(
        "--give", inWords: "\(error)", remedy: "See: auricle study consent --of STUDY", exit: .usage)
    }
  }
}
