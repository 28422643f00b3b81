import Acoustics
import Testing

@testable import Procedures

@Suite("Masking and residual inhibition") struct MaskingTests {
  private func range(threshold: Double = 20, limit: Double = 111) throws -> MatchRange {
    try #require(
      MatchRange(
        threshold: HearingLevel(threshold), reference: SoundPressureLevel(10),
        limit: SoundPressureLevel(limit)))
  }

  @Test(
    "the noise rises from its threshold, and the level at which the tinnitus vanishes comes back within a step"
  )
  func level() throws {
    for masking in stride(from: 21.0, through: 60, by: 0.5) {
      var search = MaskingLevelSearch(try range())
      #expect(search.next == HearingLevel(20))
      while let level = search.next { search.answer(isTinnitusHeard: level.decibels < masking) }
      let found = try #require(search.level)
      #expect(found.decibels >= masking && found.decibels - masking < 2)
      #expect(search.sensationLevel == SensationLevel(found - HearingLevel(20)))
    }
  }

  @Test(
    "a tinnitus that no permitted noise masks has no masking level, and no noise is louder than permitted")
  func unmasked() throws {
    let range = try range(limit: 60)
    var search = MaskingLevelSearch(range)
    while let level = search.next {
      #expect(level <= range.ceiling)
      search.answer(isTinnitusHeard: true)
    }
    #expect(search.level == nil && search.unmasked == 3)
  }

  @Test(
    "a rise without masking counts as above every level: of three one leaves the higher of the others, and two leave no level",
    arguments: [([50, 62, .infinity], 62), ([50, .infinity, 62], 62), ([50, .infinity, .infinity], nil)]
      as [([Double], Double?)])
  func partlyUnmasked(levels: [Double], expected: Double?) throws {
    // From 20 dB HL in steps of 2 dB, later from 6 dB below the last end in steps of 1 dB, and to 75 dB HL at most.
    var search = MaskingLevelSearch(try range())
    while let level = search.next {
      let masking = levels[search.ends.count + search.unmasked]
      search.answer(isTinnitusHeard: level.decibels < masking)
    }
    #expect(search.ends == levels.filter(\.isFinite))
    #expect(search.level == expected.map { HearingLevel($0) })
    #expect(search.sensationLevel == expected.map { SensationLevel($0 - 20) })
  }

  @Test(
    "a level is an upper bound where a rise that ended there or above did so at its first noise",
    arguments: [
      // From the threshold of 20 dB HL; the second and third rise from 6 dB below the last end.
      ([20, 20, 20], 20, true), ([50, 62, 60], 60, false),
      // At 44 dB HL at once, then from 38.
      ([50, 40, 62], 50, false), ([50, 40, 39], 44, true), ([20, 30, 40], 30, false),
      ([20, 20, .infinity], 20, true), ([20, .infinity, .infinity], nil, false),
    ] as [([Double], Double?, Bool)])
  func upperBound(levels: [Double], expected: Double?, isOrBelow: Bool) throws {
    var search = MaskingLevelSearch(try range())
    while let level = search.next {
      let masking = levels[search.ends.count + search.unmasked]
      search.answer(isTinnitusHeard: level.decibels < masking)
    }
    #expect(search.level == expected.map { HearingLevel($0) })
    #expect(search.isLevelOrBelow == isOrBelow)
  }

  @Test(
    "the course of the tinnitus after the noise is told by its kind and its time",
    arguments: [
      ([0.0, 20, 60, 100, 100], ResidualInhibition.Kind.complete, 30.0),
      ([70, 90, 100, 100], .partial, 20),
      // As usual at once, but only for a moment: it is so again 20 s after the noise.
      ([100, 40, 96, 97], .partial, 20),
      ([100, 100], .none, 0), ([120, 110, 100], .rebound, 0),
    ])
  func course(ratings: [Double], kind: ResidualInhibition.Kind, recovery: Double) throws {
    var course = ResidualInhibition(masking: HearingLevel(40), range: try range())
    #expect(course.next == .noise(HearingLevel(50), seconds: 60) && !course.isHeldBack)
    let early = course.rate(50, at: 0)
    #expect(!early)
    course.noiseEnded()
    for rating in ratings {
      guard case .ask(let time) = course.next else { break }
      let isTaken = course.rate(rating, at: time)
      #expect(isTaken)
    }
    #expect(course.next == .finished && course.kind == kind && course.recovery == recovery)
  }

  @Test("the noise is held to what may sound, which is told; questions end after five minutes")
  func limits() throws {
    var course = ResidualInhibition(masking: HearingLevel(70), range: try range())
    #expect(course.level == HearingLevel(75) && course.isHeldBack)
    course.noiseEnded()
    var count = 0
    while case .ask(let time) = course.next {
      let isRefused = !course.rate(.nan, at: time) && !course.rate(201, at: time)
      #expect(isRefused)
      _ = course.rate(10, at: time)
      count += 1
    }
    #expect(count == 31 && course.kind == .partial && course.recovery == nil)
  }
}
