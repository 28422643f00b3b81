import Acoustics
import HearingDSP
import Realtime

/// The chain that the live aid plays, on the bench.
package struct ChainPath: SoundPath, ~Copyable {
  package let sampleRate: Double
  package let blockFrames: Int
  private var chain: LimitedChain

  /// - Throws: ``ChainError/noPlan(length:)``.
  package init(
    _ parameters: ChainParameters, bands: BandLayout, geometry: ChainGeometry
  ) throws(ChainError) {
    sampleRate = geometry.sampleRate
    blockFrames = geometry.blockFrames
    // The shortest rise: nobody wears it here.
    chain = try LimitedChain(geometry: geometry, bands: bands, parameters: parameters, rise: 0.05)
    chain.open()
  }

  package mutating func play(_ input: Binaural<[Float]>) -> Binaural<[Float]> {
    precondition(
      input.left.count == input.right.count && input.left.count % blockFrames == 0,
      "sound that is no whole number of blocks")
    var left = [Float](repeating: 0, count: input.left.count)
    var right = left
    let control = flushDenormals()
    for start in stride(from: 0, to: left.count, by: blockFrames) {
      let block = start..<start + blockFrames
      var leftSpan = left.mutableSpan
      var rightSpan = right.mutableSpan
      var leftBlock = leftSpan._mutatingExtracting(block)
      var rightBlock = rightSpan._mutatingExtracting(block)
      chain.process(
        left: input.left.span.extracting(block), right: input.right.span.extracting(block),
        intoLeft: &leftBlock, intoRight: &rightBlock)
    }
    control.restore()
    return Binaural(left: left, right: right)
  }
}
