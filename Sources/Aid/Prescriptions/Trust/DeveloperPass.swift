import Base

/// Leave to open a device's debug mode for a stated time.
package struct DeveloperPass: Sendable, Hashable {
  /// Times accepted, s: one minute to eight hours.
  package static let durations = 60...8 * 3600
  /// Longest time between issue and last use, s: 30 days.
  package static let longestValidity = 30 * 86_400

  /// Counts up with every card of one clinic key; a device takes each but once.
  package let serial: Int
  /// Whom it is for.
  package let holder: String
  package let issued: Instant
  /// Not to be used from then on.
  package let expires: Instant
  /// How long debug mode stays open after use, s.
  package let duration: Int

  /// - Throws: ``PrescriptionError`` naming what does not fit.
  package init(
    serial: Int, holder: String, issued: Instant, expires: Instant, duration: Int
  ) throws(PrescriptionError) {
    try Self.check(serial, issued, expires)
    guard Self.durations.contains(duration) else { throw .durationOutOfRange(duration) }
    self.serial = serial
    self.holder = try PlainText.checked(holder, field: "holder of the pass")
    self.issued = issued
    self.expires = expires
    self.duration = duration
  }

  /// What both kinds of pass must keep to.
  static func check(_ serial: Int, _ issued: Instant, _ expires: Instant) throws(PrescriptionError) {
    guard Prescription.serials.contains(serial) else { throw .serialOutOfRange(serial) }
    guard Instant.writable.contains(issued) else { throw .momentOutOfRange("issue") }
    guard Instant.writable.contains(expires) else { throw .momentOutOfRange("expiry") }
    guard issued < expires else { throw .expiresBeforeIssue }
    guard expires - issued <= longestValidity else { throw .passTooLong }
  }
}

extension DeveloperPass {
  var subject: JSONValue {
    [
      "serial": .number(Double(serial)), "holder": .text(holder), "duration": .number(Double(duration)),
    ]
  }

  init(_ envelope: ReadEnvelope) throws(CardError) {
    let members = try envelope.subject.members("serial", "holder", "duration")
    guard let until = envelope.until else { throw envelope.subject.failure("a pass without exp") }
    let serial = try members("serial").integer(Prescription.serials)
    let duration = try members("duration").integer(Self.durations)
    let holder = try members("holder").text()
    do {
      try self.init(
        serial: serial, holder: holder, issued: envelope.from, expires: until, duration: duration)
    } catch { throw envelope.subject.failure("\(error)") }
  }
}
