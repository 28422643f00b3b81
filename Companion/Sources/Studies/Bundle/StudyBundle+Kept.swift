import Archives
import Questionnaires

extension StudyBundle {
  /// The bundle as an own study is kept: an archive without a signature. One study gives one file.
  ///
  /// - Throws: ``BundleError``, the first of ``faults``.
  public func archive() throws(BundleError) -> [UInt8] {
    if let fault = faults.first { throw fault }
    let files = content.paths.map { (name: $0, content: content.files[$0] ?? []) }
    do throws(ArchiveError) { return try ZipArchive.bytes(files) } catch { throw BundleError("", error) }
  }

  /// Takes an archive apart that was accepted when it was kept: its signature was verified then.
  ///
  /// - Throws: ``BundleError``.
  public init(kept archive: [UInt8]) throws(BundleError) {
    let limits = BundleContent.limits
    var files: [String: [UInt8]]
    do throws(ArchiveError) {
      files = try ZipArchive.files(
        archive,
        limits: ArchiveLimits(
          files: limits.files + BundleContent.reserved.count, bytes: limits.bytes + (1 << 22)))
    } catch { throw BundleError("", error) }
    for name in BundleContent.reserved { files[name] = nil }
    try self.init(BundleContent(files))
    if let fault = faults.first { throw fault }
  }
}

extension StudyContent {
  /// The study as it runs.
  ///
  /// - Throws: ``BundleError`` for a questionnaire that is not there or cannot be shown.
  public init(_ bundle: StudyBundle) throws(BundleError) {
    var outlines: [String: Outline] = [:]
    for entry in bundle.study.questionnaires {
      guard let questionnaire = bundle.questionnaires[entry.id] else {
        throw BundleError(
          entry.file, found: "no such file", expected: "a questionnaire", remedy: "see: auricle study check"
        )
      }
      do throws(Outline.Fault) { outlines[entry.id] = try Outline(questionnaire) } catch {
        throw BundleError(
          entry.file, found: "\(error)", expected: "a questionnaire that can be shown",
          remedy: "see: auricle study check")
      }
    }
    self.init(bundle.study, outlines: outlines)
  }
}
