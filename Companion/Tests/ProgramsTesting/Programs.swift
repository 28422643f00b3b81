import Foundation

/// Other people's programs.
package enum Programs {
  /// Python of COMPANION_PYTHON, or the system's; nil where it has not a module.
  package static func python(with module: String) -> String? {
    let path = ProcessInfo.processInfo.environment["COMPANION_PYTHON"] ?? "/usr/bin/python3"
    return (try? run(path, ["-c", "import \(module); print('there')"], "")) == "there\n" ? path : nil
  }

  /// - Parameter input: Given as a file, so that neither side waits for the other.
  package static func run(_ program: String, _ arguments: [String], _ input: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("studies-\(UUID()).txt")
    try Data(input.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    process.standardInput = try FileHandle(forReadingFrom: file)
    let sink = Pipe()
    process.standardOutput = sink
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = try sink.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}
