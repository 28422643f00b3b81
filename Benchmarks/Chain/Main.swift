import Acoustics
import CFFTW
import Fitting
import Glibc
import HearingDSP

func now() -> Double {
  var t = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t)
  return Double(t.tv_sec) + Double(t.tv_nsec) * 1e-9
}

@main struct Main {
  static func main() throws {
    let bands = BandLayout.standard
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    let rule = try NALRPCompressive(compressionRatio: 2)
    let curves = Binaural(
      left: try rule.curves(for: StandardAudiogram.n3.audiogram, bands: bands),
      right: try rule.curves(for: StandardAudiogram.n4.audiogram, bands: bands))
    let ears = curves.map { c in
      EarFitting(
        curves: c, bandLimits: c.map { _ in SoundPressureLevel(105) }, outputLimit: SoundPressureLevel(105),
        inputAtFullScale: SoundPressureLevel(110), outputAtFullScale: c.map { _ in SoundPressureLevel(110) }
      )
    }
    let p = try ChainParameters(ears, dynamics: Dynamics(), bands: bands, geometry: geometry)
    var chain = try HearingChain(geometry: geometry, bands: bands, parameters: p)
    chain.open()
    let blocks = 6890
    var noise = [Float](repeating: 0, count: blocks * 64)
    var seed: UInt32 = 1
    for n in noise.indices {
      noise[n] =
        {
          seed = seed &* 1664525 &+ 1013904223; return Float(Int32(bitPattern: seed)) / 2147483648
        }() * 0.03 * Float(1 + sin(Double(n) / 44100 * 6.28 * 4))
    }
    var l = [Float](repeating: 0, count: 64)
    var r = l
    // unit
    let t = fftwf_alloc_real(256)!, s = fftwf_alloc_complex(129)!
    let f = fftwf_plan_dft_r2c_1d(256, t, s, UInt32(FFTW_MEASURE))!
    let b = fftwf_plan_dft_c2r_1d(256, s, t, UInt32(FFTW_MEASURE))!
    for n in 0..<256 { t[n] = 0 }
    for _ in 0..<(CommandLine.arguments.count > 1 ? 40 : 5) {
      var a = now()
      for _ in 0..<blocks { for _ in 0..<2 { fftwf_execute(f); fftwf_execute(b) } }
      let unit = now() - a
      a = now()
      for k in 0..<blocks {
        var ls = l.mutableSpan
        var rs = r.mutableSpan
        let x = noise.span.extracting(k * 64..<k * 64 + 64)
        chain.process(left: x, right: x, intoLeft: &ls, intoRight: &rs)
      }
      let c = now() - a
      print(
        "unit \(unit / Double(blocks) * 1e9) ns, chain \(c / Double(blocks) * 1e9) ns, ratio \(c / unit)")
    }
  }
}
