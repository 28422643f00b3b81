/// A filter by its finite impulse response, eight products at a time: y[n] = Σ h[k]·x[n − k].
package struct FiniteResponse: Sendable {
  /// The response from its end, behind zeros that make it a multiple of eight.
  private let reversed: [Float]

  /// - Parameter taps: h[0] first.
  package init(_ taps: [Float]) {
    reversed = [Float](repeating: 0, count: -taps.count & 7) + taps.reversed()
  }

  /// Output at each of `places` of a sound, which is silent before it begins and after it ends.
  package func output(of sound: [Float], at places: Range<Int>) -> [Float] {
    reversed.withUnsafeBytes { taps in
      sound.withUnsafeBytes { samples in
        places.map { Self.sum(taps, samples, last: $0) }
      }
    }
  }

  /// - Parameter last: Place of the sample that the response's first tap meets.
  private static func sum(
    _ taps: UnsafeRawBufferPointer, _ samples: UnsafeRawBufferPointer, last: Int
  ) -> Float {
    let stride = MemoryLayout<Float>.stride
    let count = taps.count / stride
    let first = last - count + 1
    guard first >= 0, last < samples.count / stride else { return clipped(taps, samples, first: first) }
    var sum = SIMD8<Float>()
    for k in Swift.stride(from: 0, to: taps.count, by: 8 * stride) {
      let tap = taps.loadUnaligned(fromByteOffset: k, as: SIMD8<Float>.self)
      sum += tap * samples.loadUnaligned(fromByteOffset: first * stride + k, as: SIMD8<Float>.self)
    }
    return sum.sum()
  }

  private static func clipped(
    _ taps: UnsafeRawBufferPointer, _ samples: UnsafeRawBufferPointer, first: Int
  ) -> Float {
    let (taps, samples) = (taps.bindMemory(to: Float.self), samples.bindMemory(to: Float.self))
    return taps.indices.reduce(0) { sum, k in
      samples.indices.contains(first + k) ? sum + taps[k] * samples[first + k] : sum
    }
  }
}
