import CSndfile
import Glibc
import Realtime

/// Writes a sound file of 24 bits and two channels that appears whole or not at all.
///
/// The sound goes to a file without a name, which takes the name at ``finish(replacing:)``. Dropping the writer
/// without finishing leaves nothing. Samples are scaled by 2^23 and rounded, so that a file of 24 bits or
/// fewer that was read is written back bit for bit.
///
/// - Threads: control.
@safe public struct SoundFileWriter: ~Copyable {
  /// Name of the file.
  public let path: String
  /// Samples that did not fit full scale and were held there, or were not a number.
  public private(set) var clippedSamples = 0

  private let pending: PendingFile
  private let file: OpaquePointer
  /// Bytes expected in all; 0 when not known.
  private let expectedBytes: Int
  private var interleaved = AlignedBuffer<Int32>(count: 2 * Self.chunk)
  private static let chunk = 4096
  private static let bytesPerFrame = 6
  /// Most bytes of sound in a WAV file, whose lengths have 32 bits: 4.5 hours at 44.1 kHz. What is left of
  /// them is more than its header takes.
  static let greatestWAV = (1 << 32) - 4096
  /// Most bytes of sound in this file.
  private let mostBytes: Int
  /// Frames written.
  private var written = 0

  /// Begins a file. Its format is that of its name: `.wav` or `.flac`.
  ///
  /// - Parameters:
  ///   - path: Its name; a file that has it already is replaced at the end, unless ``finish(replacing:)`` says otherwise.
  ///   - rate: Hz, 1 or more.
  ///   - expectedFrames: Length to come, if known: room for it is made sure of before the work begins.
  ///   - mode: Permissions; by default the user's umask decides.
  /// - Throws: ``SoundFileError``: `formatRefused`, `unwritable`, `diskFull`, `tooLong`, `failed`.
  public init(
    path: String, rate: Int, expectedFrames: Int? = nil, mode: UInt32 = 0o666
  ) throws(SoundFileError) {
    let container = try Self.container(path: path)
    try self.init(
      try PendingFile(path: path, mode: mode), container: container, rate: rate,
      expectedFrames: expectedFrames)
  }

  /// - Parameter greatestWAV: Most bytes of sound in a WAV file; fewer in tests.
  init(
    _ pending: PendingFile, container: Int, rate: Int, expectedFrames: Int?,
    greatestWAV: Int = SoundFileWriter.greatestWAV
  ) throws(SoundFileError) {
    precondition(rate >= 1, "the rate is positive")
    let (bytes, overflow) = (expectedFrames ?? 0).multipliedReportingOverflow(by: Self.bytesPerFrame)
    let needed = overflow ? Int.max : bytes
    // FLAC's length has 36 bits, of frames, and what it will make of the sound is not known beforehand.
    let most = container == SF_FORMAT_WAV ? greatestWAV : .max
    // First: on no disk would there be room for it.
    guard needed <= most else { throw .tooLong(path: pending.path, most: most) }
    if container == SF_FORMAT_WAV && needed > pending.freeBytes {
      throw .diskFull(path: pending.path, needed: needed, free: pending.freeBytes)
    }
    var info = SF_INFO()
    info.samplerate = Int32(clamping: rate)
    info.channels = 2
    info.format = Int32(container | SF_FORMAT_PCM_24)
    var calls = Self.calls
    let context = unsafe Unmanaged.passUnretained(pending).toOpaque()
    guard let opened = unsafe sf_open_virtual(&calls, Int32(SFM_WRITE), &info, context) else {
      throw pending.failure != 0
        ? pending.error : .failed(path: pending.path, reason: unsafe words(sf_strerror(nil)))
    }
    unsafe file = opened
    path = pending.path
    self.pending = pending
    expectedBytes = needed
    mostBytes = most
  }

  deinit {
    unsafe sf_close(file)
    withExtendedLifetime(pending) {}
  }

