import Base

/// Source of time zones; a test has its own.
public protocol ZoneSource: Sendable {
  /// - Throws: ``ZoneError``.
  func zone(_ name: String) throws(ZoneError) -> Zone
}

/// The system's zone database (tzdata), read when it is asked: governments change their clocks, and a program outlives its build.
public struct ZoneFolder: ZoneSource {
  /// Folder of TZif files.
  public let path: String

  public init(_ path: String = "/usr/share/zoneinfo") { self.path = path }

  public func zone(_ name: String) throws(ZoneError) -> Zone {
    guard Self.isName(name) else { throw .wrongName(name) }
    let content: [UInt8]
    // The largest file of the database has some 4 kB.
    do throws(Failure) { content = try FileContent.bytes(of: "\(path)/\(name)", limit: 1 << 18) } catch {
      guard error.exitStatus != .noInput else { throw .unknown(name, folder: path) }
      throw .unusable(name, reason: "\(error)")
    }
    return try Zone(name: name, content: content)
  }

  /// Letters, digits, `_`, `+` and `-`, in parts that a stroke joins: no way out of the folder.
  private static func isName(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return name.utf8.count <= 64 && 1...3 ~= parts.count
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.allSatisfy { byte in
            (65...90).contains(byte) || (97...122).contains(byte) || (48...57).contains(byte)
              || "_+-".utf8.contains(byte)
          }
      }
  }
}
