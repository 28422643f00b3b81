import Base
import Glibc
import Records
import Studies

/// A study as it comes: an author's folder, or a bundle that somebody signed.
public enum StudyIntake {
  /// Reads a folder of an own study; a site's study is taken as a signed bundle alone.
  ///
  /// - Parameters:
  ///   - trust: Signers that this person trusts.
  ///   - isKept: True for the SHA-256 of a version that the database has already: what was accepted when it was
  ///     kept is read also where another one would be refused now. Asked of such a one alone.
  /// - Throws: ``Failure``; nothing is kept then.
  public static func version(
    at path: String, trust: some ManifestTrust, isKept: (_ sha256: String) throws(Failure) -> Bool
  ) throws(Failure) -> (StudyVersion, StudyBundle) {
    let bytes = try archive(at: path)
    func intake(asKept: Bool) throws(BundleError) -> (StudyVersion, StudyBundle) {
      guard let bytes else {
        return try own(StudyBundle(StudyFolder.content(of: path), isKept: asKept))
      }
      let signed = try SignedBundle(archive: bytes, trust: trust, isKept: asKept)
      return (version(of: signed.bundle.study, signer: signed.signer.key, bytes), signed.bundle)
    }
    return try reading(path, intake) { kept throws(Failure) in try isKept(kept.0.sha256) }
  }

  /// Reads a study as its author has it, whether it can be done or not: a folder, or a bundle whose signature nobody asks for.
  ///
  /// - Parameter isKept: As of ``version(at:trust:isKept:)``; an author's folder is no version yet.
  /// - Throws: ``Failure``.
  public static func author(
    at path: String, isKept: (_ sha256: String) throws(Failure) -> Bool = { _ in false }
  ) throws(Failure) -> StudyBundle {
    let bytes = try archive(at: path)
    func bundle(asKept: Bool) throws(BundleError) -> StudyBundle {
      guard let bytes else { return try StudyBundle(StudyFolder.content(of: path)) }
      return try asKept ? StudyBundle(kept: bytes) : StudyBundle(archive: bytes)
    }
    return try reading(path, bundle) { _ throws(Failure) in
      guard let bytes else { return false }
      return try isKept(Hash.text(bytes))
    }
  }

  /// True for a bundle, which its signer has published, and false for a folder, which its author may change.
  public static func isBundle(_ path: String) -> Bool { !isFolder(path) }

  /// Reads a study, and one that is refused now as it was read when it was kept, where the database has it.
  private static func reading<Outcome>(
    _ path: String, _ intake: (_ asKept: Bool) throws(BundleError) -> Outcome,
    isKept: (Outcome) throws(Failure) -> Bool
  ) throws(Failure) -> Outcome {
    do throws(BundleError) { return try intake(false) } catch {
      let refusal = Failure(path, inWords: "\(error)", exit: .badData)
      let kept: Outcome
      do throws(BundleError) { kept = try intake(true) } catch { throw refusal }
      guard try isKept(kept) else { throw refusal }
      return kept
    }
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
