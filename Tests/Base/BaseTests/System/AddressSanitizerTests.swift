import Glibc
import Testing

/// `make address` runs every test under it.
@Suite("AddressSanitizer") struct AddressSanitizerTests {
  static let isLinked = getenv("AURICLE_SANITIZER").map { String(cString: $0) } == "address"

  @Test("where linked, it ends a program that reads memory which it has given back")
  func bites() async {
    await #expect(processExitsWith: Self.isLinked ? .failure : .success) {
      let counts = UnsafeMutablePointer<Int>.allocate(capacity: 4)
      counts.initialize(repeating: 1, count: 4)
      counts.deallocate()
      // Compared with what no compiler knows, so that the read is not left out.
      if strtol("0", nil, 10) == counts[3] { puts("zero") }
    }
  }
}
