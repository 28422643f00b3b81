import AudioIO
import Base
import Glibc

/// End of a recording as its own header states it, by which a copy or a download that broke off is found.
enum RecordingEnd {
  /// Bytes that may be missing unsaid; own choice: some programs count a header twice.
  private static let tolerance = 4096
  /// Time that may be missing unsaid, s; own choice: of most compressed sound the length is estimated.
  private static let shortest = 0.5
  /// The same where the length is stated exactly: what rounding makes of it at another rate, and what is told in hundredths.
  private static let exact = 0.01
  /// Size of a WAV file from which on it stands for one that was not known when the header was written, as where sox or ffmpeg
  /// write into a pipe.
  private static let unknown = 0x7FFF_0000

  /// A caution about a recording whose end is missing, a sentence; nil: it is as long as it states.
  ///
  /// - Parameter heard: Sound that was found in it, s.
  static func caution(_ path: String, heard: Double) -> String? {
    if let (stated, there) = sizes(path) {
      guard there + tolerance < stated else { return nil }
      return "\(path) is cut off: it has \(there) of the \(stated) bytes that it states."
        + " What is missing was not rendered."
    }
    let stated: Double
    let unsaid: Double
    do throws(SoundFileError) {
      let reader = try SoundFileReader(path: path, anyRate: true)
      stated = Double(reader.frameCount) / Double(reader.rate)
      unsaid = reader.isLengthExact ? exact : shortest
    } catch { return nil }
    guard stated > heard + unsaid else { return nil }
    return "\(path) is cut off: it states \(DecibelText.seconds(stated)) and ends after"
      + " \(DecibelText.seconds(heard))."
  }

  /// The same of a recording that is streamed while another one is rendered: it counts as far as that one goes.
  ///
  /// - Parameter end: Length of the rendering, s.
  static func caution(streamed path: String, until end: Double) -> String? {
    if sizes(path) != nil { return caution(path, heard: end) }
    let heard: Double
    do throws(SoundFileError) { heard = try length(of: path, atMost: end) } catch { return nil }
    return heard < end ? caution(path, heard: heard) : nil
  }

  /// Sound that there is in a recording, s.
  ///
  /// - Parameter end: Time from which on nothing is read, s.
  private static func length(of path: String, atMost end: Double) throws(SoundFileError) -> Double {
    var reader = try SoundFileReader(path: path, anyRate: true)
    let rate = reader.rate
    var left = [Float](repeating: 0, count: rate)
    var right = left
    var frames = 0
    while Double(frames) < end * Double(rate) {
      var leftSpan = left.mutableSpan
      var rightSpan = right.mutableSpan
      let got = try reader.read(left: &leftSpan, right: &rightSpan)
      frames += got
      if got < rate { break }
    }
    return Double(frames) / Double(rate)
  }

  /// Bytes of a WAV file that its header states, and those that there are; nil for another kind of file.
  private static func sizes(_ path: String) -> (stated: Int, there: Int)? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    // "RIFF", the size of what follows, "WAVE" (Multimedia Programming Interface and Data Specifications 1.0).
    var head = [UInt8](repeating: 0, count: 12)
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      read(descriptor, &head, 12) == 12, head.starts(with: "RIFF".utf8),
      head[8...].elementsEqual("WAVE".utf8)
    else { return nil }
    let size = head[4..<8].reversed().reduce(0) { sum, byte in sum << 8 | Int(byte) }
    let there = Int(status.st_size)
    return (stated: size < unknown ? size + 8 : there, there: there)
  }
}
