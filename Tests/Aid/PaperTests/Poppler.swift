import Base
import Foundation

/// Poppler's tools, by which a finished page is read back.
enum Poppler {
  /// The page as an image, `resolution` dots to the inch.
  static func raster(_ pdf: String, resolution: Int) throws -> Image? {
    let target = String(pdf.dropLast(4)) + "-\(resolution)"
    try run(["pdftoppm", "-r", "\(resolution)", "-png", "-singlefile", pdf, target])
    return Image(path: target + ".png")
  }

  /// The text of the page, every run of white space as one space.
  static func text(_ pdf: String) throws -> String {
    let words = try run(["pdftotext", "-raw", pdf, "-"]).split(whereSeparator: \.isWhitespace)
    return words.joined(separator: " ")
  }

  /// What `pdfinfo` says about a key, such as "Pages".
  static func information(_ pdf: String, _ key: String) throws -> String? {
    let line = try run(["pdfinfo", pdf]).split(separator: "\n").first { $0.hasPrefix(key + ":") }
    return line.map { $0.dropFirst(key.count + 1).trimmingCharacters(in: .whitespaces) }
  }

  private struct Failure: Error {
    let command: [String]
    let status: Int32
  }

  @discardableResult private static func run(_ command: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(command: command, status: process.terminationStatus)
    }
    return String(decoding: data, as: UTF8.self)
  }
}
