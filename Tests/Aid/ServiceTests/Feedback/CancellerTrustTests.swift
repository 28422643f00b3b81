import Testing

@testable import Service

@Suite("Trust in an ear's canceller") struct CancellerTrustTests {
  /// Time after a mishap at a moment until trust is given again, s.
  private func pause(_ trust: inout CancellerTrust, mishap number: Int64, at moment: Double) -> Double {
    #expect(trust.look(mishaps: number, now: moment) && !trust.isGiven)
    var now = moment
    while !trust.isGiven {
      now += 1
      _ = trust.look(mishaps: number, now: now)
    }
    return now - moment
  }

  @Test(
    "each further pause is twice as long, up to an hour; after an hour without mishaps it is the first again"
  )
  func pauses() {
    var (trust, now) = (CancellerTrust(), 0.0)
    for (index, expected) in [300.0, 600, 1200, 2400, 3600, 3600].enumerated() {
      now += 1
      let found = pause(&trust, mishap: Int64(index + 1), at: now)
      #expect(found == expected)
      now += found
    }
    #expect(pause(&trust, mishap: 7, at: now + 3600) == 300)
  }
}
