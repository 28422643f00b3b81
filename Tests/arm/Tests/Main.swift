import Testing

/// Tests in a program of its own, as the package manager's needs XCTest and with it a Foundation.
@main enum Main {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
