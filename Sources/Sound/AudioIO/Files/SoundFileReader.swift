import CSndfile
import Glibc
import Realtime

/// A sound file, read as left and right at full scale ±1. One channel is heard in both ears.
///
/// Any format libsndfile knows: WAV, FLAC, AIFF, Ogg… Integers are divided by 2^(bits − 1), exactly.
///
/// - Threads: control.
@safe
public struct SoundFileReader: SoundSource, ~Copyable {
  /// The rates at which sound is processed, Hz.
  public static let processedRates = [44_100, 48_000, 96_000]
  /// The rates that ``resampled(to:)`` takes, Hz.
  public static let resampledRates = 4_000...384_000
  /// Most frames of a file: half a year at 64 kHz. Times the greatest ratio of two rates it is still a
  /// whole number that a Double has, far within 64 bits.
  public static let greatestFrameCount = 1 << 40

  /// Name of the file.
  public let path: String
  /// Frames per second, Hz.
  public let rate: Int
  /// Channels in the file, 1 or 2.
  public let channels: Int
  /// Length of the sound, frames.
  public let frameCount: Int
  /// Frames read so far.
  public private(set) var position = 0

  private let file: OpaquePointer
  private var interleaved: AlignedBuffer<Float>
  /// Frames read from the library at a time.
  static let chunk = 4096

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: Its name.
  ///   - anyRate: True accepts a rate outside ``processedRates``, which the caller will resample.
  /// - Throws: ``SoundFileError``: `missing`, `unreadable`, `notAudio`, `channelsRefused`, `rateRefused`,
  ///   `lengthRefused`.
  public init(path: String, anyRate: Bool = false) throws(SoundFileError) {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ENOENT ? .missing(path: path) : .unreadable(path: path, errno: errno)
    }
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      Glibc.close(descriptor)
      throw .notAudio(path: path, reason: "it is a folder")
    }
    var info = SF_INFO()
    // The library closes the descriptor, also when it fails.
    guard let opened = unsafe sf_open_fd(descriptor, Int32(SFM_READ), &info, Int32(SF_TRUE)) else {
      throw .notAudio(path: path, reason: unsafe words(sf_strerror(nil)))
    }
    do {
      try Self.check(info, path: path, anyRate: anyRate)
    } catch {
      unsafe sf_close(opened)
      throw error
    }
    unsafe file = opened
    self.path = path
    rate = Int(info.samplerate)
    channels = Int(info.channels)
    frameCount = Int(info.frames)
    interleaved = AlignedBuffer(count: Self.chunk * Int(info.channels))
  }

  deinit { unsafe sf_close(file) }

  private static func check(_ info: SF_INFO, path: String, anyRate: Bool) throws(SoundFileError) {
    guard (1...2).contains(info.channels) else {
      throw .channelsRefused(path: path, found: Int(info.channels))
    }
    let rate = Int(info.samplerate)
    if anyRate ? !resampledRates.contains(rate) : !processedRates.contains(rate) {
      throw .rateRefused(path: path, found: rate, expected: processedRates)
    }
    // The library says 2⁶³ − 1 of an Ogg file that was cut off.
    guard (0...sf_count_t(greatestFrameCount)).contains(info.frames) else {
      throw .lengthRefused(path: path)
    }
  }

  /// Reads the next frames; returns fewer only at the end.
  public mutating func read(
    left: inout MutableSpan<Float>, right: inout MutableSpan<Float>
  ) throws(SoundFileError) -> Int {
    precondition(left.count == right.count, "both ears take the same number of frames")
    var done = 0
    while done < left.count {
      let got = try fetch(min(left.count - done, Self.chunk))
      if got == 0 { break }
      for n in 0..<got {
        left[done + n] = interleaved[n * channels]
        right[done + n] = interleaved[n * channels + channels - 1]
      }
      done += got
    }
    return done
  }

  /// Reads up to ``chunk`` frames, left and right alternating.
  ///
  /// - Returns: Frames read; 0 at the end.
  mutating func read(alternating output: inout AlignedBuffer<Float>) throws(SoundFileError) -> Int {
    let got = try fetch(min(output.count / 2, Self.chunk))
    for n in 0..<got {
      output[2 * n] = interleaved[n * channels]
      output[2 * n + 1] = interleaved[n * channels + channels - 1]
    }
    return got
  }

  /// Takes frames from the library.
  private mutating func fetch(_ frames: Int) throws(SoundFileError) -> Int {
    let got = min(max(Int(unsafe sf_readf_float(file, interleaved.pointer, sf_count_t(frames))), 0), frames)
    position += got
    if got < frames, unsafe sf_error(file) != SF_ERR_NO_ERROR {
      throw .damaged(path: path, frame: position, reason: unsafe words(sf_strerror(file)))
    }
    return got
  }

  /// The same sound at another rate.
  ///
  /// - Parameter rate: Hz, in ``resampledRates``.
  public consuming func resampled(to rate: Int) -> ResampledSoundFile {
    ResampledSoundFile(self, rate: rate)
  }
}

/// The library's words, without a full stop.
func words(_ text: UnsafePointer<CChar>?) -> String {
  guard let text = unsafe text else { return "unknown reason" }
  var result = unsafe String(cString: text)
  while result.last == "." || result.last == " " { result.removeLast() }
  return result
}
