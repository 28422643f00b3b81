import Foundation
import ProgramsTesting

extension Programs {
  /// A file or folder beside the tests, or above them.
  static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(name).standardized
      .path
  }
}
