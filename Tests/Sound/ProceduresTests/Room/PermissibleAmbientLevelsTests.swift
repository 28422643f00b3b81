import Acoustics
import Testing

@testable import Procedures

@Suite("Permissible ambient levels") struct PermissibleAmbientLevelsTests {
  private static let centres = [125.0, 250, 500, 1000, 2000, 4000, 8000]

  /// A room of these octave-band levels before a microphone of that noise in every band, dB SPL.
  private func room(_ levels: [Double], noise: Double = -20) -> PermissibleAmbientLevels.Room {
    PermissibleAmbientLevels.Room(
      levels: Dictionary(uniqueKeysWithValues: zip(Self.centres, levels.map { SoundPressureLevel($0) })),
      microphoneNoise: Dictionary(
        uniqueKeysWithValues: Self.centres.map { ($0, SoundPressureLevel(noise)) }))
  }

  /// ANSI S3.1-1999: uncovered ears by TabSINT (docs/sources.md), the others from memory.
  @Test(
    "the limits of each cover are those of the table",
    arguments: [
      (PermissibleAmbientLevels.Cover.uncovered, [35.0, 21, 16, 13, 14, 11, 14]),
      (.supraAural, [39, 25, 21, 26, 34, 37, 37]), (.insert, [59, 53, 50, 47, 49, 50, 56]),
    ])
  func limits(cover: PermissibleAmbientLevels.Cover, levels: [Double]) {
    let permissible = PermissibleAmbientLevels(cover)
    #expect(Self.centres.compactMap { permissible.limit(ofBand: $0)?.decibels } == levels)
    #expect(permissible.limit(ofBand: 1500) == nil && permissible.limit(ofBand: .nan) == nil)
  }

  /// The supra-aural row is the uncovered one and the mean attenuation 4, 5, 13, 20, 26, 23 dB from 250 Hz on (from
  /// memory).
  @Test("an earphone's attenuation raises the limits of uncovered ears; a band that it lacks is not raised")
  func attenuation() {
    let bands = [250.0: 4.0, 500: 5, 1000: 13, 2000: 20, 4000: 26, 8000: 23]
    let measured = PermissibleAmbientLevels(.attenuation(bands))
    for centre in Self.centres.dropFirst() {
      #expect(
        measured.limit(ofBand: centre) == PermissibleAmbientLevels(.supraAural).limit(ofBand: centre))
    }
    #expect(measured.limit(ofBand: 125) == SoundPressureLevel(35))
    // Nothing makes a room louder on its way to the ear.
    #expect(
      PermissibleAmbientLevels(.attenuation([1000: -9])).limit(ofBand: 1000) == SoundPressureLevel(13))
  }

  @Test("testing only down to X dB HL raises every limit by X")
  func raised() {
    for lowest in [-10.0, 0, 15, 30] {
      #expect(
        PermissibleAmbientLevels(.supraAural).limit(ofBand: 500, testingDownTo: HearingLevel(lowest))
          == SoundPressureLevel(21 + lowest))
    }
  }

  @Test(
    "a room as loud as the limits is valid down to 0 dB HL, one louder by 12 dB down to 12, at 125 Hz 4 dB less"
  )
  func valid() {
    let permissible = PermissibleAmbientLevels(.supraAural)
    let limits = [39.0, 25, 21, 26, 34, 37, 37]
    for offset in [0.0, 12] {
      let room = room(limits.map { $0 + offset })
      for centre in Self.centres {
        // The limit of tests with tones of 125 Hz is 35 dB SPL, that of the others 39.
        let lowest = HearingLevel(offset + (centre == 125 ? 4 : 0))
        #expect(permissible.verdict(at: centre, in: room) == .valid(downTo: lowest))
        #expect(permissible.permits(centre, downTo: lowest, in: room))
        #expect(!permissible.permits(centre, downTo: lowest - 1, in: room))
      }
    }
    // No audiometer goes below −10 dB HL.
    #expect(
      permissible.verdict(at: 4000, in: room(limits.map { $0 - 25 }, noise: -40))
        == .valid(downTo: HearingLevel(-10)))
  }

  /// ANSI S3.1-1999, tests from 125 Hz, from memory; 29 dB and an attenuation of 5 are 34.
  @Test(
    "tones below 250 Hz need a softer band about 125 Hz and no other; inserts have that limit anyway",
    arguments: [
      (PermissibleAmbientLevels.Cover.uncovered, 29.0), (.supraAural, 35), (.insert, 59),
      (.attenuation([125: 5]), 34),
    ])
  func lowTones(cover: PermissibleAmbientLevels.Cover, level: Double) {
    let permissible = PermissibleAmbientLevels(cover)
    #expect(permissible.limit(ofBand: 125, tonesFrom: 125) == SoundPressureLevel(level))
    for centre in Self.centres.dropFirst() {
      #expect(permissible.limit(ofBand: centre, tonesFrom: 125) == permissible.limit(ofBand: centre))
    }
    let others = Self.centres.dropFirst().compactMap { permissible.limit(ofBand: $0)?.decibels }
    let loud = room([level + 3] + others)
    for (tone, lowest) in [(125.0, 3.0), (160, 3), (250, 0)] {
      #expect(permissible.verdict(at: tone, in: loud) == .valid(downTo: HearingLevel(lowest)), "\(tone) Hz")
    }
  }

  @Test("what the microphone's own noise hides cannot be verified, and that level is told")
  func unverifiable() {
    let permissible = PermissibleAmbientLevels(.uncovered)
    // 20 dB SPL at 1 kHz over 13: 7 dB HL; 2.9 dB above the microphone's noise is not the room's alone.
    let hidden = room([40, 30, 25, 20, 20, 20, 20], noise: 17.1)
    #expect(permissible.verdict(at: 1000, in: hidden) == .unverifiable(below: HearingLevel(7)))
    let heard = room([40, 30, 25, 20, 20, 20, 20], noise: 17)
    #expect(permissible.verdict(at: 1000, in: heard) == .valid(downTo: HearingLevel(7)))
    var silent = heard
    silent.microphoneNoise[1000] = nil
    #expect(permissible.verdict(at: 1000, in: silent) == .unverifiable(below: HearingLevel(7)))
  }

  @Test(
    "between two bands the worse one counts; outside of the table, and without a measurement, nothing is said"
  )
  func between() {
    let permissible = PermissibleAmbientLevels(.uncovered)
    var room = room([35, 21, 16, 13, 24, 11, 14])
    #expect(permissible.verdict(at: 1500, in: room) == .valid(downTo: HearingLevel(10)))
    #expect(permissible.verdict(at: 3000, in: room) == .valid(downTo: HearingLevel(10)))
    #expect(permissible.verdict(at: 750, in: room) == .valid(downTo: HearingLevel(0)))
    room.microphoneNoise[500] = SoundPressureLevel(15)
    #expect(permissible.verdict(at: 750, in: room) == .unverifiable(below: HearingLevel(0)))
    room.levels[4000] = nil
    room.levels[8000] = SoundPressureLevel(.nan)
    for frequency in [3000.0, 4000, 6000, 8000, 100, 12_500, .nan] {
      #expect(permissible.verdict(at: frequency, in: room) == .unknown)
      #expect(!permissible.permits(frequency, downTo: HearingLevel(90), in: room))
    }
  }

  @Test("figures from memory are provisional")
  func status() {
    #expect(PermissibleAmbientLevels(.uncovered).status == .verified)
    for cover in [PermissibleAmbientLevels.Cover.supraAural, .insert, .attenuation([:])] {
      #expect(PermissibleAmbientLevels(cover).status == .provisional)
    }
  }
}
