import CSamplerate
import Realtime

/// A sound file heard at another rate.
///
/// The corresponding C library is libsamplerate with `SRC_SINC_BEST_QUALITY` (144 dB signal to noise, 97 %
/// of the band by its documentation). Not for the audio thread: it looks 144 frames ahead and takes its
/// time.
///
/// - Threads: control.
@safe
public struct ResampledSoundFile: SoundSource, ~Copyable {
  /// Frames per second that come out, Hz.
  public let rate: Int
  /// Frames that come out in all: the file's length in seconds times ``rate``, rounded. A file that ends
  /// before the length it states makes it less.
  public private(set) var frameCount: Int
  /// Frames given so far.
  public private(set) var position = 0

  private var source: SoundFileReader
  private let converter: OpaquePointer
  private let ratio: Double
  private var input = AlignedBuffer<Float>(count: 2 * SoundFileReader.chunk)
  private var output = AlignedBuffer<Float>(count: 2 * SoundFileReader.chunk)
  /// Frames in ``input`` that the converter has not taken, and where they begin.
  private var pending = 0
  private var begin = 0
  private var sourceEnded = false

  init(_ source: consuming SoundFileReader, rate: Int) {
    precondition(SoundFileReader.resampledRates.contains(rate), "the rate is within 4 to 384 kHz")
    var code: Int32 = 0
    guard let state = unsafe src_new(Int32(SRC_SINC_BEST_QUALITY), 2, &code) else {
      preconditionFailure("libsamplerate has no memory")
    }
    unsafe converter = state
    self.rate = rate
    ratio = Double(rate) / Double(source.rate)
    frameCount = Self.frames(source.frameCount, times: ratio)
    self.source = source
  }

  deinit { unsafe src_delete(converter) }

  /// Frames at another rate. Both are bounded where the file is opened, so the product is a whole number.
  static func frames(_ count: Int, times ratio: Double) -> Int { Int((Double(count) * ratio).rounded()) }

  /// Reads the next frames at the processing rate; returns fewer only at the end.
  public mutating func read(
    left outputLeft: inout MutableSpan<Float>, right outputRight: inout MutableSpan<Float>
  ) throws(SoundFileError) -> Int {
    precondition(outputLeft.count == outputRight.count, "both ears take the same number of frames")
    var done = 0
    let asked = outputLeft.count
    var wanted = min(asked, frameCount - position)
    while done < wanted {
      if pending == 0 && !sourceEnded {
        try refill()
        // The file may have ended before its stated length.
        wanted = min(asked, frameCount - position)
        if done >= wanted { break }
      }
      let made = try convert(atMost: min(wanted - done, SoundFileReader.chunk))
      for n in 0..<made {
        outputLeft[done + n] = output[2 * n]
        outputRight[done + n] = output[2 * n + 1]
      }
      done += made
      if made == 0 && pending == 0 && sourceEnded {
        // The converter may end a frame before the rounded length: the rest is silence.
        for n in done..<wanted {
          outputLeft[n] = 0
          outputRight[n] = 0
        }
        done = wanted
      }
    }
    position += done
    return done
  }

  private mutating func refill() throws(SoundFileError) {
    begin = 0
    pending = try source.read(alternating: &input)
    sourceEnded = pending < SoundFileReader.chunk
    // Otherwise the rest of a length that nothing stands behind would be silence, hours of it.
    guard sourceEnded else { return }
    frameCount = min(frameCount, max(position, Self.frames(source.position, times: ratio)))
  }

  /// Converts what is pending. The corresponding C function is `src_process`.
  private mutating func convert(atMost frames: Int) throws(SoundFileError) -> Int {
    var data = unsafe SRC_DATA()
    unsafe data.data_in = UnsafePointer(input.pointer + 2 * begin)
    unsafe data.data_out = unsafe output.pointer
    unsafe data.input_frames = pending
    unsafe data.output_frames = frames
    unsafe data.end_of_input = sourceEnded ? 1 : 0
    unsafe data.src_ratio = ratio
    let code = unsafe src_process(converter, &data)
    guard code == 0 else {
      throw .damaged(path: source.path, frame: source.position, reason: unsafe words(src_strerror(code)))
    }
    let used = unsafe data.input_frames_used
    begin += used
    pending -= used
    return unsafe data.output_frames_gen
  }
}
