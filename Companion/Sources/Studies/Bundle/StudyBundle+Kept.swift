import Archives

extension StudyBundle {
  /// The bundle as an own study is kept: an archive without a signature. One study gives one file.
  ///
  /// - Throws: ``BundleError``, the first of ``faults``.
  public func archive() throws(BundleError) -> [UInt8] {
    if let fault = faults.first { throw fault }
    let files = content.paths.map { (name: $0, content: content.files[$0] ?? []) }
    do throws(ArchiveError) { return try ZipArchive.bytes(files) } catch { throw BundleError("", error) }
  }

  /// Takes an archive apart that was accepted when it was kept: its signature was verified then, and the hash by which
  /// it is kept is compared when it is read. What was accepted then is read also where another one would be refused now.
  ///
  /// - Throws: ``BundleError``.
  public init(kept archive: [UInt8]) throws(BundleError) {
    try self.init(Self.content(of: archive), isKept: true)
    if let fault = faults.first { throw fault }
  }

  /// Takes an author's archive apart, of whose signature nobody asks.
  ///
  /// - Throws: ``BundleError``, the first of ``faults`` too.
  public init(archive: [UInt8]) throws(BundleError) {
    try self.init(Self.content(of: archive))
    if let fault = faults.first { throw fault }
  }

  private static func content(of archive: [UInt8]) throws(BundleError) -> BundleContent {
    let limits = BundleContent.limits
    var files: [String: [UInt8]]
    do throws(ArchiveError) {
      files = try ZipArchive.files(
        archive,
        limits: ArchiveLimits(
          files: limits.files + BundleContent.reserved.count, bytes: limits.bytes + (1 << 22)))
    } catch { throw BundleError("", error) }
    for name in BundleContent.reserved { files[name] = nil }
    return try BundleContent(files)
  }
}
