import Acoustics
import AudioIO
import Fitting
import Glibc
import HearingDSP
import Realtime

/// Hears sound files through the real chain and prints every judgement of the scene, one line each: the file's
/// number, time in s, scene, confidence, level, the four probabilities and, when asked, every feature.
///
/// Files are named on standard input, one a line; the whole is taken as one wearing each. Full scale is 120 dB
/// SPL, so that a file says by itself how loud it is.
@main struct SceneTrial {
  static let usage = "Usage: scene-trial [--features] < LIST_OF_FILES"
  static let fullScale = SoundPressureLevel(120)
  static let frames = 64

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.isEmpty || arguments == ["--features"] else {
      print(usage)
      exit(arguments == ["--help"] ? EXIT_SUCCESS : EX_USAGE)
    }
    flushDenormals()
    var number = 0
    while let path = readLine() {
      try hear(path, number: number, withFeatures: !arguments.isEmpty)
      number += 1
    }
  }

  static func hear(_ path: String, number: Int, withFeatures: Bool) throws {
    var reader = try SoundFileReader(path: path)
    var chain = try chain(rate: Double(reader.rate))
    var left = [Float](repeating: 0, count: frames)
    var right = left
    var (leftEar, rightEar) = (left, right)
    var judged = 0
    var text = ""
    while true {
      var leftSpan = left.mutableSpan
      var rightSpan = right.mutableSpan
      guard try reader.read(left: &leftSpan, right: &rightSpan) == frames else { break }
      var leftOutput = leftEar.mutableSpan
      var rightOutput = rightEar.mutableSpan
      chain.process(
        left: left.span, right: right.span, intoLeft: &leftOutput, intoRight: &rightOutput)
      guard chain.performer.sceneJudgements > judged else { continue }
      judged = chain.performer.sceneJudgements
      let (scene, p) = (chain.meters.scene, chain.performer.sceneProbability)
      let time = Double(chain.meters.frames) / Double(reader.rate)
      text +=
        "\(number),\(time),\(scene.scene.map { "\($0)" } ?? "none"),\(scene.confidence),\(scene.level),"
      text += "\(p[0]),\(p[1]),\(p[2]),\(p[3])"
      if withFeatures {
        for index in 0..<HearingChain.sceneFeatureCount {
          text += ",\(chain.performer.sceneFeature(index))"
        }
      }
      text += "\n"
    }
    print(text, terminator: "")
  }

  /// A chain that amplifies nothing.
  static func chain(rate: Double) throws -> LimitedChain {
    let bands = BandLayout.standard
    let geometry = try ChainGeometry(sampleRate: rate, blockFrames: frames)
    let curve = try GainCurve(linear: 0)
    let ear = EarFitting(
      curves: bands.centres.map { _ in curve }, bandLimits: bands.centres.map { _ in fullScale },
      outputLimit: fullScale, inputAtFullScale: fullScale,
      outputAtFullScale: bands.centres.map { _ in fullScale })
    let parameters = try ChainParameters(
      Binaural(both: ear), dynamics: Dynamics(), bands: bands, geometry: geometry)
    return try LimitedChain(geometry: geometry, bands: bands, parameters: parameters)
  }
}
