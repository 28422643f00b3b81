import Glibc
import Testing

@testable import Acoustics

@Suite("Long-term average speech spectrum") struct LongTermAverageSpeechSpectrumTests {
  typealias Spectrum = LongTermAverageSpeechSpectrum
  let reference = SoundPressureLevel(70)

  @Test("the 25 third octaves of Byrne et al. add up to 70.03 dB")
  func total() {
    let all = Spectrum.bandLevel(from: 0, to: .infinity, overall: reference)
    #expect(abs(all.decibels - 70.03) < 0.005)
  }

  @Test("a band that is a third octave has its level, at any overall level")
  func thirdOctave() {
    // 1 kHz: 53.7 dB, from 10^2.95 to 10^3.05 Hz.
    let (low, high) = (pow(10, 2.95), pow(10, 3.05))
    #expect(abs(Spectrum.bandLevel(from: low, to: high, overall: reference).decibels - 53.7) < 1e-9)
    let soft = Spectrum.bandLevel(from: low, to: high, overall: SoundPressureLevel(50))
    #expect(abs(soft.decibels - 33.7) < 1e-9)
  }

  @Test("half of a third octave, in log frequency, has half its power")
  func half() {
    let upper = Spectrum.bandLevel(from: 1000, to: pow(10, 3.05), overall: reference)
    #expect(abs(upper.decibels - (53.7 - 10 * log10(2))) < 1e-9)
  }

  @Test("the standard bands share out all the power")
  func partition() {
    let edges = BandLayout.standard.edges
    let bands = zip(edges, edges.dropFirst()).map {
      Spectrum.bandLevel(from: $0, to: $1, overall: reference)
    }
    #expect(abs(SoundPressureLevel.powerSum(bands).decibels - 70.03) < 0.005)
  }

  @Test("there is no speech below 56 Hz and above 17.8 kHz, nor in an empty band")
  func silence() {
    #expect(Spectrum.bandLevel(from: 0, to: 56, overall: reference).decibels == -.infinity)
    #expect(Spectrum.bandLevel(from: 18_000, to: .infinity, overall: reference).decibels == -.infinity)
    #expect(Spectrum.bandLevel(from: 1000, to: 1000, overall: reference).decibels == -.infinity)
    #expect(Spectrum.spectrumLevel(at: 50, overall: reference).decibels == -.infinity)
    #expect(Spectrum.spectrumLevel(at: 19_000, overall: reference).decibels == -.infinity)
  }

  @Test("spectrum levels, added up in steps of 1 Hz, make the band level")
  func density() {
    // 707–1414 Hz crosses three edges of third octaves; a 1 Hz step errs by less than 0.01 dB.
    let steps = stride(from: 707.5, to: 1414, by: 1).map {
      Spectrum.spectrumLevel(at: $0, overall: reference)
    }
    let band = Spectrum.bandLevel(from: 707, to: 1414, overall: reference)
    #expect(abs(SoundPressureLevel.powerSum(steps) - band) < 0.01)
  }
}
