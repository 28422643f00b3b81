import Acoustics
import Glibc
import Testing

@testable import Fitting

@Suite("Suggested frequency lowering") struct FrequencyLoweringTests {
  @Test(
    "losses that leave nothing to amplify between 4 and 8 kHz get one that ends above the cutoff and below 6 kHz",
    arguments: [StandardAudiogram.n6, .n7, .s2, .s3])
  func suggested(_ standard: StandardAudiogram) throws {
    let lowering = try #require(FrequencyLowering.suggested(for: standard.audiogram))
    let top = lowering.cutoff * pow(8000 / lowering.cutoff, 1 / lowering.ratio)
    #expect(top < 6000 && top > lowering.cutoff, "\(lowering) → \(top)")
    #expect(lowering.cutoff >= 1500 && lowering.ratio <= 3, "\(lowering)")
  }

  @Test(
    "losses that amplification reaches get none", arguments: [StandardAudiogram.n1, .n2, .n3, .n4, .s1])
  func notNeeded(_ standard: StandardAudiogram) {
    #expect(FrequencyLowering.suggested(for: standard.audiogram) == nil)
  }

  @Test("the steeper loss gets the stronger lowering")
  func ordered() throws {
    let steep = try #require(FrequencyLowering.suggested(for: StandardAudiogram.s2.audiogram))
    let even = try #require(FrequencyLowering.suggested(for: StandardAudiogram.s3.audiogram))
    #expect(steep.ratio > even.ratio || steep.cutoff < even.cutoff)
  }

  @Test("an ear that was not tested, or hears nothing from 1.5 kHz on, gets none")
  func nowhere() throws {
    #expect(FrequencyLowering.suggested(for: try Audiogram(air: [:])) == nil)
    #expect(FrequencyLowering.suggested(for: try Audiogram(air: [500: 60, 1000: 120, 8000: 120])) == nil)
  }
}
