import Foundation

/// Tables that vectors.py made by Python's zoneinfo.
enum Vectors {
  struct Missing: Error {}

  /// Fields of each line.
  static func rows(of name: String) throws -> [[String]] {
    guard let url = Bundle.module.url(forResource: name, withExtension: "tsv") else { throw Missing() }
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
