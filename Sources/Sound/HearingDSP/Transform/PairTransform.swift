import Base
import CFFTW
import Glibc
import Realtime
import Synchronization

/// Discrete Fourier transform of both ears at once, single precision (FFTW).
///
/// The left ear is the real part and the right ear the imaginary part of one complex signal: at these
/// lengths FFTW takes as long for a complex transform as for a real one, so the pair costs half.
/// The spectra come apart by symmetry, `L[k] = (Z[k] + Z*[N−k])/2` and `R[k] = (Z[k] − Z*[N−k])/2j`. The
/// inverse is not scaled: forward then inverse multiplies by ``length``; the chain puts the factor into
/// its gains.
///
/// - Shape: `length` complex values, interleaved; time side `left, right`, spectrum `re, im`.
/// - Threads: created and destroyed on `control`, run on `audio`.
@safe struct PairTransform: ~Copyable {
  let length: Int
  private let plans: PlanPair

  /// - Parameters:
  ///   - length: Frames, of the form 2ᵃ3ᵇ5ᶜ7ᵈ (others make FFTW allocate while running).
  ///   - isMeasured: The planner measures for the fastest plan. Default true; without, a third slower,
  ///     which suffices where a transform runs rarely and a start must not wait for its plan.
  /// - Throws: ``ChainError/noPlan(length:)``.
  init(length: Int, isMeasured: Bool = true) throws(ChainError) {
    let time = Buffer(count: 2 * length)
    let spectrum = Buffer(count: 2 * length)
    // Both plans rely on the alignment of AlignedBuffer and preserve their input.
    let flags = UInt32(isMeasured ? FFTW_MEASURE : FFTW_ESTIMATE) | UInt32(FFTW_PRESERVE_INPUT)
    let (input, output) = unsafe (Self.complex(time, 0), Self.complex(spectrum, 0))
    self.length = length
    plans = try unsafe PlanPair(length: length) {
      unsafe (
        fftwf_plan_dft_1d(Int32(length), input, output, FFTW_FORWARD, flags),
        fftwf_plan_dft_1d(Int32(length), output, input, FFTW_BACKWARD, flags)
      )
    }
  }

  /// Spectrum of the `length` frames of `time` that begin at frame `start`.
  ///
  /// - Parameter start: First frame; a multiple of 8, so that the plan's alignment holds.
  @_semantics("no_performance_analysis") @inline(never) func forward(
    _ time: borrowing Buffer, from start: Int, into spectrum: inout Buffer
  ) {
    precondition(start % 8 == 0 && 2 * (start + length) <= time.count && spectrum.count >= 2 * length)
    unsafe fftwf_execute_dft(plans.first, Self.complex(time, start), Self.complex(spectrum, 0))
  }

  /// Time signal of a spectrum, `length` times too large.
  @_semantics("no_performance_analysis") @inline(never) func inverse(
    _ spectrum: borrowing Buffer, into time: inout Buffer
  ) {
    precondition(spectrum.count >= 2 * length && time.count >= 2 * length)
    unsafe fftwf_execute_dft(plans.second, Self.complex(spectrum, 0), Self.complex(time, 0))
  }

  /// The same memory as FFTW's complex type, which is a pair of floats.
  private static func complex(
    _ buffer: borrowing Buffer, _ frame: Int
  ) -> UnsafeMutablePointer<fftwf_complex> {
    unsafe UnsafeMutableRawPointer(buffer.pointer + 2 * frame).assumingMemoryBound(to: fftwf_complex.self)
  }
}

/// Two plans of FFTW's that are made and destroyed together.
///
/// - Threads: created and destroyed on `control`.
@safe struct PlanPair: ~Copyable {
  let first: fftwf_plan
  let second: fftwf_plan

  /// - Throws: ``ChainError/noPlan(length:)`` where `make` gave nil.
  init(length: Int, _ make: () -> (fftwf_plan?, fftwf_plan?)) throws(ChainError) {
    var plans: (fftwf_plan?, fftwf_plan?)
    FFTPlanning.exclusively { unsafe plans = make() }
    guard let first = unsafe plans.0, let second = unsafe plans.1 else { throw .noPlan(length: length) }
    unsafe (self.first, self.second) = (first, second)
  }

  deinit {
    let (first, second) = unsafe (first, second)
    FFTPlanning.exclusively {
      unsafe fftwf_destroy_plan(first)
      unsafe fftwf_destroy_plan(second)
    }
  }
}

/// FFTW's planner, which is one per process and not thread-safe.
///
/// - Threads: `control`. Planning measures for 0.1–0.3 s without wisdom and takes about 1 ms with it; it
///   overwrites the buffers it is given.
public enum FFTPlanning {
  private static let planner = Mutex(())

  /// Result of reading kept wisdom.
  public enum Recall: Sendable, Equatable {
    case recalled
    /// No readable file, or one of another version of FFTW or of an earlier form.
    case nothing
    /// The file's checksum is wrong. FFTW was not given its text.
    case damaged
  }

