import Crypto
import Testing

@testable import Prescriptions

@Suite("Key file") struct KeyFileTests {
  let key: ClinicKey
  let sealed: [UInt8]

  init() throws {
    key = try ClinicKey(new: "Clinic North", created: Instant(seconds: 1_800_000_000))
    sealed = try key.sealed(with: "correct horse")
  }

  @Test("a key file of which any one byte is another does not open")
  func everyByte() throws {
    // The passphrase's key takes a tenth of a second; the same salt and count give the same one.
    var keys: [String: SymmetricKey] = [:]
    func derived(_ salt: [UInt8], _ iterations: Int) throws -> SymmetricKey {
      let name = "\(salt) \(iterations)"
      if let key = keys[name] { return key }
      let key = try ClinicKey.wrappingKey("correct horse", salt: salt, iterations: iterations)
      keys[name] = key
      return key
    }
    #expect(try ClinicKey(opening: sealed, deriving: derived).identity == key.identity)
    for index in sealed.indices {
      for change: UInt8 in [1, 2, 0x20, 0x80] {
        var changed = sealed
        changed[index] ^= change
        #expect(throws: PrescriptionError.self, "byte \(index), \(change)") {
          try ClinicKey(opening: changed, deriving: derived)
        }
      }
    }
  }

  @Test("a shortened, lengthened or foreign file does not open, and says what it is not")
  func forms() throws {
    func refusal(_ file: [UInt8]) -> PrescriptionError? {
      do throws(PrescriptionError) {
        _ = try ClinicKey(opening: file, with: "correct horse")
        return nil
      } catch { return error }
    }
    let form = PrescriptionError.unreadableKey(
      reason: "expected five parts in base64url, joined by full stops")
    #expect(refusal([]) == form)
    #expect(refusal(Array("-----BEGIN PRIVATE KEY-----".utf8)) == form)
    #expect(refusal(sealed + [0x2E]) == form)
    #expect(refusal(Array(sealed.dropLast(30))) != nil)
    #expect(refusal(sealed + [0x0A]) == nil, "an editor's last line end does no harm")
    #expect(
      refusal([UInt8](repeating: 0x41, count: 16_385))
        == .unreadableKey(reason: "found 16385 bytes, expected at most 16384"))
  }

  @Test("a file that asks for few iterations, or for hours of them, is refused at once")
  func iterations() throws {
    let parts = sealed.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
    let header = String(decoding: try #require(Base64URL.bytes(parts[0])), as: UTF8.self)
    for count in ["1", "209999", "2000001", "1e15"] {
      let changed = Base64URL.text(header.replacing("\"p2c\":210000", with: "\"p2c\":\(count)").utf8)
      let file = Array(changed.utf8) + parts.dropFirst().flatMap { [UInt8(ascii: ".")] + $0 }
      #expect(throws: PrescriptionError.self) {
        try ClinicKey(opening: file) { _, _ in
          Issue.record("a key was derived")
          return SymmetricKey(size: .bits256)
        }
      }
    }
  }

  @Test("two seals of one key have nothing in common but the form")
  func fresh() throws {
    let other = try key.sealed(with: "correct horse")
    let parts = [sealed, other].map { $0.split(separator: UInt8(ascii: ".")) }
    for index in 0..<5 { #expect(parts[0][index] != parts[1][index]) }
  }
}
