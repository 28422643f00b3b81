import Fitting
import Glibc

/// One ear's frequency lowering as the audio thread reads it.
///
/// - Threads: `any`.
struct LoweringPlan: BitwiseCopyable, Equatable, Sendable {
  /// Nothing above is taken: the sounds that lowering is for, /s/ and its kin, end there (own choice), and the work
  /// with them. Hz.
  static let highest = 11_000.0

  var isOn = false
  /// Cutoff in bins of a frame.
  private(set) var cutoff: Float = 0
  /// Octaves out over octaves in.
  private(set) var inverseRatio: Float = 1
  /// First and last bin in which a peak is looked for.
  private(set) var firstBin = 1
  private(set) var lastBin = 1
  /// What holds the plain sound below the cutoff.
  private(set) var edge = EdgeSections()

  /// Nothing is moved.
  init() {}

  /// - Parameter lowering: nil: nothing is moved.
  init(_ lowering: FrequencyLowering?, geometry: ChainGeometry) {
    guard let lowering else { return }
    let length = Self.frameLength(geometry)
    let position = lowering.cutoff * Double(length) / geometry.sampleRate
    isOn = true
    cutoff = Float(position)
    inverseRatio = Float(1 / lowering.ratio)
    // From three bins below, so that a tone there is found with all its main lobe and not taken for one above.
    firstBin = max(1, Int(position) - 3)
    lastBin = min(length / 2 - 3, Int(Self.highest * Double(length) / geometry.sampleRate))
    edge = EdgeSections(cutoff: lowering.cutoff, sampleRate: geometry.sampleRate)
  }

  /// Samples per frame, 2.9 ms at 44.1 kHz, which is what lowered sound comes later: a hiss stays as sharp as it is,
  /// and bins 345 Hz apart still tell a whistle's frequency to a few hertz.
  static func frameLength(_ geometry: ChainGeometry) -> Int { geometry.filterLength / 4 }
}
