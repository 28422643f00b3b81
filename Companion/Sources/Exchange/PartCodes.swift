import Studies

/// Codes of somebody's part in data sets: in every one the same for the same part, so that those of two days can be put together, whoever
/// began or left between them.
///
/// Names of parts and responses are in mails and lists of a site's contact, seeds are not: without a part's seed, 64 random bits, nobody finds
/// the code of a name by the name alone.
///
/// Moments and dates of a part find it all the same: a data set has those that lists and mails have.
public struct PartCodes: Sendable, Hashable {
  private let part: String
  private let seed: UInt64

  /// - Parameters:
  ///   - part: Its name in the database.
  ///   - seed: Of what is drawn for the person.
  public init(part: String, seed: UInt64) { (self.part, self.seed) = (part, seed) }

  /// Code of the person. 60 bits of SHA-256: two of a million people have one code with a probability below 10⁻⁶.
  public var person: String { "P" + digits(15, of: "participant", part) }

  /// Code of a response, by its name in the database. 124 bits: of people there are fewer than of responses.
  public func response(_ id: String) -> String { "R" + digits(31, of: "response", id) }

  private func digits(_ count: Int, of kind: String, _ name: String) -> String {
    String(Hash.text(Array("\(kind) \(name) \(seed)".utf8)).prefix(count))
  }
}
