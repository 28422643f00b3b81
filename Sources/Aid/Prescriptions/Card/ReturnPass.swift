import Base

/// Permission to make a clinic's device its owner's again, signed by that clinic.
///
/// It is for one hand-over of one device, which its number names: a device that is handed over once more has another.
package struct ReturnPass: Sendable, Hashable {
  /// Counts up with every card of one clinic key; a device takes each but once.
  package let serial: Int
  package let device: DeviceNumber
  package let issued: Instant
  /// Not to be used from then on; at most ``DeveloperPass/longestValidity`` after issue.
  package let expires: Instant

  /// - Throws: ``PrescriptionError`` naming what does not fit.
  package init(
    serial: Int, device: DeviceNumber, issued: Instant, expires: Instant
  ) throws(PrescriptionError) {
    try DeveloperPass.check(serial, issued, expires)
    (self.serial, self.device) = (serial, device)
    (self.issued, self.expires) = (issued, expires)
  }
}

extension ReturnPass {
  var subject: JSONValue {
    ["serial": .number(Double(serial)), "device": .text(device.text)]
  }

  init(_ envelope: Envelope) throws(PrescriptionError) {
    let members = try envelope.subject.members("serial", "device")
    guard let until = envelope.until else { throw members.failure("a pass without exp") }
    let place = try members("device")
    // In its one form: a content has one text.
    guard let device = DeviceNumber(try place.text()), device.text == (try place.text()) else {
      throw place.failure("expected \(DeviceNumber.words)")
    }
    self = try members.making {
      try Self(
        serial: members("serial").integer(Prescription.serials), device: device, issued: envelope.from,
        expires: until)
    }
  }
}

/// Number of one hand-over of a device to a clinic, drawn by lot: `4F7A-22C1-9B03-E512`.
///
/// People read it aloud and type it, so it has no letter beyond F; two devices have the same once in 2⁶⁴.
package struct DeviceNumber: Sendable, Hashable, CustomStringConvertible {
  static let words = "four groups of four hexadecimal digits with hyphens between them"

  private let number: UInt64

  /// A new one.
  package static var drawn: DeviceNumber { DeviceNumber(number: .random(in: 1...(.max))) }

  private init(number: UInt64) { self.number = number }

  /// As a person types it: in either case, with spaces, hyphens or nothing between the groups. Nil for anything else.
  package init?(_ text: String) {
    let digits = text.filter { !" -".contains($0) }
    guard digits.utf8.count == 16, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
      let number = UInt64(digits, radix: 16)
    else { return nil }
    self.number = number
  }

  package var text: String {
    stride(from: 48, through: 0, by: -16).map { shift in
      let group = String(number >> UInt64(shift) & 0xFFFF, radix: 16, uppercase: true)
      return String(repeating: "0", count: 4 - group.count) + group
    }.joined(separator: "-")
  }

  package var description: String { text }
}
