import Base
import Testing

@Suite("Seeded numbers") struct SeededNumbersTests {
  /// The reference implementation's first numbers (Vigna, splitmix64.c; the first seed's are quoted by Rosetta Code, from memory).
  @Test(
    "the numbers are those of SplitMix64",
    arguments: [
      (1_234_567, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]),
      (0, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]),
    ] as [(UInt64, [UInt64])])
  func reference(seed: UInt64, numbers: [UInt64]) {
    var random = SeededNumbers(seed: seed)
    #expect(numbers.map { _ in random.next() } == numbers)
  }
}
