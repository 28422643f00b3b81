import Base

/// Permission to open a device's debug mode for a stated time.
package struct DeveloperPass: Sendable, Hashable {
  /// Times accepted, s: one minute to eight hours.
  package static let durations = 60...8 * 3600
  /// Longest time between issue and last use, s: 30 days.
  package static let longestValidity = 30 * 86_400

  /// Counts up with every card of one clinic key; a device takes each but once.
  package let serial: Int
  /// Name of the person it is for.
  package let holder: String
  package let issued: Instant
  /// Not to be used from then on.
  package let expires: Instant
  /// Time for which debug mode stays open after use, s.
  package let duration: Int

  /// - Throws: ``PrescriptionError`` naming what does not fit.
  package init(
    serial: Int, holder: String, issued: Instant, expires: Instant, duration: Int
  ) throws(PrescriptionError) {
    try Self.check(serial, issued, expires)
    guard Self.durations.contains(duration) else {
      throw .unusable(field: "debug mode for \(duration) s", reason: "expected 60 to 28800 s")
    }
    self.holder = try PlainText.checked(holder, field: "holder of the pass")
    (self.serial, self.duration) = (serial, duration)
    (self.issued, self.expires) = (issued, expires)
  }

  /// Checks common to all kinds of pass.
  static func check(_ serial: Int, _ issued: Instant, _ expires: Instant) throws(PrescriptionError) {
    try Prescription.check(serial, issued: issued, expires: expires)
    guard expires - issued <= longestValidity else {
      throw .unusable(field: "pass", reason: "expected an expiry within 30 days after the issue")
    }
  }
}

extension DeveloperPass {
  /// `60 min`; in seconds where it is no whole number of minutes: `119 s`.
  package var durationWords: String { duration % 60 == 0 ? "\(duration / 60) min" : "\(duration) s" }

  var subject: JSONValue {
    ["serial": .number(Double(serial)), "holder": .text(holder), "duration": .number(Double(duration))]
  }

  init(_ envelope: Envelope) throws(PrescriptionError) {
    let members = try envelope.subject.members("serial", "holder", "duration")
    guard let until = envelope.until else { throw members.failure("a pass without exp") }
    self = try members.making {
      try Self(
        serial: members("serial").integer(Prescription.serials), holder: members("holder").text(),
        issued: envelope.from, expires: until, duration: members("duration").integer(Self.durations))
    }
  }
}

/// Permission to bind a device to another patient, signed by an audiologist.
package struct BindingPass: Sendable, Hashable {
  /// Counts up with every card of one clinic key; a device takes each but once.
  package let serial: Int
  package let patient: Patient
  package let issued: Instant
  /// Not to be used from then on; at most ``DeveloperPass/longestValidity`` after issue.
  package let expires: Instant

  /// - Throws: ``PrescriptionError`` naming what does not fit.
  package init(serial: Int, patient: Patient, issued: Instant, expires: Instant) throws(PrescriptionError) {
    try DeveloperPass.check(serial, issued, expires)
    (self.serial, self.patient) = (serial, patient)
    (self.issued, self.expires) = (issued, expires)
  }
}

extension BindingPass {
  var subject: JSONValue {
    ["serial": .number(Double(serial)), "patient": PrescriptionBundle.patient(patient)]
  }

  /// - Parameter clinic: Name of the clinic whose key signed.
  init(_ envelope: Envelope, clinic: String) throws(PrescriptionError) {
    let members = try envelope.subject.members("serial", "patient")
    guard let until = envelope.until else { throw members.failure("a pass without exp") }
    self = try members.making {
      try Self(
        serial: members("serial").integer(Prescription.serials),
        patient: BundleReader.patient(try members("patient"), of: clinic), issued: envelope.from,
        expires: until)
    }
  }
}
