import Base
import CZBar
import Glibc

/// A camera of the Video for Linux kind, through ZBar's video support.
///
/// - Threads: one at a time; ``read(within:accepting:)`` blocks.
package struct Camera: Sendable, Equatable {
  /// Its device file.
  package let device: String

  /// Cameras of this machine, by their device numbers. A device that shows no pictures (some cameras have a
  /// second one for their settings) is found out when it is opened.
  package static func devices(in folder: String = "/dev") -> [Camera] {
    let numbers = Folder.names(in: folder).compactMap { name in
      name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
    }
    return numbers.sorted().map { Camera(device: "\(folder)/video\($0)") }
  }

  /// Time for which one camera is looked through while there are others: 5 s, less where not all would have a turn, but 1 s. Own choice:
  /// opened, a camera needs about a second until it has set its exposure, and a person holds the card before the one whose lamp is lit.
  static func turn(of limit: Duration, among count: Int) -> Duration {
    max(.seconds(1), min(.seconds(5), limit / count))
  }

  /// Reads from all cameras that work, by turns: one may be covered, as a closed notebook's is, or see infrared alone. A single one is
  /// looked through without a break.
  ///
  /// - Parameters:
  ///   - limit: Longest time to look.
  ///   - isAccepted: True for a text that is looked for; by default every one.
  /// - Returns: As ``read(within:accepting:)``.
  /// - Throws: ``PaperError``: ``PaperError/noCamera``; ``PaperError/noCodeSeen(devices:)`` with all that were looked through;
  ///   ``PaperError/cameraUnusable(device:reason:)`` when no camera works, for the first one.
  package static func read(
    within limit: Duration, from cameras: [Camera] = devices(),
    accepting isAccepted: (String) -> Bool = { _ in true }
  ) throws(PaperError) -> [String] {
    var first: PaperError?
    var working: [Camera] = []
    for camera in cameras {
      do throws(PaperError) {
        try camera.open { (_) throws(PaperError) in }
        working.append(camera)
      } catch { first = first ?? error }
    }
    guard !working.isEmpty else { throw first ?? .noCamera }
    return try read(within: limit, from: working, accepting: isAccepted) {
      (camera, time) throws(PaperError) in try camera.read(within: time, accepting: isAccepted)
    }
  }

  /// Looks through cameras by turns.
  ///
  /// - Parameters:
  ///   - cameras: At least one.
  ///   - look: Looks through one for a time, as ``read(within:accepting:)``; a stand-in in tests.
  static func read(
    within limit: Duration, from cameras: [Camera], accepting isAccepted: (String) -> Bool,
    look: (Camera, Duration) throws(PaperError) -> [String]
  ) throws(PaperError) -> [String] {
    let deadline = ContinuousClock.now + limit
    var seen = SeenCodes()
    let turn = turn(of: limit, among: cameras.count)
    var working = cameras
    var looked: Set<String> = []
    var first: PaperError?
    while let camera = working.first {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { break }
      working.removeFirst()
      looked.insert(camera.device)
      do throws(PaperError) {
        let texts = try look(camera, working.isEmpty ? left : min(turn, left))
        if let found = seen.take(texts, accepting: isAccepted) { return found }
        working.append(camera)
      } catch {
        switch error {
        case .noCodeSeen: working.append(camera)
        case .cameraUnusable: first = first ?? error
        default: throw error
        }
      }
    }
    if working.isEmpty, let first { throw first }
    guard !seen.others.isEmpty else {
      throw .noCodeSeen(
        devices: cameras.filter { working.contains($0) }.map(\.device).filter(looked.contains))
    }
    return seen.others
  }

  /// Looks through the camera until a code is read that is looked for.
  ///
  /// - Parameters:
  ///   - limit: Longest time to look.
  ///   - isAccepted: True for a text that is looked for; by default every one. A web address on the wall does not end the search
  ///     for a card.
  /// - Returns: Texts of all codes in the first picture in which there is such a one; once the time is over, all others that were
  ///   seen.
  /// - Throws: ``PaperError/cameraUnusable(device:reason:)``, ``PaperError/noCodeSeen(devices:)``.
  package func read(
    within limit: Duration, accepting isAccepted: (String) -> Bool = { _ in true }
  ) throws(PaperError) -> [String] {
    let deadline = ContinuousClock.now + limit
    return try open { (video) throws(PaperError) in
      try look(through: video, until: deadline, accepting: isAccepted)
    }
  }

  /// Opens the camera, and agrees with it on the form of its pictures, until `body` is done.
  ///
  /// - Throws: ``PaperError/cameraUnusable(device:reason:)``, and what `body` throws.
  private func open<Outcome>(
    _ body: (OpaquePointer) throws(PaperError) -> Outcome
  ) throws(PaperError) -> Outcome {
    guard let video = zbar_video_create() else { throw unusable("ZBar has no memory for it.") }
    defer { zbar_video_destroy(video) }
    // ZBar tells errors in its own words, with colour codes and source lines, only when asked to.
    zbar_set_verbosity(0)
    guard zbar_video_open(video, device) == 0 else { throw unusable(reason(video)) }
    // A dense card needs all the pixels there are; a camera that has fewer gives what it has.
    zbar_video_request_size(video, 1920, 1080)
    guard zbar_negotiate_format(video, nil) == 0 else { throw unusable(reason(video)) }
    return try body(video)
  }

  private func look(
    through video: OpaquePointer, until deadline: ContinuousClock.Instant,
    accepting isAccepted: (String) -> Bool
  ) throws(PaperError) -> [String] {
    var seen = SeenCodes()
    guard zbar_video_enable(video, 1) == 0 else { throw unusable(reason(video)) }
    defer { zbar_video_enable(video, 0) }
    while true {
      let left = (deadline - .now) / .milliseconds(1)
      guard left > 0 else { break }
      // A camera that delivers nothing must not hold the caller beyond its time.
      var ready = pollfd(fd: zbar_video_get_fd(video), events: Int16(POLLIN), revents: 0)
      guard ready.fd < 0 || poll(&ready, 1, Int32(left.rounded(.up))) > 0 else { continue }
      guard let image = zbar_video_next_image(video) else { throw unusable(reason(video)) }
      defer { zbar_image_destroy(image) }
      guard let grey = zbar_image_convert(image, SymbolScanner.grey) else { continue }
      defer { zbar_image_destroy(grey) }
      guard let picture = GreyPicture(copying: grey) else { continue }
      // Fresh pictures tell more than one looked at for long.
      let search = SymbolSearch(.milliseconds(250))
      if let texts = seen.take(search.texts(in: picture) ?? [], accepting: isAccepted) { return texts }
    }
    guard !seen.others.isEmpty else { throw .noCodeSeen(devices: [device]) }
    return seen.others
  }

  private func unusable(_ reason: String) -> PaperError { .cameraUnusable(device: device, reason: reason) }

  /// ZBar's last error as one sentence.
  private func reason(_ video: OpaquePointer) -> String {
    guard let text = zbar_video_error_string(video, 0) else { return "ZBar gives no reason." }
    let lines = String(cString: text).split(separator: "\n").map { line in
      line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
    return lines.joined(separator: "; ") + "."
  }
}

/// Codes in one picture after another, while one is looked for.
struct SeenCodes {
  /// Texts that are not looked for, each once, in the order in which they were seen.
  private(set) var others: [String] = []

  /// Takes the texts of the next picture.
  ///
  /// - Returns: All of them where one is looked for; otherwise nil.
  mutating func take(_ texts: [String], accepting isAccepted: (String) -> Bool) -> [String]? {
    if texts.contains(where: isAccepted) { return texts }
    for text in texts where !others.contains(text) && others.count < Self.mostOthers { others.append(text) }
    return nil
  }

  /// Texts kept at most: somebody may hold any number before a camera, and they are for a message.
  private static let mostOthers = 16
}

extension GreyPicture {
  /// Copies a picture of ZBar's in grey; nil when it has fewer bytes than pixels.
  fileprivate init?(copying image: OpaquePointer) {
    let (width, height) = (Int(zbar_image_get_width(image)), Int(zbar_image_get_height(image)))
    guard width > 0, height > 0, let data = zbar_image_get_data(image),
      zbar_image_get_data_length(image) >= UInt(width * height)
    else { return nil }
    let bytes = UnsafeRawBufferPointer(start: data, count: width * height)
    self.init(width: width, height: height, pixels: Array(bytes))
  }
}

/// ZBar's scanner, set to QR symbols only.
///
/// - Threads: one at a time.
final class SymbolScanner {
  private let scanner: OpaquePointer

  init() {
    scanner = zbar_image_scanner_create()
    zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
    zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1)
    zbar_image_scanner_enable_cache(scanner, 0)
  }

  deinit { zbar_image_scanner_destroy(scanner) }

  /// Texts of all symbols that ZBar reads in a picture as it is.
  func texts(in picture: GreyPicture) -> [String] {
    guard let image = zbar_image_create() else { return [] }
    defer { zbar_image_destroy(image) }
    zbar_image_set_format(image, Self.grey)
    zbar_image_set_size(image, UInt32(picture.width), UInt32(picture.height))
    return picture.pixels.withUnsafeBytes { bytes in
      zbar_image_set_data(image, bytes.baseAddress, UInt(bytes.count), nil)
      guard zbar_scan_image(scanner, image) > 0 else { return [] }
      var texts: [String] = []
      var symbol = zbar_image_first_symbol(image)
      while let here = symbol {
        if zbar_symbol_get_type(here) == ZBAR_QRCODE, let data = zbar_symbol_get_data(here) {
          let length = Int(zbar_symbol_get_data_length(here))
          let bytes = UnsafeRawBufferPointer(start: data, count: length)
          texts.append(String(decoding: bytes, as: UTF8.self))
        }
        symbol = zbar_symbol_next(here)
      }
      return texts
    }
  }

  /// One byte of brightness a pixel: "Y800" as a little-endian number (fourcc.org).
  static let grey: UInt = 0x3030_3859
}
