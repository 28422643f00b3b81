import Base

extension StatusReport {
  /// Identity of the earphones, as a program of the wearer's session tells it.
  package struct Earphones: Sendable, Codable, Hashable {
    package enum Connection: String, Sendable, Codable, CaseIterable { case bluetooth, usb }

    /// Most characters of a name: the longest of a Bluetooth device is 248 bytes (Core Specification 5.4, Vol 4, Part E, 6.23), of
    /// which a screen shows the beginning. Own choice.
    package static let longestName = 64
    /// Most characters of a modalias: the longest that the kernel makes of a USB device has 44 (file2alias.c). Own choice.
    package static let longestModalias = 64

    static let nameWords = "1 to \(longestName) characters, none of control"
    static let addressWords = "six pairs of hexadecimal digits between colons"
    static let modaliasWords = "1 to \(longestModalias) letters, digits and colons, as usb:v046Dp0A4D"

    package let connection: Connection
    /// For people.
    package var name: String?
    /// `04:5D:4B:00:11:22`.
    package var address: String?
    /// Maker and product: `bluetooth:v004Cp200Ed0C20`, `usb:v046Dp0A4D`.
    package var modalias: String?

    package init(
      connection: Connection, name: String? = nil, address: String? = nil, modalias: String? = nil
    ) {
      self.connection = connection
      (self.name, self.address, self.modalias) = (name, address, modalias)
    }

    /// The first part that is not accepted, and what is; nil: all are.
    package var fault: (part: String, expected: String)? {
      if let name, !Self.isName(name) { return ("name", Self.nameWords) }
      if let address, !Self.isAddress(address) { return ("address", Self.addressWords) }
      if let modalias, !Self.isModalias(modalias) { return ("modalias", Self.modaliasWords) }
      return nil
    }

    /// Neither empty nor long, and without characters that act on a screen or are not seen: of control, of format (those that turn
    /// the direction of writing among them), line breaks, unassigned and private ones.
    private static func isName(_ text: String) -> Bool {
      guard 1...longestName ~= text.count, text.utf8.count <= 4 * longestName else { return false }
      return text.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
          false
        default: true
        }
      }
    }

    private static func isAddress(_ text: String) -> Bool {
      let pairs = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      return pairs.count == 6
        && pairs.allSatisfy {
          $0.count == 2 && Hexadecimal.bytes(String(decoding: $0, as: UTF8.self)) != nil
        }
    }

    private static func isModalias(_ text: String) -> Bool {
      1...longestModalias ~= text.utf8.count
        && text.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
          default: false
          }
        }
    }
  }
}
