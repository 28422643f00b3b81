import Acoustics
import CommonTesting
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Tinnitus sound") struct TinnitusSoundTests {
  static func ear(
    _ sound: TinnitusSound?, gain: Double = 0, outputAtFullScale: [Double]? = nil
  ) throws -> EarFitting {
    var ear = ChainRig.ear(try ChainRig.flat(gain))
    ear.tinnitusSound = sound
    if let outputAtFullScale { ear.outputAtFullScale = outputAtFullScale.map { SoundPressureLevel($0) } }
    return ear
  }

  static func sound(_ shape: TinnitusSound.Shape, _ level: Double) throws -> TinnitusSound {
    try TinnitusSound(shape: shape, level: SoundPressureLevel(level))
  }

  /// What the left ear hears in silence, once the sound has risen.
  static func heard(
    _ ear: EarFitting, seconds: Double = 8, rate: Double = 44_100
  ) throws -> [Float] {
    var rig = try ChainRig(Binaural(both: ear), sampleRate: rate)
    let count = rig.count(seconds + 0.3)
    return Array(rig.run(Signal.silence(count)).left.suffix(rig.count(seconds)))
  }

  static let shapes: [TinnitusSound.Shape] = [
    .broadband, .band(pitch: 4000, width: 0.25), .band(pitch: 125, width: 0.5),
    .band(pitch: 16_000, width: 2),
    .notched(pitch: 4000, width: 1), .notched(pitch: 250, width: 0.25), .notched(pitch: 12_000, width: 2),
  ]

  @Test(
    "its level at the ear is the one asked for, within 1 dB, at every rate", arguments: cases(shapes),
    [30.0, 70])
  func level(_ shape: TinnitusSound.Shape, level: Double) throws {
    for rate in [44_100.0, 96_000] {
      let ear = try Self.ear(try Self.sound(shape, level))
      let found = Measure.level(of: try Self.heard(ear, rate: rate)[...])
      #expect(abs(found - level) < 1, "\(rate) Hz: \(found)")
    }
  }

  @Test("where more is assumed of the earphone, its level goes by the earphone's own calibration")
  func ownCalibration() throws {
    var ear = try Self.ear(try Self.sound(.broadband, 40))
    ear.calibratedAtFullScale = ear.outputAtFullScale.map { _ in SoundPressureLevel(100) }
    // 60 dB below full scale, which the rig reads as 120 dB SPL.
    let found = Measure.level(of: try Self.heard(ear)[...])
    #expect(abs(found - 60) < 1, "\(found)")
  }

  @Test(
    "at the ear it is pink in every third octave, within 1 dB, also through an uneven earphone",
    arguments: [0.0, 12])
  func pink(unevenness: Double) throws {
    // A full scale that falls by some dB per octave above 1 kHz and rises below.
    func fullScale(_ f: Double) -> Double { 118 - unevenness * log2(f / 1000) / 2 }
    let ear = try Self.ear(
      try Self.sound(.broadband, 65), outputAtFullScale: BandLayout.standard.centres.map(fullScale))
    let spectrum = PowerSpectrum(try Self.heard(ear, seconds: 20))
    // 7.3 octaves between 100 Hz and 16 kHz share the power alike.
    let share = 65 - 10 * log10(3 * log2(160.0))
    for index in -9...10 {
      let centre = 1000 * exp2(Double(index) / 3)
      // The rig reads digits as if full scale were 120 dB SPL everywhere.
      let found = spectrum.thirdOctave(centre) + fullScale(centre) - ChainRig.fullScale.decibels
      #expect(abs(found - share) < 1, "\(centre) Hz: \(found) instead of \(share)")
    }
  }

  @Test(
    "a notch takes out at least 20 dB at the pitch and leaves what lies an octave beside it",
    arguments: cases([(500.0, 0.25), (1000, 0.5), (4000, 1), (8000, 0.25), (6000, 2)]))
  func notch(pitch: Double, width: Double) throws {
    let notched = PowerSpectrum(
      try Self.heard(try Self.ear(try Self.sound(.notched(pitch: pitch, width: width), 65)), seconds: 20))
    let whole = PowerSpectrum(
      try Self.heard(try Self.ear(try Self.sound(.broadband, 65)), seconds: 20))
    func change(_ low: Double, _ high: Double) -> Double {
      notched.level(from: low, to: high) - whole.level(from: low, to: high)
    }
    // The middle half of the notch.
    let within = change(pitch * exp2(-width / 4), pitch * exp2(width / 4))
    let beside = change(pitch * exp2(-width - 0.5), pitch * exp2(-width))
    #expect(within - beside <= -20, "\(within - beside) dB")
    // What is cut out is given to the rest: the whole has the same level.
    #expect(beside > -0.7 && beside < 4, "\(beside) dB")
  }

  @Test("a band leaves less than a hundredth of its power an octave beyond its edges")
  func band() throws {
    let spectrum = PowerSpectrum(
      try Self.heard(try Self.ear(try Self.sound(.band(pitch: 3000, width: 0.5), 60)), seconds: 10))
    let (low, high) = (3000 * exp2(-0.25), 3000 * exp2(0.25))
    #expect(spectrum.level(from: 0, to: low / 2) < 40)
    #expect(spectrum.level(from: high * 2, to: 20_000) < 40)
    #expect(abs(spectrum.level(from: low, to: high) - 60) < 1)
  }

  @Test("the ears' noises know nothing of each other, and an ear without stays silent")
  func independent() throws {
    let sound = try Self.sound(.broadband, 60)
    var rig = try ChainRig(Binaural(both: try Self.ear(sound)))
    let output = rig.run(Signal.silence(rig.count(10)))
    let product = zip(output.left, output.right).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    let power = Measure.meanSquare(output.left[...]) * Double(output.left.count)
    // Pink noise of 10 s holds some thousands of independent values.
    #expect(abs(product / power) < 0.05)
    var one = try ChainRig(Binaural(left: try Self.ear(nil), right: try Self.ear(sound)))
    let apart = one.run(Signal.silence(one.count(1)))
    #expect(Measure.peak(apart.left) == 0)
    #expect(Measure.level(of: apart.right.suffix(22_050)) > 57)
  }

  @Test("it does not repeat: half a second is not like the one before")
  func lasting() throws {
    let heard = try Self.heard(try Self.ear(try Self.sound(.broadband, 60)), seconds: 4)
    for lag in [1024, 2048, 4096, 22_050, 44_100] {
      let product = zip(heard, heard.dropFirst(lag)).reduce(0) { $0 + Double($1.0) * Double($1.1) }
      #expect(abs(product / (Measure.meanSquare(heard[...]) * Double(heard.count))) < 0.1, "\(lag)")
    }
  }

  @Test("neither gain nor what is heard beside it changes it")
  func own() throws {
    let sound = try Self.sound(.broadband, 50)
    let plain = try Self.heard(try Self.ear(sound), seconds: 1)
    #expect(try Self.heard(try Self.ear(sound, gain: 40), seconds: 1) == plain)
    // And it adds to a sound: with it less without it is the noise itself.
    var with = try ChainRig(Binaural(both: try Self.ear(sound, gain: 10)))
    var without = try ChainRig(Binaural(both: try Self.ear(nil, gain: 10)))
    let tone = Signal.tone(1000, level: 60, count: with.count(1.3))
    let difference = zip(with.run(tone).left, without.run(tone).left).map { $0 - $1 }
    #expect(zip(difference.suffix(44_096), plain.suffix(44_096)).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test("it fades in and out over the transition, and mute stops it")
  func fades() throws {
    var rig = try ChainRig(Binaural(both: try Self.ear(nil)))
    _ = rig.run(Signal.silence(rig.count(0.3)))
    rig.chain.retarget(to: try rig.parameters(Binaural(both: try Self.ear(try Self.sound(.broadband, 60)))))
    let rising = rig.run(Signal.silence(rig.count(1))).left
    // A tenth of the way in: 20 dB below the whole.
    #expect(Measure.level(of: rising[..<441]) < 45)
    #expect(abs(Measure.level(of: rising[8820...]) - 60) < 1.5)
    rig.chain.retarget(to: try rig.parameters(Binaural(both: try Self.ear(nil))))
    let falling = rig.run(Signal.silence(rig.count(0.3))).left
    #expect(abs(Measure.level(of: falling[..<441]) - 60) < 5)
    #expect(Measure.peak(falling[Int(0.11 * 44_100)...]) == 0)
    rig.chain.retarget(to: try rig.parameters(Binaural(both: try Self.ear(try Self.sound(.broadband, 60)))))
    _ = rig.run(Signal.silence(rig.count(0.5)))
    rig.chain.close()
    let muted = rig.run(Signal.silence(rig.count(0.2))).left
    #expect(Measure.peak(muted[Int(0.03 * 44_100)...]) == 0)
    let isSilent = rig.chain.isSilent
    #expect(isSilent)
  }

  @Test("another level is gone to without a gap, another colour without a click")
  func changes() throws {
    var rig = try ChainRig(Binaural(both: try Self.ear(try Self.sound(.broadband, 50))))
    _ = rig.run(Signal.silence(rig.count(0.5)))
    rig.chain.retarget(to: try rig.parameters(Binaural(both: try Self.ear(try Self.sound(.broadband, 60)))))
    let louder = rig.run(Signal.silence(rig.count(0.5))).left
    for start in stride(from: 0, to: 20_000, by: 1000) {
      #expect(Measure.level(of: louder[start..<start + 2000]) > 46)
    }
    #expect(abs(Measure.level(of: louder[8820...]) - 60) < 1.5)
    rig.chain.retarget(
      to: try rig.parameters(
        Binaural(both: try Self.ear(try Self.sound(.notched(pitch: 4000, width: 1), 60)))))
    let notched = rig.run(Signal.silence(rig.count(3))).left
    #expect(Double(Measure.peak(notched)) < 6 * Signal.amplitude(60))
    #expect(abs(Measure.level(of: notched[22_050...]) - 60) < 1)
    let spectrum = PowerSpectrum(Array(notched[22_050...]))
    #expect(spectrum.level(from: 3700, to: 4300) < spectrum.level(from: 1000, to: 1600) - 15)
  }

  /// Factors of an ear's noise at the end of each block of 64 samples, dB, for so many seconds after another level was asked for.
  private static func factors(
    _ ear: inout NoiseEar, to level: Double?, time: Float, seconds: Double
  ) throws -> [Double] {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    let sound = try level.map { try Self.sound(.broadband, $0) }
    let shape = NoiseShape(try Self.ear(sound), bands: .standard, geometry: geometry)
    let frames = time * 44_100
    ear.retarget(to: shape, frames: frames)
    var factors: [Double] = []
    for _ in 0..<Int(seconds * 44_100 / 64) {
      _ = ear.processChange(frames: frames)
      _ = ear.processGain(count: 64)
      factors.append(20 * log10(Double(ear.gain)))
    }
    return factors
  }

  @Test(
    "from one level to another it moves evenly in dB: 25 dB over the 1.875 s of its pace by no more than 1.34 dB in 100 ms"
  )
  func evenly() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    var ear = NoiseEar(frameLength: NoiseShape.frameLength(geometry))
    _ = try Self.factors(&ear, to: 30, time: 0.1, seconds: 0.3)
    for level in [55.0, 30] {
      let way = try Self.factors(&ear, to: level, time: 1.875, seconds: 2)
      // 69 blocks are 100.1 ms; 25 dB in 1.875 s.
      let greatest = zip(way, way.dropFirst(69)).map { abs($1 - $0) }.max() ?? .infinity
      #expect(greatest < 25 * 0.1002 / 1.875 + 0.001, "\(greatest) dB")
      let isRising = level == 55
      #expect(zip(way, way.dropFirst()).allSatisfy { isRising ? $1 >= $0 - 1e-4 : $1 <= $0 + 1e-4 })
      // Halfway it has gone half of the dB, and it arrives: 120 dB SPL are full scale.
      let half = way[Int(1.875 / 2 * 44_100 / 64) - 1]
      #expect(abs(half - (42.5 - 120)) < 0.05, "\(half) dB")
      #expect(abs((way.last ?? .nan) - (level - 120)) < 1e-4)
    }
  }

  @Test(
    "one that has not left silence yet goes on in a straight line to another level, and so it goes to silence"
  )
  func fromSilence() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    var ear = NoiseEar(frameLength: NoiseShape.frameLength(geometry))
    let first = try Self.factors(&ear, to: 30, time: 1, seconds: 0.02)
    let second = try Self.factors(&ear, to: 60, time: 3, seconds: 3.1)
    // In a third of the time a line has a third of the factor.
    let third = second[Int(44_100.0 / 64) - 1]
    #expect(abs(third - (60 - 120 - 9.54)) < 0.1, "\(third) dB")
    #expect((first.last ?? .nan) < second[0] && abs((second.last ?? .nan) - (60 - 120)) < 1e-4)
    let last = try Self.factors(&ear, to: nil, time: 1, seconds: 1.1)
    let half = last[Int(0.5 * 44_100 / 64) - 1]
    #expect(abs(half - (60 - 120 - 6.02)) < 0.1, "\(half) dB")
    #expect(last.last == -.infinity)
    let isSilent = ear.isSilent
    #expect(isSilent)
  }

  @Test(
    "one whose fade-in is left half-way, or almost at its end, goes on to a louder level evenly in dB",
    arguments: [0.5, 0.97])
  func unfinished(share: Double) throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    var ear = NoiseEar(frameLength: NoiseShape.frameLength(geometry))
    let first = try Self.factors(&ear, to: 30, time: 3, seconds: 3 * share)
    let second = try Self.factors(&ear, to: 50, time: 3, seconds: 3.1)
    // 20 dB and what was left of the fade-in, over 3 s; 69 blocks are 100.1 ms, one makes less than 0.1 dB here.
    let whole = 20 - 20 * log10(share) + 0.1
    let greatest = zip(second, second.dropFirst(69)).map { $1 - $0 }.max() ?? .infinity
    #expect(greatest < whole * 0.1002 / 3, "\(greatest) dB")
    let step = second[0] - (first.last ?? .nan)
    #expect(step > 0 && step < 0.1)
    #expect(abs((second.last ?? .nan) - (50 - 120)) < 1e-4)
  }

  @Test("whatever is asked for, all is finite and below the limit")
  func random() throws {
    var random = Seeded(11)
    for rate in ChainGeometry.sampleRates {
      var rig = try ChainRig(Binaural(both: try Self.ear(nil)), sampleRate: rate, frames: 50)
      for round in 0..<120 {
        func anEar() throws -> EarFitting {
          let pitch = Double.random(in: TinnitusSound.pitches, using: &random)
          let width = Double.random(in: TinnitusSound.widths, using: &random)
          let shapes: [TinnitusSound.Shape?] = [
            nil, .broadband, .band(pitch: pitch, width: width), .notched(pitch: pitch, width: width),
          ]
          var ear = ChainRig.ear(
            try ChainRig.flat(0), limit: Double.random(in: 60...120, using: &random))
          ear.outputAtFullScale = ear.outputAtFullScale.map { _ in
            SoundPressureLevel(Double.random(in: 60...180, using: &random))
          }
          if let shape = shapes[Int.random(in: 0..<4, using: &random)] {
            ear.tinnitusSound = try Self.sound(shape, Double.random(in: 10...75, using: &random))
          }
          return ear
        }
        let ears = Binaural(left: try anEar(), right: try anEar())
        rig.chain.retarget(to: try rig.parameters(ears))
        if round % 7 == 0 { rig.chain.restart() }
        let output = rig.run(Signal.silence(rig.count(Double.random(in: 0.002...0.3, using: &random))))
        for (ear, samples) in [(ears.left, output.left), (ears.right, output.right)] {
          let fullScale = ear.outputAtFullScale.map(\.decibels).max() ?? 0
          let limit = min(1, pow(10, (ear.outputLimit.decibels - fullScale) / 20))
          #expect(Measure.isFinite(samples) && Double(Measure.peak(samples)) <= limit * 1.000_001)
        }
      }
    }
  }
}
