/// Version of this program.
package enum Version {
  package static let number = "0.1.0"

  /// Version of the compiler's language that built it, as far as it can be told at compile time.
  static var swift: String {
    #if compiler(>=6.4)
      "6.4 or newer"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  package static var report: VersionReport { VersionReport(version: number, commit: nil, swift: swift) }
}
