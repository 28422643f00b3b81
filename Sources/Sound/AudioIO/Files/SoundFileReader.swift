import CSamplerate
import CSndfile
import Glibc
import Realtime

/// Reason for which a sound file cannot be read or written. Each case has what one clear message needs.
public enum SoundFileError: Error, Sendable, Equatable {
  /// There is no such file.
  case missing(path: String)
  /// It may not be read; `errno` positive.
  case unreadable(path: String, errno: Int32)
  /// It is not a sound file, in the library's words.
  case notAudio(path: String, reason: String)
  /// It has neither one channel nor two.
  case channelsRefused(path: String, found: Int)
  /// Its rate, Hz, is not one of those that can be processed.
  case rateRefused(path: String, found: Int, expected: [Int])
  /// It does not say how long it is, or says 0 frames, or more than ``SoundFileReader/greatestFrameCount``.
  case lengthRefused(path: String)
  /// Reading stopped before the end.
  case damaged(path: String, frame: Int, reason: String)
  /// The name's ending says no format that can be written.
  case formatRefused(path: String, expected: [String])
  /// It may not be written; `errno` positive.
  case unwritable(path: String, errno: Int32)
  /// There is no room: bytes needed, and bytes free.
  case diskFull(path: String, needed: Int, free: Int)
  /// The sound is longer than a file of its format can state; `most` is the bytes of sound that it can.
  case tooLong(path: String, most: Int)
  /// Writing failed for another reason, in the library's words.
  case failed(path: String, reason: String)
}

/// A sound file, read as left and right at full scale ±1. One channel is heard in both ears.
///
/// Any format libsndfile knows: WAV, FLAC, AIFF, Ogg… Integers are divided by 2^(bits − 1), exactly.
///
/// - Threads: control.
@safe public struct SoundFileReader: ~Copyable {
  /// The rates at which sound is processed, Hz.
  public static let processedRates = [44_100, 48_000, 96_000]
  /// The rates that ``resampled(to:)`` takes, Hz.
  public static let resampledRates = 4_000...384_000
  /// Most frames of a file: half a year at 64 kHz. Times the greatest ratio of two rates it is still a
  /// whole number that a Double has, far within 64 bits.
  public static let greatestFrameCount = 1 << 40

  /// Name of the file.
  public let path: String
  /// Frames per second that come out, Hz: the file's own, until ``resampled(to:)``.
  public private(set) var rate: Int
  /// Frames that come out in all. A file that ends before the length it states makes it less, once it is
  /// read at another rate.
  public private(set) var frameCount: Int

  /// True where the file states exactly how many frames it has: FLAC, whose data is compressed all the same.
  public let isLengthExact: Bool

  private let channels: Int
  private let file: OpaquePointer
  /// Descriptor that ``file`` reads.
  private let descriptor: Int32
  /// Frames that the file states, at its own rate.
  private let statedFrames: Int
  /// Frames read from the library.
  private var position = 0
  private var interleaved: AlignedBuffer<Float>
  /// The next frames that come out, left and right alternating.
  private var sound = AlignedBuffer<Float>(count: 2 * Self.chunk)
  /// Frames read from the library at a time.
  private static let chunk = 4096

  // Another rate than the file's.

  private var converter: RateConverter?
  private var ratio = 1.0
  /// Frames given so far.
  private var given = 0
  /// Frames for the converter; the first and the number of those that it has not taken.
  private var input = AlignedBuffer<Float>(count: 2 * Self.chunk)
  private var begin = 0
  private var pending = 0
  private var isEnded = false

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: Its name.
  ///   - anyRate: True accepts a rate outside ``processedRates``, which the caller will resample.
  /// - Throws: ``SoundFileError``: `missing`, `unreadable`, `notAudio`, `channelsRefused`, `rateRefused`,
  ///   `lengthRefused`.
  public init(path: String, anyRate: Bool = false) throws(SoundFileError) {
    // Without waiting for whoever would write into a pipe.
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw errno == ENOENT ? .missing(path: path) : .unreadable(path: path, errno: errno)
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Glibc.close(descriptor)
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw .notAudio(path: path, reason: isFolder ? "it is a folder" : "it is not a file")
    }
    var info = SF_INFO()
    // The descriptor is closed here, for it tells how far the library has read.
    guard let opened = unsafe sf_open_fd(descriptor, Int32(SFM_READ), &info, Int32(SF_FALSE)) else {
      Glibc.close(descriptor)
      throw .notAudio(path: path, reason: unsafe words(sf_strerror(nil)))
    }
    if let refusal = Self.refusal(of: info, path: path, anyRate: anyRate) {
      unsafe sf_close(opened)
      Glibc.close(descriptor)
      throw refusal
    }
    unsafe file = opened
    self.descriptor = descriptor
    isLengthExact = Int(info.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_FLAC
    statedFrames = Int(info.frames)
    self.path = path
    rate = Int(info.samplerate)
    channels = Int(info.channels)
    frameCount = Int(info.frames)
    interleaved = AlignedBuffer(count: Self.chunk * Int(info.channels))
  }

  deinit {
    unsafe sf_close(file)
    Glibc.close(descriptor)
  }

