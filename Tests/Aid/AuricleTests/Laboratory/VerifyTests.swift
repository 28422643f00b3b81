import Laboratory
import Testing

@testable import AuricleCommands
@testable import Service

@Suite("auricle verify") struct VerifyTests {
  @Test(
    "of an aid that runs the delay counts as measured, otherwise as its devices tell it, less the chain's part"
  )
  func surroundings() {
    func latency(_ told: Double?, _ chain: Double?, _ measured: Double? = nil) -> StatusReport.Latency {
      StatusReport.Latency(
        loopSeconds: told, chainSeconds: chain,
        measured: measured.map { .init(loopSeconds: $0, measuredUnixSeconds: 1) })
    }
    // Binary fractions, whose differences are exact.
    #expect(Subject.Surroundings(latency(0.25, 0.0625)) == .running(told: 0.1875))
    #expect(Subject.Surroundings(latency(0.25, 0.0625, 0.5)) == .measured(0.4375))
    #expect(Subject.Surroundings(latency(nil, 0.0625)) == .running(told: nil))
    #expect(Subject.Surroundings(nil) == .running(told: nil))
    // Told without a role: nobody knows how much of it is the chain's.
    #expect(Subject.Surroundings(latency(0.25, nil, 0.5)) == .running(told: nil))
    #expect(Subject.Surroundings(latency(0.03125, 0.0625)) == .running(told: 0))
  }
}