  /// Runs `body` while no other thread plans.
  static func exclusively(_ body: () -> Void) { planner.withLock { _ in body() } }

  /// Reads wisdom that an earlier run kept. FFTW ends the process on some damaged texts, so it is given a
  /// text with a right checksum or none.
  ///
  /// - Parameter path: File written by ``keepWisdom(at:)``.
  /// - Returns: Outcome; any but ``Recall/recalled`` costs planning time alone.
  @discardableResult public static func recallWisdom(from path: String) -> Recall {
    guard let file = WisdomFile.bytes(of: path) else { return .nothing }
    switch WisdomFile.content(of: file, version: version) {
    case .foreign: return .nothing
    case .damaged: return .damaged
    case .whole(let text):
      var isUnderstood = false
      let terminated = text.map(CChar.init(bitPattern:)) + [0]
      exclusively { isUnderstood = unsafe fftwf_import_wisdom_from_string(terminated) != 0 }
      return isUnderstood ? .recalled : .nothing
    }
  }

  /// Writes the planner's wisdom to a file, whole or not at all, unless the file holds it already.
  ///
  /// - Returns: False when the file cannot be written; the next start then plans anew.
  @discardableResult public static func keepWisdom(at path: String) -> Bool {
    guard let learnt = wisdom() else { return false }
    if let file = WisdomFile.bytes(of: path),
      case .whole(let kept) = WisdomFile.content(of: file, version: version),
      lines(of: kept) == lines(of: learnt)
    {
      return true
    }
    do throws(SystemError) {
      let draft = try FileDraft(of: path, mode: 0o600)
      try draft.write(WisdomFile.file(learnt, version: version))
      try draft.publish()
      return true
    } catch { return false }
  }

  /// FFTW's version and the instruction sets that it was built for.
  private static let version = unsafe String(cString: cfftw_version())

  /// The planner's wisdom; nil without memory for it.
  private static func wisdom() -> [UInt8]? {
    var wisdom: [UInt8]?
    exclusively {
      guard let text = unsafe fftwf_export_wisdom_to_string() else { return }
      wisdom = unsafe Array(String(cString: text).utf8)
      unsafe free(text)
    }
    return wisdom
  }

  /// Lines of wisdom as a set: FFTW writes them in the order of a hash table.
  private static func lines(of wisdom: [UInt8]) -> Set<ArraySlice<UInt8>> {
    Set(wisdom.split(separator: UInt8(ascii: "\n")))
  }
}

/// File of FFTW's wisdom: one line with form, version of FFTW, length and checksum, then FFTW's text.
///
///     auricle-wisdom 1 fftw-3.3.10-sse2-avx 2310 b90956c775a41001
///     (fftw-3.3.10 fftwf_wisdom #x… …
///
/// The checksum covers the first line too. It guards against failing disks and broken writes, not against a
/// person who may write the file.
enum WisdomFile {
  enum Content: Equatable {
    case whole([UInt8])
    /// Whole, but for another version of FFTW; or FFTW's text alone, as earlier versions of this program
    /// wrote it.
    case foreign
    case damaged
  }

  /// Largest file read, bytes: a few thousand are usual.
  private static let greatestSize = 1 << 20

  static func file(_ text: [UInt8], version: String) -> [UInt8] {
    let line = Array("auricle-wisdom 1 \(version) \(text.count) ".utf8)
    let digits = String(checksum(line + text), radix: 16)
    return line + Array("\(String(repeating: "0", count: 16 - digits.count))\(digits)\n".utf8) + text
  }

  static func content(of file: [UInt8], version: String) -> Content {
    if file.starts(with: "(fftw".utf8) { return .foreign }
    guard let end = file.prefix(256).firstIndex(of: UInt8(ascii: "\n")),
      let line = String(validating: file[..<end], as: UTF8.self)
    else { return .damaged }
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    let text = Array(file[(end + 1)...])
    // Made again and compared, so that no number of the file is converted.
    guard words.count == 5, self.file(text, version: String(words[2])) == file else { return .damaged }
    return words[2] == version ? .whole(text) : .foreign
  }

  /// The file's bytes; nil without a readable file. One that is too large, or none of bytes, counts as
  /// damaged.
  static func bytes(of path: String) -> [UInt8]? {
    do throws(Failure) { return try FileContent.bytes(of: path, limit: greatestSize) } catch {
      return error.exitStatus == .badData ? [] : nil
    }
  }

  /// CRC-64/XZ (polynomial of ECMA-182, both ends reflected; catalogue of parametrised CRC algorithms):
  /// finds every change within 64 bits in a row. Of "123456789" it is 995dc9bbdf1939fa.
  static func checksum(_ bytes: [UInt8]) -> UInt64 {
    var rest = ~UInt64(0)
    for byte in bytes {
      rest ^= UInt64(byte)
      for _ in 0..<8 { rest = rest & 1 == 1 ? rest >> 1 ^ 0xC96C_5795_D787_0F42 : rest >> 1 }
    }
    return ~rest
  }
}
