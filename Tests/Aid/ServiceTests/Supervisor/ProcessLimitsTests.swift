import Testing

@testable import Service

@Suite struct ProcessLimitsTests {
  @Test("the soft limit of open files is raised to the kernel's default within the hard one, never lowered")
  func raised() {
    #expect(ProcessLimits.raised(soft: 16, hard: 4096) == 1024)
    #expect(ProcessLimits.raised(soft: 16, hard: 32) == 32)
    #expect(ProcessLimits.raised(soft: 2048, hard: 4096) == 2048)
  }

  @Test("what is too little is told with the limit, what it takes and how to raise it")
  func messages() {
    #expect(
      ProcessLimits.tooFewFiles(32).message
        == "auricled: found a limit of 32 open files, expected at least 192. "
        + "Raise it: ulimit -n, or LimitNOFILE= in the service's unit.")
    #expect(
      ProcessLimits.tooLittleAddressSpace(200 << 20).message
        == "auricled: found a limit of 200 MiB of address space, expected at least 1024 MiB. "
        + "Raise it: ulimit -v, or LimitAS= in the service's unit.")
  }
}
