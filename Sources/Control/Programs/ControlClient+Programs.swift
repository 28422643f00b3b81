extension ControlClient {
  /// Changes program, volume or tone.
  public func change(_ call: ProgramCall) throws(Failure) -> ProgramAnswer {
    try ask(.program(call), for: ProgramAnswer.self)
  }

  /// What each program changes, and which one is heard.
  public func programs() throws(Failure) -> ProgramsReport {
    try ask(.program(.list), for: ProgramsReport.self)
  }
}
