@testable import Paper

/// PDF files written by hand (ISO 32000-1, 7.5): objects, their places, a trailer.
struct SamplePDF {
  private var objects: [[UInt8]] = []
  private var trailer = ""

  /// Pages of A4, each with one picture or none, 84 mm wide.
  init(pages: [GreyPicture?]) {
    let kids = pages.indices.map { "\(3 + 3 * $0) 0 R" }.joined(separator: " ")
    objects = [
      Array("<< /Type /Catalog /Pages 2 0 R >>".utf8),
      Array("<< /Type /Pages /Kids [\(kids)] /Count \(pages.count) >>".utf8),
    ]
    for (k, picture) in pages.enumerated() {
      let (content, image) = (4 + 3 * k, 5 + 3 * k)
      let resources = picture == nil ? "<< >>" : "<< /XObject << /Code \(image) 0 R >> >>"
      objects.append(
        Array(
          ("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources \(resources) "
            + "/Contents \(content) 0 R >>").utf8))
      // 84 mm are 238 points of 1/72 inch.
      objects.append(Self.stream("", Array((picture == nil ? "" : "238 0 0 238 100 500 cm /Code Do").utf8)))
      let (width, height) = (picture?.width ?? 1, picture?.height ?? 1)
      objects.append(
        Self.stream(
          "/Type /XObject /Subtype /Image /Width \(width) /Height \(height) /ColorSpace /DeviceGray "
            + "/BitsPerComponent 8", picture?.pixels ?? [255]))
    }
  }

  /// Asks for a password: neither value belongs to the empty one (ISO 32000-1, 7.6.3).
  mutating func lock() {
    let key = String(repeating: "41", count: 32)
    objects.append(Array("<< /Filter /Standard /V 1 /R 2 /O <\(key)> /U <\(key)> /P -4 >>".utf8))
    trailer = "/Encrypt \(objects.count) 0 R /ID [<\(key)> <\(key)>]"
  }

  /// The file.
  var bytes: [UInt8] {
    var bytes = Array("%PDF-1.4\n".utf8)
    var places: [Int] = []
    for (k, object) in objects.enumerated() {
      places.append(bytes.count)
      bytes += Array("\(k + 1) 0 obj\n".utf8) + object + Array("\nendobj\n".utf8)
    }
    let start = bytes.count
    bytes += Array("xref\n0 \(objects.count + 1)\n0000000000 65535 f \n".utf8)
    for place in places {
      let digits = "\(place)"
      bytes += Array((String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n").utf8)
    }
    let end =
      "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R \(trailer) >>\nstartxref\n\(start)\n%%EOF\n"
    return bytes + Array(end.utf8)
  }

  private static func stream(_ entries: String, _ data: [UInt8]) -> [UInt8] {
    Array("<< \(entries) /Length \(data.count) >>\nstream\n".utf8) + data + Array("\nendstream".utf8)
  }
}
