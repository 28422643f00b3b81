import Base
import Control
import Glibc
import Prescriptions

/// Keeps two programs from giving out the same serial.
struct ClinicLock {
  private let descriptor: Int32

  /// Waits until no other program holds it.
  init(folder: String) throws(Failure) {
    let path = folder + "/lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw Failure(
        path, found: "that it cannot be opened: \(SystemError.words(for: errno))", exit: .cannotCreate)
    }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        let code = errno
        close(descriptor)
        throw Failure(
          path, found: "that it cannot be locked: \(SystemError.words(for: code))", exit: .system)
      }
    }
  }

  func release() { close(descriptor) }
}

/// Reads clinics' own cards.
package enum ClinicReading {
  /// - Parameter place: Where the text was found, for messages.
  /// - Throws: ``Failure`` (``ExitStatus/badData``) when it is no clinic's card, or an altered one.
  package static func clinic(on text: String, from place: String) throws(Failure) -> ClinicIdentity {
    do throws(CardError) {
      return try ClinicIdentity(reading: try CardText(reading: text))
    } catch {
      throw Failure(
        place, found: "\(error)", expected: "a clinic's card, as auricle clinic card makes it",
        exit: .badData)
    }
  }
}
