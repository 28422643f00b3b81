public import Acoustics

/// Earphones as they were found when a measurement was to begin: plain values, read and not assumed.
///
/// - Threads: any.
public struct FoundEarphone: Sendable, Hashable, Codable {
  /// Name for people.
  public var name: String
  /// Everything by which the device is told from others: USB or Bluetooth identifiers, name of the ALSA card.
  public var identities: Set<String>
  /// Identifier of the calibration profile in force; nil: none.
  public var profile: String?
  /// Status of that profile's calibration.
  public var calibration: CalibrationStatus
  /// True of a Bluetooth link that is a telephone's: its sound is narrow, compressed and of no fixed level.
  public var isHandsFree: Bool

  /// Without identities every allowance refuses it.
  public init(
    name: String, identities: Set<String>, profile: String?, calibration: CalibrationStatus,
    isHandsFree: Bool
  ) {
    (self.name, self.identities, self.profile) = (name, identities, profile)
    (self.calibration, self.isHandsFree) = (calibration, isHandsFree)
  }
}

/// Earphones with which a protocol may be carried out.
///
/// - Threads: any.
public struct EarphoneAllowance: Sendable, Hashable, Codable {
  /// An earphone that is allowed, with the profile that it is to be played by.
  public struct Earphone: Sendable, Hashable, Codable {
    /// Name for people.
    public var name: String
    /// Any one of these is the earphone.
    public var identities: Set<String>
    /// Identifier of the calibration profile that has to be in force.
    public var profile: String

    /// Without identities no earphone is this one.
    public init(name: String, identities: Set<String>, profile: String) {
      (self.name, self.identities, self.profile) = (name, identities, profile)
    }
  }

  /// Name of the protocol, for people.
  public var name: String
  /// Entries of which a found earphone has to be exactly one.
  public var earphones: [Earphone]
  /// Status that a calibration must have at least.
  public var leastCalibration: CalibrationStatus

  /// Without entries every earphone is refused.
  public init(name: String, earphones: [Earphone], leastCalibration: CalibrationStatus) {
    (self.name, self.earphones, self.leastCalibration) = (name, earphones, leastCalibration)
  }

  /// Reason why an earphone is refused: what was found, and what is allowed.
  public enum Refusal: Error, Sendable, Hashable {
    /// Nothing tells which device it is.
    case unidentified(found: String, allowed: [String])
    case unknown(found: String, allowed: [String])
    /// The link is the hands-free one.
    case handsFree(found: String)
    /// Its identities belong to more than one allowed earphone.
    case ambiguous(found: String, matches: [String])
    /// Another profile is in force, or none.
    case profile(found: String, profile: String?, expected: String)
    case calibration(found: String, status: CalibrationStatus, expected: CalibrationStatus)
  }

  /// Checks earphones as they were found.
  ///
  /// - Returns: The entry that they are.
  /// - Throws: ``Refusal``, the first reason of: hands-free link, identity, profile, calibration.
  public func check(_ found: FoundEarphone) throws(Refusal) -> Earphone {
    guard !found.isHandsFree else { throw .handsFree(found: found.name) }
    let allowed = earphones.map(\.name)
    guard !found.identities.isEmpty else { throw .unidentified(found: found.name, allowed: allowed) }
    let matches = earphones.filter { !$0.identities.isDisjoint(with: found.identities) }
    guard let match = matches.first else { throw .unknown(found: found.name, allowed: allowed) }
    guard matches.count == 1 else {
      throw .ambiguous(found: found.name, matches: matches.map(\.name))
    }
    guard found.profile == match.profile else {
      throw .profile(found: found.name, profile: found.profile, expected: match.profile)
    }
    guard found.calibration >= leastCalibration else {
      throw .calibration(found: found.name, status: found.calibration, expected: leastCalibration)
    }
    return match
  }
}

extension EarphoneAllowance.Refusal: CustomStringConvertible {
  /// The finding, what is allowed, and what to do next, in whole sentences.
  public var description: String {
    switch self {
    case .unidentified(let found, let allowed):
      "\(found) has no identifier by which it could be told from others. \(Self.allowing(allowed))"
    case .unknown(let found, let allowed):
      "\(found) is not an earphone of this protocol. \(Self.allowing(allowed))"
    case .handsFree(let found):
      "\(found) is connected by the hands-free profile, whose sound has no fixed level. Choose its profile "
        + "for music (A2DP), or another microphone, and try again."
    case .ambiguous(let found, let matches):
      "\(found) has the identifiers of \(matches.joined(separator: " and of ")). Correct the protocol's list, so that "
        + "one of them is left."
    case .profile(let found, nil, let expected):
      "\(found) plays without a calibration profile; this protocol needs \"\(expected)\". Choose that, and try again."
    case .profile(let found, let profile?, let expected):
      "\(found) plays by the calibration profile \"\(profile)\"; this protocol needs \"\(expected)\". Choose that, and "
        + "try again."
    case .calibration(let found, let status, let expected):
      "The calibration of \(found) is \(Self.name(status)); this protocol needs one that is \(Self.name(expected)). "
        + "Calibrate it with auricle calibrate."
    }
  }

  private static func allowing(_ names: [String]) -> String {
    names.isEmpty
      ? "The protocol allows none: complete its list."
      : "Connect one of: \(names.joined(separator: ", "))."
  }

  private static func name(_ status: CalibrationStatus) -> String {
    switch status {
    case .none: "missing"
    case .provisional: "provisional"
    case .verified: "verified"
    }
  }
}
