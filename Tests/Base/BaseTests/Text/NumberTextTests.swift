import Testing

@testable import Base

@Suite("Numbers as text") struct NumberTextTests {
  @Test("what rounds to zero has no sign, whichever way it is written")
  func zero() {
    for value in [-0.0, 0, -0.001, 0.001, -0.004] {
      #expect(value.shortText == "0" && value.readText == "0", "\(value)")
      #expect(NumberText.fixed(value, 1) == "0.0" && NumberText.fixed(value, 0) == "0", "\(value)")
    }
    #expect((-0.4).rounded().shortText == "0" && NumberText.exact(-0.0) == "0")
    #expect(NumberText.signed(-0.001) == "0")
  }

  @Test("a longest time is told as the next whole minute, or second of less than one")
  func longestTime() {
    for (seconds, text) in [
      (600, "10 min"), (599.75, "10 min"), (540.5, "10 min"), (540, "9 min"), (59.5, "1 min"),
      (30.2, "31 s"), (1, "1 s"),
      (3599.5, "1 h 0 min"),
    ] as [(Double, String)] {
      #expect(NumberText.longestDuration(seconds) == text)
    }
  }

  @Test(
    "numbers have at most two decimals and none that are zero; what is read has a minus sign, what is typed a hyphen"
  )
  func short() {
    for (value, typed, read) in [
      (1000, "1000", "1000"), (62.5, "62.5", "62.5"), (-3.25, "-3.25", "−3.25"), (-0.005, "-0.01", "−0.01"),
      (-10, "-10", "−10"), (16.666, "16.67", "16.67"),
    ] as [(Double, String, String)] {
      #expect(value.shortText == typed && value.readText == read)
    }
    // Beyond what a double has hundredths of.
    #expect(1e300.shortText == "1e+300" && Double.infinity.shortText == "inf")
  }
}
