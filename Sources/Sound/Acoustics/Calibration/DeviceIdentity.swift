import Base

/// Maker and product of a device, by the numbers that USB or Bluetooth gives to makers.
///
/// It is the model's, not the device's own: two of one model have the same. And whoever makes a device writes it in.
///
/// - Threads: any.
public struct DeviceProduct: Sendable, Hashable, Codable, CustomStringConvertible {
  /// List of makers that the numbers are from. A Bluetooth device may have a number of USB's.
  public enum Registry: String, Sendable {
    case usb, bluetooth
  }

  let registry: Registry
  let vendor: UInt16
  let product: UInt16

  /// - Parameters:
  ///   - vendor: The maker's number in the registry.
  ///   - product: The maker's own number of the model.
  public init(_ registry: Registry, vendor: UInt16, product: UInt16) {
    (self.registry, self.vendor, self.product) = (registry, vendor, product)
  }

  /// Reads the beginning of a modalias as the kernel writes it for USB (file2alias.c, do_usb_entry) and BlueZ for Bluetooth
  /// (org.bluez.Device1), `usb:v046Dp0A4Dd0100…` or `bluetooth:v004Cp2014d0100`; nil for any other text.
  public init?(modalias: String) {
    let parts = modalias.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let registry = Registry(rawValue: String(parts[0])) else { return nil }
    let numbers = Array(parts[1].utf8.prefix(10))
    guard numbers.count == 10, numbers[0] == UInt8(ascii: "v"), numbers[5] == UInt8(ascii: "p"),
      let vendor = Self.number(numbers[1..<5]), let product = Self.number(numbers[6..<10])
    else { return nil }
    self.init(registry, vendor: vendor, product: product)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt16? {
    guard let bytes = Hexadecimal.bytes(String(decoding: digits, as: UTF8.self)), bytes.count == 2 else {
      return nil
    }
    return UInt16(bytes[0]) << 8 | UInt16(bytes[1])
  }

  /// `usb:v046Dp0A4D`, a modalias without what follows the product.
  public var description: String {
    func digits(_ number: UInt16) -> String {
      Hexadecimal.text([UInt8(number >> 8), UInt8(number & 0xFF)]).uppercased()
    }
    return "\(registry.rawValue):v\(digits(vendor))p\(digits(product))"
  }

  /// Form of the text, for messages.
  public static let expected = "maker and product, such as usb:v046Dp0A4D or bluetooth:v004Cp2014"

  public init(from decoder: any Decoder) throws {
    guard let product = DeviceProduct(modalias: try decoder.singleValueContainer().decode(String.self))
    else { throw AcousticsError("a product of another form", expected: Self.expected) }
    self = product
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Identity of a device that is calibrated, or of one that was found: no more than tells one model from others.
///
/// A serial number or a Bluetooth address would tell whose it is, and is not kept; nor is a card's long name, which changes with the
/// socket.
///
/// - Threads: any.
public struct DeviceIdentity: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The device has any of these; none where it has no such number, as a card of the machine itself.
  public let products: [DeviceProduct]
  /// Name that a sound card gives itself, `HDA Intel PCH`; nil of a Bluetooth device, whose name is its wearer's.
  public let name: String?

  /// Most products of a model; own choice, for files of anybody's.
  private static let most = 16
  /// Longest name, bytes: ALSA's are 31 (`struct snd_card`, shortname). Own choice.
  private static let longestName = 100

  /// Checks nothing; limits of number and length hold for what is decoded.
  public init(_ products: [DeviceProduct], name: String? = nil) {
    (self.products, self.name) = (products, name)
  }

  /// Comparison of a device that was found with the one that was calibrated.
  public enum Match: String, Sendable, Codable {
    /// The same model.
    case same
    case other
    /// One of both is not known.
    case unknown
  }

  /// Compares the device in use, nil where it is not known, with this one, which was calibrated: by products, and without any by
  /// the card's own name.
  public func match(_ found: DeviceIdentity?) -> Match {
    guard let found, !found.isEmpty, !isEmpty else { return .unknown }
    guard products.isEmpty, found.products.isEmpty else {
      // A card without a number is another than one that has one.
      return products.contains(where: found.products.contains) ? .same : .other
    }
    return name == found.name ? .same : .other
  }

  private var isEmpty: Bool { products.isEmpty && name == nil }

  /// `Headset (usb:v046Dp0A4D)`, `HDA Intel PCH`, `bluetooth:v004Cp2014 or bluetooth:v004Cp2024`.
  public var description: String {
    let numbers = English.list(products.map(\.description), "or")
    guard let name else { return numbers }
    return products.isEmpty ? name : "\(name) (\(numbers))"
  }

  private enum CodingKeys: CodingKey { case products, name }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try values.decodeIfPresent([DeviceProduct].self, forKey: .products) ?? [],
      name: try values.decodeIfPresent(String.self, forKey: .name))
    guard !isEmpty, products.count <= Self.most else {
      throw AcousticsError(
        "an identity with \(English.count(products.count, "product")) and \(name == nil ? "no name" : "a name")",
        expected: "a name, or 1 to \(Self.most) products")
    }
    if let name, !(1...Self.longestName).contains(name.utf8.count) || !PrintableText.isPlain(name) {
      throw AcousticsError(
        "a name of another form in the identity", expected: "1 to \(Self.longestName) bytes on one line")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    if !products.isEmpty { try values.encode(products, forKey: .products) }
    try values.encodeIfPresent(name, forKey: .name)
  }
}
