import PrescriptionsTesting
import Testing

@Suite("Hostile payloads") struct HostilePayloadTests {
  /// The million, and how long each takes: `card-fuzz`, see docs/card.md.
  @Test("of fifteen thousand noisy and changed payloads at every layer none crashes or is misread")
  func fuzz() throws {
    let trial = try HostileTrial()
    let payloads = try HostilePayloads(trial, seed: 2)
    var tally = HostileTally()
    tally.run(trial, payloads, 0..<15_000)
    #expect(tally.faults.isEmpty, "\(tally.faults.prefix(3))")
    // Nearly all are refused, and by many reasons: the layers behind the signature are reached.
    for name in [
      "notACard", "malformed", "bomb", "unsupportedAlgorithm", "invalidContent", "badSignature",
    ] {
      #expect(tally.total(name) > 0, "\(name)")
    }
    #expect(tally.total("accepted") < 1_500)
  }

  @Test("good payloads are accepted: the trial would notice a reader that refuses everything")
  func good() throws {
    let trial = try HostileTrial()
    let payloads = try HostilePayloads(trial, seed: 2026)
    for (layer, bytes) in payloads.good where layer == .bundle || layer == .audiogram {
      #expect(trial.outcome(layer, bytes) == .accepted)
    }
  }
}
