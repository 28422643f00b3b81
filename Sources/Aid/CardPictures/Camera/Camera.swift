import CZBar
import Glibc

/// A camera of the Video for Linux kind, through ZBar's video support.
///
/// - Threads: one at a time; ``read(within:)`` blocks.
package struct Camera: Sendable, Equatable {
  /// Its device file.
  package let device: String

  /// A camera by its device file.
  package init(device: String) { self.device = device }

  /// Cameras of this machine, by their device numbers. A device that shows no pictures (some cameras have a
  /// second one for their settings) is found out when it is opened.
  package static var devices: [Camera] { devices(in: "/dev") }

  static func devices(in folder: String) -> [Camera] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var numbers: [Int] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix("video"), let number = Int(name.dropFirst(5)) { numbers.append(number) }
    }
    return numbers.sorted().map { Camera(device: "\(folder)/video\($0)") }
  }

  /// Reads from the first camera that works.
  ///
  /// - Parameter limit: How long to look.
  /// - Throws: ``CameraError``: `none`; `noCode`; `unusable` when no camera works, for the first one.
  package static func read(within limit: Duration) throws(CameraError) -> [String] {
    try read(within: limit, from: devices)
  }

  static func read(within limit: Duration, from cameras: [Camera]) throws(CameraError) -> [String] {
    var first: CameraError?
    for camera in cameras {
      do {
        return try camera.read(within: limit)
      } catch .unusable(let device, let reason) {
        first = first ?? .unusable(device: device, reason: reason)
      }
    }
    throw first ?? .none
  }

  /// Looks through the camera until a code is read.
  ///
  /// - Parameter limit: How long to look.
  /// - Returns: Texts of all codes in the first picture in which there is one.
  /// - Throws: ``CameraError``: `unusable` or `noCode`.
  package func read(within limit: Duration) throws(CameraError) -> [String] {
    let deadline = ContinuousClock.now + limit
    guard let video = zbar_video_create() else { throw unusable("ZBar has no memory for it.") }
    defer { zbar_video_destroy(video) }
    // ZBar tells errors in its own words, with colour codes and source lines, only when asked to.
    zbar_set_verbosity(0)
    guard zbar_video_open(video, device) == 0 else { throw unusable(reason(video)) }
    // A dense card needs all the pixels there are; a camera that has fewer gives what it has.
    zbar_video_request_size(video, 1920, 1080)
    guard zbar_negotiate_format(video, nil) == 0, zbar_video_enable(video, 1) == 0 else {
      throw unusable(reason(video))
    }
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
      let texts = search.texts(in: picture)
      if !texts.isEmpty { return texts }
    }
    throw .noCode(device: device)
  }

  private func unusable(_ reason: String) -> CameraError { .unusable(device: device, reason: reason) }

  /// ZBar's last error as one sentence.
  private func reason(_ video: OpaquePointer) -> String {
    guard let text = zbar_video_error_string(video, 0) else { return "ZBar gives no reason." }
    let lines = String(cString: text).split(separator: "\n").map { line in
      line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
    return lines.joined(separator: "; ") + "."
  }
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

/// Why a camera shows no code.
package enum CameraError: Error, Equatable, CustomStringConvertible {
  /// There is no camera.
  case none
  /// The camera cannot be used; `reason` is ZBar's own word.
  case unusable(device: String, reason: String)
  /// No code was seen in time.
  case noCode(device: String)

  package var description: String {
    switch self {
    case .none:
      "No camera was found: there is no /dev/video device. Connect one, or photograph the card and give the "
        + "picture's file."
    case .unusable(let device, let reason):
      "The camera \(device) cannot be used: \(reason) End other programs that use it, see that you may read "
        + "it (group video), or photograph the card and give the picture's file."
    case .noCode(let device):
      "The camera \(device) saw no code in time. Hold the card flat, well lit, so that the code fills half of "
        + "the picture."
    }
  }
}
