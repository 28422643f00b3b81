import CSndfile
import Glibc

extension SoundFileWriter {
  /// libsndfile's constant for a name and an encoding.
  ///
  /// - Throws: ``SoundFileError/formatRefused(path:expected:)``.
  static func format(path: String, encoding: SoundFileEncoding) throws(SoundFileError) -> Int32 {
    let ending = path.lastIndex(of: ".").map { path[$0...].lowercased() } ?? ""
    let container: Int
    switch ending {
    case ".wav": container = SF_FORMAT_WAV
    case ".flac" where encoding != .float32: container = SF_FORMAT_FLAC
    case ".flac": throw .formatRefused(path: path, expected: [".wav"])
    default: throw .formatRefused(path: path, expected: [".wav", ".flac"])
    }
    let samples =
      switch encoding {
      case .pcm16: SF_FORMAT_PCM_16
      case .pcm24: SF_FORMAT_PCM_24
      case .float32: SF_FORMAT_FLOAT
      }
    return Int32(container | samples)
  }

  /// Calls by which libsndfile reaches the file: through ``PendingFile``, which notes the first error that the library
  /// would forget, such as that of the header written at the end.
  static var calls: SF_VIRTUAL_IO {
    unsafe SF_VIRTUAL_IO(
      get_filelen: { unsafe sf_count_t(pending($0).length) },
      seek: { unsafe sf_count_t(pending($2).seek(Int($0), $1)) },
      read: { bytes, count, context in
        guard let bytes = unsafe bytes else { return 0 }
        return unsafe sf_count_t(pending(context).read(bytes, count: Int(count)))
      },
      write: { bytes, count, context in
        guard let bytes = unsafe bytes else { return 0 }
        return unsafe sf_count_t(pending(context).write(bytes, count: Int(count)))
      },
      tell: { unsafe sf_count_t(pending($0).seek(0, SEEK_CUR)) })
  }
}

/// The file behind a call of libsndfile; the writer keeps it alive.
private func pending(_ context: UnsafeMutableRawPointer?) -> PendingFile {
  guard let context = unsafe context else { preconditionFailure("libsndfile passes what it was given") }
  return unsafe Unmanaged<PendingFile>.fromOpaque(context).takeUnretainedValue()
}
