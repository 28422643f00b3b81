import AudioIO
import Realtime

/// A block on its way from a file to a file.
extension SoundBlock {
  /// Takes over the input.
  mutating func take(_ left: borrowing AlignedBuffer<Float>, _ right: borrowing AlignedBuffer<Float>) {
    for n in 0..<leftInput.count {
      leftInput[n] = left[n]
      rightInput[n] = right[n]
    }
  }

  /// Writes the first `frames` frames of the output.
  func put(frames: Int, into writer: inout SoundFileWriter) throws(RenderingError) {
    do {
      try writer.write(
        left: leftOutput.span.extracting(0..<frames), right: rightOutput.span.extracting(0..<frames))
    } catch {
      throw .sound(error)
    }
  }

  /// Shows both sides of the chain to their observers. What came in and is not a number counts as silence.
  mutating func show(frames: Int, to input: inout SoundObservation, _ output: inout SoundObservation) {
    for n in 0..<frames {
      if !leftInput[n].isFinite { leftInput[n] = 0 }
      if !rightInput[n].isFinite { rightInput[n] = 0 }
    }
    input.hear(leftInput.span.extracting(0..<frames), rightInput.span.extracting(0..<frames))
    output.hear(leftOutput.span.extracting(0..<frames), rightOutput.span.extracting(0..<frames))
  }
}
