import Archives

extension StudyBundle {
  /// The bundle as a signed archive: manifest, signature, and then the files by their paths. One study and one signature give one file.
  ///
  /// - Throws: ``BundleError`` of the signer, or the first of ``faults``.
  public func archive(signedBy signer: some ManifestSigner) throws(BundleError) -> [UInt8] {
    if let fault = faults.first { throw fault }
    let manifest = Manifest(content).bytes
    return try archive(manifest: manifest, signer.signature(of: manifest))
  }

  fileprivate func archive(manifest: [UInt8], _ signature: [UInt8]) throws(BundleError) -> [UInt8] {
    let files = content.paths.map { (name: $0, content: content.files[$0] ?? []) }
    do throws(ArchiveError) {
      return try ZipArchive.bytes([(Manifest.file, manifest), (Manifest.signatureFile, signature)] + files)
    } catch { throw BundleError("", error) }
  }
}

extension SignedBundle {
  /// Reads an archive whose every byte its signer has signed.
  ///
  /// - Parameters:
  ///   - trust: Asked first: nothing of what an unknown signer packed is read.
  ///   - isKept: As of ``Questionnaire/init(fhir:isKept:)``.
  /// - Throws: ``BundleError`` naming the file that is missing, additional, another, or not understood.
  public init(
    archive bytes: [UInt8], trust: some ManifestTrust, isKept: Bool = false
  ) throws(BundleError) {
    let opened = try OpenedArchive(bytes, trust)
    (signer, manifest) = (opened.signer, opened.manifest)
    bundle = try StudyBundle(opened.content, isKept: isKept)
    // The files are as they were signed; so is everything around them, for one study and one signature have one form.
    guard try bundle.archive(manifest: opened.text, opened.signature) == bytes else {
      throw BundleError(
        "", found: "changed bytes between its files", expected: "the archive as it was signed",
        remedy: "fetch the bundle again")
    }
    if let fault = bundle.faults.first { throw fault }
  }

  /// Signer of a version that is kept, by its signature and the hash of each file.
  ///
  /// The packing of its files is not compared: another version of libarchive may pack them otherwise.
  ///
  /// - Throws: ``BundleError`` for one that nobody trusted has signed, an own study too.
  public static func signer(
    ofKept archive: [UInt8], trust: some ManifestTrust
  ) throws(BundleError) -> BundleSigner {
    try OpenedArchive(archive, trust).signer
  }
}

/// An archive taken apart: its files are those of its manifest, and its signer has signed that.
private struct OpenedArchive {
  /// Longest signature, bytes. Own choice: several times one with its key and names.
  private static let longestSignature = 1 << 16

  /// Bytes of the manifest, which are what is signed.
  let text: [UInt8]
  let signature: [UInt8]
  let signer: BundleSigner
  let manifest: Manifest
  let content: BundleContent

  init(_ bytes: [UInt8], _ trust: some ManifestTrust) throws(BundleError) {
    // The archive is not much larger than its content, and that is bounded.
    let limits = BundleContent.limits
    guard bytes.count <= limits.bytes + (limits.files + 2) * 1024 else {
      throw BundleError("", .tooManyBytes(limit: limits.bytes))
    }
    var files: [String: [UInt8]]
    do throws(ArchiveError) {
      let reserved = BundleContent.reserved.count
      files = try ZipArchive.files(
        bytes, limits: ArchiveLimits(files: limits.files + reserved, bytes: limits.bytes + (1 << 22)))
    } catch { throw BundleError("", error) }
    text = try Self.take(Manifest.file, of: &files)
    signature = try Self.take(Manifest.signatureFile, of: &files)
    guard signature.count <= Self.longestSignature else { throw .wrongSignature }
    signer = try trust.signer(of: text, signature: signature)
    manifest = try Manifest(text)
    content = try BundleContent(files)
    try manifest.verify(Manifest(content))
  }

  private static func take(_ path: String, of files: inout [String: [UInt8]]) throws(BundleError) -> [UInt8]
  {
    guard let bytes = files.removeValue(forKey: path) else {
      throw BundleError(
        path, found: "no such file", expected: "one",
        remedy: "name a signed bundle; `auricle study pack` makes one")
    }
    return bytes
  }
}
