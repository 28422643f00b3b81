import Acoustics
import CSndfile
import Engine
import Glibc

/// Recordings in the forms that libsndfile reads, their headers and chunks, rendered as `auricle listen` does it.
struct SoundFiles: MutationKind {
  /// Frames of a recording: a fiftieth of a second, so that what a case costs is its header, not its sound.
  private static let frames = 882

  static let good: Set<String> = ["rendered"]

  let shelf: MaterialShelf
  private let scratch: String

  private static let hearing = HearingSettings(
    audiograms: Binaural(both: StandardAudiogram.n3.audiogram))

  init(scratch: String) throws {
    self.scratch = scratch
    let kinds: [(name: String, format: Int32)] = [
      ("pcm16.wav", Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_16)),
      ("float.wav", Int32(SF_FORMAT_WAV | SF_FORMAT_FLOAT)),
      ("extensible.wav", Int32(SF_FORMAT_WAVEX | SF_FORMAT_PCM_24)),
      ("adpcm.wav", Int32(SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM)),
      ("sound.flac", Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_16)),
      ("vorbis.ogg", Int32(SF_FORMAT_OGG | SF_FORMAT_VORBIS)),
      ("opus.ogg", Int32(SF_FORMAT_OGG | SF_FORMAT_OPUS)),
      ("sound.aiff", Int32(SF_FORMAT_AIFF | SF_FORMAT_PCM_16)),
      ("sound.au", Int32(SF_FORMAT_AU | SF_FORMAT_DOUBLE)),
      ("sound.caf", Int32(SF_FORMAT_CAF | SF_FORMAT_ALAC_16)),
      ("sound.w64", Int32(SF_FORMAT_W64 | SF_FORMAT_PCM_16)),
      ("large.rf64", Int32(SF_FORMAT_RF64 | SF_FORMAT_PCM_16)),
    ]
    let items = kinds.compactMap { kind -> MaterialShelf.Item? in
      let bytes = Self.recording(kind.format, at: scratch + "/valid")
      guard !bytes.isEmpty else { return nil }
      return MaterialShelf.Item(name: kind.name, material: ByteMaterial(bytes, places: 0..<160))
    }
    guard items.count >= 6 else { throw MutationFault(text: "libsndfile writes few kinds of files") }
    shelf = MaterialShelf(items)
    // FFTW measures once in a process for each rate that is processed: half a second that is no case's.
    let valid = scratch + "/valid.wav"
    Fixtures.write(items[0].material.unchanged, to: valid)
    for rate in [44_100, 48_000, 96_000] {
      var rendering = FileRendering(
        inputs: [valid], output: scratch + "/planned.wav", hearing: Self.hearing)
      rendering.sampleRate = rate
      _ = try rendering.run()
    }
  }

  mutating func outcome(of input: MutatedInput) throws -> String {
    let (source, output) = ("\(scratch)/\(input.name)", "\(scratch)/out.wav")
    Fixtures.write(input.bytes, to: source)
    defer {
      unlink(source)
      unlink(output)
    }
    let result = try FileRendering(inputs: [source], output: output, hearing: Self.hearing).run()
    for ear in [result.ears.left, result.ears.right] where !ear.limitedShare.isFinite {
      throw MutationFault(text: "a figure that is no number")
    }
    return "rendered"
  }

  /// A short tone in both ears; nothing where the library does not know the format.
  private static func recording(_ format: Int32, at path: String) -> [UInt8] {
    // Opus has rates of its own.
    let rate: Int32 = format & Int32(SF_FORMAT_SUBMASK) == Int32(SF_FORMAT_OPUS) ? 48_000 : 44_100
    var info = SF_INFO(
      frames: 0, samplerate: rate, channels: 2, format: format, sections: 0, seekable: 0)
    guard sf_format_check(&info) != 0, let file = sf_open(path, Int32(SFM_WRITE), &info) else { return [] }
    let samples = (0..<2 * frames).map { n in Float(0.1 * sin(0.07 * Double(n / 2))) }
    sf_writef_float(file, samples, sf_count_t(frames))
    sf_close(file)
    defer { unlink(path) }
    return Fixtures.bytes(of: path)
  }
}
