import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// What the chain's meters say against powers that are known from how the sound was made.
@Suite("Levels read by the chain") struct LevelMeterTests {
  @Test(
    "every band of speech noise at 65 dB SPL is read within 1 dB of its true level",
    arguments: [44_100.0, 48_000, 96_000])
  func speechNoise(sampleRate: Double) throws {
    let noise = SpeechNoise(level: 65, sampleRate: sampleRate)
    let ear = ChainRig.ear(try ChainRig.flat(0))
    var rig = try ChainRig(Binaural(both: ear), sampleRate: sampleRate)
    // The meters average over 1 s: after 6 s they have forgotten their start by 1 − e⁻⁶, 0.01 dB.
    _ = rig.run(noise.repeated(rig.count(6)))
    let edges = BandLayout.standard.edges
    for band in 0..<BandLayout.standard.count {
      let expected = noise.level(from: edges[band], to: edges[band + 1])
      for meters in [rig.chain.meters.left, rig.chain.meters.right] {
        #expect(
          abs(meters.bandLevel(band) - expected) <= 1,
          "band \(band): \(meters.bandLevel(band)), \(expected)")
      }
    }
    // Fast, so the reading follows the noise of the last eighth of a second.
    #expect(abs(rig.chain.meters.left.inputLevel - noise.level(from: 0, to: 20_000)) < 1)
  }

  @Test("a tone at a band's centre is read within 1 dB in each band")
  func tones() throws {
    let ear = ChainRig.ear(try ChainRig.flat(0))
    for (band, centre) in BandLayout.standard.centres.enumerated() {
      var rig = try ChainRig(Binaural(both: ear))
      _ = rig.run(Signal.tone(centre, level: 70, count: rig.count(5)))
      #expect(abs(rig.chain.meters.left.bandLevel(band) - 70) <= 1)
    }
  }

  @Test("a 1 kHz tone is read at its level going in and at its level plus gain coming out")
  func broadband() throws {
    let ears = Binaural(
      left: ChainRig.ear(try ChainRig.flat(0)), right: ChainRig.ear(try ChainRig.flat(20)))
    var rig = try ChainRig(ears)
    let left = Signal.tone(1000, level: 65, count: rig.count(2))
    let right = Signal.tone(1000, level: 75, count: left.count)
    _ = rig.run(left, right)
    // Fast forgets its start by e⁻¹⁶; what remains is the ripple of one hop's mean square.
    #expect(abs(rig.chain.meters.left.inputLevel - 65) < 0.1)
    #expect(abs(rig.chain.meters.left.outputLevel - 65) < 0.1)
    #expect(abs(rig.chain.meters.right.inputLevel - 75) < 0.1)
    #expect(abs(rig.chain.meters.right.outputLevel - 95) < 0.1)
    #expect(abs(Double(rig.chain.meters.right.insertionGain[5]) - 20) < 0.01)
    #expect(rig.chain.meters.frames == Int64(left.count))
    #expect(rig.chain.meters.bandCount == 20)
  }

  @Test("silence is read as silence, far below any microphone's noise, and not as minus infinity")
  func silence() throws {
    var rig = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(20))))
    _ = rig.run(Signal.silence(rig.count(3)))
    for level in [rig.chain.meters.left.inputLevel, rig.chain.meters.left.outputLevel] {
      #expect(level.isFinite && level < 0)
    }
  }

  @Test(
    "the level in the ear is an upper bound: all sound counts with the sensitivity where the earphone is most sensitive"
  )
  func unevenEarphone() throws {
    var ear = ChainRig.ear(try ChainRig.flat(0))
    // 15 dB less in every band but the last, far above the tone.
    for band in ear.outputAtFullScale.indices.dropLast() {
      ear.outputAtFullScale[band] = SoundPressureLevel(105)
    }
    var rig = try ChainRig(Binaural(both: ear))
    _ = rig.run(Signal.tone(1000, level: 65, count: rig.count(2)))
    // In the ear it is as loud as at the microphone.
    #expect(abs(rig.chain.meters.left.inputLevel - 65) < 0.1)
    #expect(abs(rig.chain.meters.left.outputLevel - (65 + 15)) < 0.2)
  }

  @Test("a chain that follows another one goes on with its counts, and with none of its levels")
  func following() throws {
    var former = ChainMeters()
    former.frames = 6400
    (former.left.clippedInput, former.left.limitedFrames) = (2, 640)
    (former.right.nonFinite, former.right.brokenOutput) = (3, 4)
    former.right.feedback = FeedbackStage.Meters(
      howls: 5, howlFrequency: 3000, howlFactor: 0.5, resets: 6)
    former.left.inputPower = 1
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    let ears = Binaural(both: ChainRig.ear(try ChainRig.flat(0)))
    let parameters = try ChainParameters(
      ears, dynamics: Dynamics(), bands: .standard, geometry: geometry)
    var chain = try LimitedChain(
      geometry: geometry, bands: .standard, parameters: parameters, after: former)
    // Before its first block and after it.
    for blocks in 0..<2 {
      let meters = chain.meters
      #expect(meters.frames == 6400 + 64 * Int64(blocks))
      #expect(meters.left.clippedInput == 2)
      // Levels start loud, on the safe side, so that the first block may be limited.
      #expect((640...640 + 64 * Int64(blocks)).contains(meters.left.limitedFrames))
      #expect(meters.right.nonFinite == 3 && meters.right.brokenOutput == 4)
      #expect(meters.right.howls == 5 && meters.right.howlFrequency == 3000)
      #expect(meters.right.feedbackResets == 6 && meters.right.howlRelief == 0)
      #expect(meters.left.inputPower == 0)
      let silence = [Float](repeating: 0, count: 64)
      var (left, right) = (silence, silence)
      var leftSpan = left.mutableSpan
      var rightSpan = right.mutableSpan
      chain.process(left: silence.span, right: silence.span, intoLeft: &leftSpan, intoRight: &rightSpan)
    }
  }

  @Test("samples at full scale are counted as clipped, one by one and per ear")
  func clipping() throws {
    var rig = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(0))))
    var left = Signal.silence(640)
    for n in [3, 64, 65, 638] { left[n] = n % 2 == 0 ? 1 : -1.5 }
    _ = rig.run(left, Signal.silence(640))
    #expect(rig.chain.meters.left.clippedInput == 4)
    #expect(rig.chain.meters.right.clippedInput == 0)
  }

  @Test(
    "integers that are clipped upwards are counted as those that are clipped downwards",
    arguments: [16, 24, 32])
  func integerClipping(bits: Int) throws {
    // The greatest integer is one step short of 2^(bits − 1), by which it is divided; the least is that itself.
    let scale = exp2(Double(bits - 1))
    // Samples are looked at four at a time: of 17 the last one by itself.
    var rig = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(0))), frames: 17)
    var left = Signal.silence(34)
    for n in [0, 2, 16] { left[n] = Float((scale - 1) / scale) }
    for n in [5, 33] { left[n] = -1 }
    // One step of 16 bits below: 32766 of 32768.
    _ = rig.run(left, left.map { _ in 32_766.0 / 32_768 })
    #expect(rig.chain.meters.left.clippedInput == 5)
    #expect(rig.chain.meters.right.clippedInput == 0)
  }

  @Test("limiting is shown while it lasts and counted in frames")
  func limiterActivity() throws {
    var rig = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(20), limit: 90)))
    _ = rig.run(Signal.tone(1000, level: 60, count: rig.count(0.5)))
    // The levels start loud, on the safe side.
    #expect(rig.chain.meters.left.limitedFrames <= Int64(rig.count(0.3)))
    #expect(rig.chain.meters.left.bandLimiting == 0)
    #expect(rig.chain.meters.left.outputLimiting < 0.01)
    let before = rig.chain.meters.left.limitedFrames
    _ = rig.run(Signal.tone(1000, level: 85, count: rig.count(0.5)))
    // 85 dB and 20 dB of gain against a limit of 90 dB: 15 dB have to go.
    let reduction = Double(rig.chain.meters.left.bandLimiting) + rig.chain.meters.left.outputLimiting
    #expect(abs(reduction - 15) < 1)
    #expect(rig.chain.meters.left.limitedFrames - before >= Int64(rig.count(0.49)))
  }
}
