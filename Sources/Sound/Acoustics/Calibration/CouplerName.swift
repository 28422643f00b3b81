/// Name of a coupler as people write it. Two that are equal are surely the same coupler.
///
/// Case and spaces do not count, nor the form of a hyphen or of the 3 in cm³. All other letters do, also within brackets, for IEC 60318-5
/// has two couplers, and IEC 60318-1 another one with each adapter. A standard with one coupler alone names it by its number.
///
/// - Threads: `any`.
public struct CouplerName: Sendable, Hashable {
  /// Couplers by the numbers of the standards that lay down no other one, as ``Transducer`` names them.
  private static let alone = [
    "iec60318-3": "iec60318-3(6cm3)", "iec60318-4": "iec60318-4(occluded-earsimulator)",
  ]

  private let plain: String

  /// - Parameter text: Such as "IEC 60318-4" or "iec 60318-4 (occluded-ear simulator)".
  public init(_ text: String) {
    let folded = text.lowercased().compactMap { letter -> Character? in
      switch letter {
      case "\u{2010}", "\u{2011}", "\u{2013}": "-"
      case "³": "3"
      default: letter.isWhitespace ? nil : letter
      }
    }
    let name = String(folded)
    plain = Self.alone[name] ?? name
  }
}
