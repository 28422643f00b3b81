import Base
import Glibc
import Records
import Studies

/// A study as it comes: an author's folder, or a bundle that somebody signed.
public enum StudyIntake {
  /// Reads a folder of an own study; a site's study is taken as a signed bundle alone.
  ///
  /// - Parameter trust: Signers that this person trusts.
  /// - Throws: ``Failure``; nothing is kept then.
  public static func version(
    at path: String, trust: some ManifestTrust
  ) throws(Failure) -> (StudyVersion, StudyBundle) {
    let bytes =
      try archive(at: path)
    do throws(BundleError) {
      guard let bytes else { return try own(StudyBundle(StudyFolder.content(of: path))) }
      let signed = try SignedBundle(archive: bytes, trust: trust)
      return (version(of: signed.bundle.study, signer: signed.signer.key, bytes), signed.bundle)
    } catch { throw Failure(path, inWords: "\(error)", exit: .badData) }
  }

  /// Reads a study as its author has it, whether it can be done or not: a folder, or a bundle whose signature nobody asks for.
  ///
  /// - Throws: ``Failure``.
  public static func author(at path: String) throws(Failure) -> StudyBundle {
    let bytes =
      try archive(at: path)
    do throws(BundleError) {
      guard let bytes else { return try StudyBundle(StudyFolder.content(of: path)) }
      return try StudyBundle(archive: bytes)
    } catch { throw Failure(path, inWords: "\(error)", exit: .badData) }
  }

  private static func own(_ bundle: StudyBundle) throws(BundleError) -> (StudyVersion, StudyBundle) {
    guard bundle.study.kind == .own else {
      throw BundleError(
        Study.file, place: "kind", found: "a site's study without a signature", expected: "a signed bundle",
        remedy: "sign it with: auricle study pack")
    }
    return (version(of: bundle.study, signer: "nobody", try bundle.archive()), bundle)
  }

  /// Bytes of a bundle; nil for a folder.
  private static func archive(at path: String) throws(Failure) -> [UInt8]? {
    guard !isFolder(path) else { return nil }
    do throws(Failure) {
      return try FileContent.bytes(of: path, limit: BundleContent.limits.bytes * 2)
    } catch {
      guard error.exitStatus == .noInput else { throw error }
      throw Failure(path, found: "no such file", expected: "a study's folder or its bundle", exit: .noInput)
    }
  }

  /// True for a folder; what is not there is told where it is read.
  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func version(of study: Study, signer: String, _ bytes: [UInt8]) -> StudyVersion {
    StudyVersion(study: study.id, version: study.version, signer: signer, content: bytes)
  }
}
