extension Transducer {
  /// Way in which a transducer sits at the ear, on which depends how much of the room reaches that ear, and how much of its sound
  /// the other one.
  public enum Fit: Sendable, Hashable {
    /// In the ear canal, which it closes.
    case insert
    /// On or around the ear.
    case supraAural
    /// In the ear without closing it, or nobody has stated how.
    case loose
    /// Away from the ear.
    case soundField
  }

  /// By ``identifier``; ``Fit/loose`` of one that belongs to no family listed here.
  public var fit: Fit {
    switch identifier {
    case "free-field", "diffuse-field": .soundField
    case "supra-aural": .supraAural
    case let name where name.hasPrefix("er"): .insert
    case let name where name.hasPrefix("tdh") || name.hasPrefix("hda") || name.hasPrefix("dt"): .supraAural
    default: .loose
    }
  }
}
