extension ControlClient {
  /// Changes the book: loading, choosing, trying, accepting, reverting, enrolling, revoking.
  public func change(_ call: BookCall) throws(Failure) -> BookAnswer {
    try ask(.book(call), for: BookAnswer.self)
  }

  public func book() throws(Failure) -> BookReport { try ask(.book(.list), for: BookReport.self) }

  /// - Parameter number: In the book; nil: the prescription in force.
  public func card(number: Int?) throws(Failure) -> CardReport {
    try ask(.book(.card(number: number)), for: CardReport.self)
  }

  public func clinics() throws(Failure) -> ClinicsReport {
    try ask(.book(.clinics), for: ClinicsReport.self)
  }

  public func audit(count: Int) throws(Failure) -> AuditReport {
    try ask(.book(.audit(count: count)), for: AuditReport.self)
  }

  public func verifyAudit() throws(Failure) -> AuditVerdict {
    try ask(.book(.verifyAudit), for: AuditVerdict.self)
  }
}
