import Acoustics

/// An audiologist's word that a device is from now on this patient's.
public struct BindingPass: Sendable, Hashable {
  /// Counts up with every card of one clinic key; a device takes each but once.
  public let serial: Int
  public let patient: Patient
  public let issued: Instant
  /// Not to be used from then on; at most ``DeveloperPass/longestValidity`` after issue.
  public let expires: Instant

  /// - Throws: ``PrescriptionError`` naming what does not fit.
  public init(
    serial: Int, patient: Patient, issued: Instant, expires: Instant
  ) throws(PrescriptionError) {
    try DeveloperPass.check(serial, issued, expires)
    self.serial = serial
    self.patient = patient
    self.issued = issued
    self.expires = expires
  }
}

extension BindingPass {
  var subject: JSONValue {
    ["serial": .number(Double(serial)), "patient": PrescriptionBundle.patient(patient)]
  }

  init(_ envelope: ReadEnvelope) throws(CardError) {
    let members = try envelope.subject.members("serial", "patient")
    guard let until = envelope.until else { throw envelope.subject.failure("a pass without exp") }
    let serial = try members("serial").integer(Prescription.serials)
    let patient = try BundleReader.patient(try members("patient"))
    do {
      try self.init(serial: serial, patient: patient, issued: envelope.from, expires: until)
    } catch { throw envelope.subject.failure("\(error)") }
  }
}
