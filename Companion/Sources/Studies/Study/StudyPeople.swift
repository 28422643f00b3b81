/// A person or an office that a study names.
public struct Person: Sendable, Hashable {
  public var name: String
  public var email: String?
  public var phone: String?

  public init(_ name: String, email: String? = nil, phone: String? = nil) {
    (self.name, self.email, self.phone) = (name, email, phone)
  }
}

/// Person who is alerted by an answer that must not wait.
public struct Contact: Sendable, Hashable {
  public var person: Person
  /// Hours within which they answer, as people are told; nil: not stated.
  public var answersWithin: Double?

  public init(_ person: Person, answersWithin: Double?) {
    (self.person, self.answersWithin) = (person, answersWithin)
  }

  /// True when somebody can be reached in a stated time: without that nobody may be asked about self-harm.
  public var isReachable: Bool {
    !person.name.isEmpty && (person.email ?? person.phone) != nil && answersWithin.map { $0 > 0 } ?? false
  }
}
