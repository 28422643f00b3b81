import Base
import Records
import Studies
import Synchronization

/// Bundles of versions that were read already, by their SHA-256: a version is never changed, so that it is read once for as long as a program runs.
///
/// - Threads: any.
final class KeptBundles: Sendable {
  private let read = Mutex<[String: StudyBundle]>([:])

  /// - Parameter content: Called for a version that was not read yet.
  func bundle(
    _ version: String, content: () throws(Failure) -> StudyVersion
  ) throws(Failure) -> StudyBundle {
    if let known = read.withLock({ $0[version] }) { return known }
    let kept = try content()
    let bundle: StudyBundle
    do throws(BundleError) { bundle = try StudyBundle(kept: kept.content) } catch {
      throw Failure(kept.study, inWords: "What is kept cannot be read: \(error)", exit: .badData)
    }
    // A row has each name once; a bundle that calls itself otherwise than its row would share the name of another's.
    guard bundle.study.id == kept.study, bundle.study.version == kept.version else {
      throw Failure(
        "version \(version.prefix(12)) of a study",
        inWords:
          "What is kept cannot be read: found another study or version in its bundle than in its row",
        exit: .badData)
    }
    read.withLock { $0[version] = bundle }
    return bundle
  }
}