  private static func refusal(of info: SF_INFO, path: String, anyRate: Bool) -> SoundFileError? {
    guard (1...2).contains(info.channels) else {
      return .channelsRefused(path: path, found: Int(info.channels))
    }
    let rate = Int(info.samplerate)
    if anyRate ? !resampledRates.contains(rate) : !processedRates.contains(rate) {
      return .rateRefused(path: path, found: rate, expected: processedRates)
    }
    // Of an Ogg file that was cut off, libsndfile 1.2.0 says 2⁶³ − 1 frames, and 1.2.2 none.
    return (1...sf_count_t(greatestFrameCount)).contains(info.frames) ? nil : .lengthRefused(path: path)
  }

  /// The same sound at another rate. Not for the audio thread: it looks 144 frames ahead and takes its time.
  ///
  /// - Parameter rate: Hz, in ``resampledRates``.
  public consuming func resampled(to rate: Int) -> SoundFileReader {
    precondition(Self.resampledRates.contains(rate), "the rate is within 4 to 384 kHz")
    guard rate != self.rate else { return self }
    // 144 dB signal to noise, 97 % of the band by the library's documentation.
    guard let converter = RateConverter(SRC_SINC_BEST_QUALITY) else {
      preconditionFailure("libsamplerate has no memory")
    }
    var reader = self
    reader.converter = consume converter
    reader.ratio = Double(rate) / Double(reader.rate)
    reader.frameCount = Self.frames(reader.frameCount, times: reader.ratio)
    reader.rate = rate
    return reader
  }

  /// Frames at another rate. Both are bounded where the file is opened, so the product is a whole number.
  static func frames(_ count: Int, times ratio: Double) -> Int { Int((Double(count) * ratio).rounded()) }

  /// Reads the next frames.
  ///
  /// - Shape: both spans have the same length; what is not filled is left alone.
  /// - Returns: Frames read, fewer than asked only at the end, then 0.
  /// - Throws: ``SoundFileError/damaged(path:frame:reason:)``.
  public mutating func read(
    left: inout MutableSpan<Float>, right: inout MutableSpan<Float>
  ) throws(SoundFileError) -> Int {
    precondition(left.count == right.count, "both ears take the same number of frames")
    var done = 0
    while done < left.count {
      let wanted = min(left.count - done, Self.chunk)
      let got = try ratio == 1 ? fetch(wanted) : resample(wanted)
      if got == 0 { break }
      for n in 0..<got {
        left[done + n] = sound[2 * n]
        right[done + n] = sound[2 * n + 1]
      }
      done += got
    }
    return done
  }

  /// Takes frames from the library; 0 at the end.
  private mutating func fetch(_ frames: Int) throws(SoundFileError) -> Int {
    let got = min(max(Int(unsafe sf_readf_float(file, interleaved.pointer, sf_count_t(frames))), 0), frames)
    position += got
    if got < frames, unsafe sf_error(file) != SF_ERR_NO_ERROR {
      let reason = unsafe words(sf_strerror(file))
      guard endsWithinFrame else { throw .damaged(path: path, frame: position, reason: reason) }
    }
    for n in 0..<got {
      sound[2 * n] = interleaved[n * channels]
      sound[2 * n + 1] = interleaved[n * channels + channels - 1]
    }
    return got
  }

  /// True for a FLAC file that was cut off, which the library tells as damage: it has read all of the file, and the last frame that is
  /// stated is not there. Where it is there, a frame before it is damaged.
  private var endsWithinFrame: Bool {
    var status = stat()
    guard isLengthExact, unsafe fstat(descriptor, &status) == 0,
      lseek(descriptor, 0, SEEK_CUR) >= status.st_size
    else { return false }
    do throws(SoundFileError) {
      // Anew: after an error the library seeks no longer.
      let other = try SoundFileReader(path: path, anyRate: true)
      return unsafe sf_seek(other.file, sf_count_t(statedFrames - 1), SEEK_SET) < 0
    } catch { return false }
  }

  /// Makes frames at another rate; 0 at the end.
  private mutating func resample(_ wanted: Int) throws(SoundFileError) -> Int {
    while given < frameCount {
      if pending == 0 && !isEnded {
        try refill()
        continue
      }
      let most = min(wanted, frameCount - given)
      var made = try convert(atMost: most)
      if made == 0 && pending == 0 && isEnded {
        // The converter may end a frame before the rounded length: the rest is silence.
        sound.fill(0)
        made = most
      }
      given += made
      if made > 0 { return made }
    }
    return 0
  }

  private mutating func refill() throws(SoundFileError) {
    begin = 0
    pending = try fetch(Self.chunk)
    swap(&sound, &input)
    isEnded = pending < Self.chunk
    // Otherwise the rest of a length that nothing stands behind would be silence, hours of it.
    if isEnded { frameCount = min(frameCount, max(given, Self.frames(position, times: ratio))) }
  }

  /// Converts what is pending.
  private mutating func convert(atMost frames: Int) throws(SoundFileError) -> Int {
    let result = converter?.convert(
      input, from: begin, frames: pending, into: &sound, atMost: frames, ratio: ratio, isLast: isEnded)
    guard let result else { return 0 }
    guard result.code == 0 else {
      throw .damaged(path: path, frame: position, reason: unsafe words(src_strerror(result.code)))
    }
    begin += result.taken
    pending -= result.taken
    return result.made
  }
}

/// The library's words, without a full stop, and without the "Error : " that some of them begin with.
func words(_ text: UnsafePointer<CChar>?) -> String {
  guard let text = unsafe text else { return "unknown reason" }
  var result = unsafe String(cString: text)
  let mark = "Error : "
  if result.hasPrefix(mark) { result.removeFirst(mark.count) }
  while result.last == "." || result.last == " " { result.removeLast() }
  return result
}
