import AudioIO
import Base
import Glibc

/// A daemon's word that it alone plays on a device.
///
/// A device that several programs share (JACK, dmix, a sound server) lets two daemons play at once; each would keep its
/// own limit and their sum none; so does a card that mixes several streams itself. An advisory lock, named after card and
/// device, by whichever name they were called, in the folder of run-time files: two daemons of one user find each other before
/// the device is opened. Those of two users do by a lock on the card, also behind dmix, once it is open (`PlaybackLock` of AudioIO); on
/// a device without a card (JACK, a sound server) they do not.
package final class PlaybackClaim: Sendable {
  /// Card and device, or ALSA's name where it does not say them; see ``DevicePlace``.
  package let place: String
  private let lock: SocketLock

  /// Beginning of the names of lock files.
  static let prefix = "playback-"

  /// - Parameters:
  ///   - device: ALSA's name.
  ///   - folder: Of run-time files; made when missing.
  /// - Throws: ``Failure`` with ``ExitStatus/temporary`` when another daemon has it, others when the folder
  ///   cannot be used.
  package init(_ device: String, in folder: String) throws(Failure) {
    place = DevicePlace.name(of: device)
    lock = try SocketLock(path: "\(folder)/\(Self.prefix)\(Self.fileName(place)).lock") { owner in
      Failure(
        "device.playback", found: "\"\(device)\", on which another auricled plays\(owner)",
        expected:
          "a device that no other daemon plays on: two would be louder together than either's limit",
        remedy: "End the other one, or choose another device.", exit: .temporary)
    }
  }

  deinit { lock.release() }

  /// The device's name with everything but letters, digits, `-` and `_` as `%` and two digits; cut where file
  /// systems would.
  private static func fileName(_ device: String) -> String {
    let plain = device.utf8.map { byte -> String in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return String(plain.joined().prefix(200))
  }
}