  /// Appends frames.
  ///
  /// - Shape: both spans have the same length.
  /// - Throws: ``SoundFileError``: `diskFull`, `unwritable`, `failed`. Drop the writer then: nothing is
  ///   left. `tooLong`: nothing of these frames was written, and those before can be finished.
  public mutating func write(left: Span<Float>, right: Span<Float>) throws(SoundFileError) {
    let count = left.count
    precondition(right.count == count, "both ears have the same number of frames")
    // A length beyond its header's 32 bits would be stated as the rest of a division by 2^32.
    guard count <= mostBytes / Self.bytesPerFrame - written else {
      throw .tooLong(path: path, most: mostBytes)
    }
    var done = 0
    while done < count {
      let frames = min(count - done, Self.chunk)
      encode(left, done, frames, channel: 0)
      encode(right, done, frames, channel: 1)
      guard put(frames) == frames, pending.failure == 0 else { throw failure }
      done += frames
    }
    written += count
  }

  /// Completes the file and gives it its name.
  ///
  /// - Parameter replacing: False: a file that has the name stays, and this fails with `unwritable` and `EEXIST`.
  /// - Throws: ``SoundFileError``, as ``write(left:right:)``; nothing is left then.
  public consuming func finish(replacing: Bool = true) throws(SoundFileError) {
    // Header and the last compressed frames: those of a file that is closed cannot be asked for again.
    unsafe sf_write_sync(file)
    let pending = pending
    Self.end(consume self)
    if pending.failure != 0 { throw pending.error }
    try pending.commit(replacing: replacing)
  }

  /// Closes the library's side by ending the writer's life.
  private static func end(_ writer: consuming SoundFileWriter) {}

  private mutating func encode(_ input: Span<Float>, _ first: Int, _ frames: Int, channel: Int) {
    let raw = unsafe UnsafeMutableRawPointer(interleaved.pointer)
    clippedSamples += unsafe input.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return 0 }
      return unsafe SampleFormat.signed24.encode(
        base + first, frames: frames, into: raw, channels: 2, channel: channel)
    }
  }

  /// Gives interleaved frames to the library, which wants 24 bits in the upper bytes of 32.
  private mutating func put(_ frames: Int) -> Int {
    for n in 0..<2 * frames { interleaved[n] &<<= 8 }
    return Int(unsafe sf_writef_int(file, interleaved.pointer, sf_count_t(frames)))
  }

  /// Reason for which the last write failed.
  private var failure: SoundFileError {
    if pending.failure == 0 { return .failed(path: path, reason: unsafe words(sf_strerror(file))) }
    if case .diskFull(let path, let needed, let free) = pending.error {
      let missing = max(expectedBytes - pending.length, needed)
      return .diskFull(path: path, needed: missing, free: free)
    }
    return pending.error
  }
}

extension SoundFileWriter {
  /// libsndfile's constant for the ending of a name.
  ///
  /// - Throws: ``SoundFileError/formatRefused(path:expected:)``.
  static func container(path: String) throws(SoundFileError) -> Int {
    switch path.lastIndex(of: ".").map({ path[$0...].lowercased() }) {
    case ".wav": return SF_FORMAT_WAV
    case ".flac": return SF_FORMAT_FLAC
    default: throw .formatRefused(path: path, expected: [".wav", ".flac"])
    }
  }

  /// Calls by which libsndfile reaches the file: through ``PendingFile``, which notes the first error that
  /// the library would forget, such as that of the header written at the end.
  static var calls: SF_VIRTUAL_IO {
    unsafe SF_VIRTUAL_IO(
      get_filelen: { unsafe sf_count_t(pendingFile(of: $0).length) },
      seek: { unsafe sf_count_t(pendingFile(of: $2).seek(Int($0), $1)) },
      read: { bytes, count, context in
        guard let bytes = unsafe bytes else { return 0 }
        return unsafe sf_count_t(pendingFile(of: context).read(bytes, count: Int(count)))
      },
      write: { bytes, count, context in
        guard let bytes = unsafe bytes else { return 0 }
        return unsafe sf_count_t(pendingFile(of: context).write(bytes, count: Int(count)))
      },
      tell: { unsafe sf_count_t(pendingFile(of: $0).seek(0, SEEK_CUR)) })
  }
}

/// The file behind a call of libsndfile; the writer keeps it alive.
private func pendingFile(of context: UnsafeMutableRawPointer?) -> PendingFile {
  guard let context = unsafe context else { preconditionFailure("libsndfile passes what it was given") }
  return unsafe Unmanaged<PendingFile>.fromOpaque(context).takeUnretainedValue()
}
