import Base
import CLinux
import Glibc

/// Sound cards of a clinic's device, closed to whoever sits at the machine: udev's rule for those that come, and the nodes
/// that are there.
///
/// The seat's user gets a card's nodes by the tag `uaccess` (70-uaccess.rules of systemd, applied by 73-seat-late.rules), as
/// an access control list; what is left is the group audio, in which of all users only the daemon's needs to be. The rule is
/// a file of its own, no link to one of the package: it stays when the package goes, and with it the cards stay closed.
package enum SeatRule {
  package static let path = "/etc/udev/rules.d/72-auricle-clinic.rules"
  static let group = "audio"
  private static let attribute = "system.posix_acl_access"

  /// `:=` is final: no rule behind it opens a node again.
  static let text = """
    # This machine is a clinic's hearing aid: its sound cards are the system daemon's alone, whoever sits at the machine.
    # Made by `auricle device hand-over`, taken away by `auricle device return`; see auricle(1).
    SUBSYSTEM!="sound", GOTO="auricle_clinic_end"
    ACTION=="remove", GOTO="auricle_clinic_end"
    TAG-="uaccess", OWNER:="root", GROUP:="audio", MODE:="0660"
    LABEL="auricle_clinic_end"

    """

  /// Has udev read its rules anew and apply them to the sound cards; nothing where no udev runs.
  ///
  /// - Throws: ``Failure`` when it does not.
  static func apply() throws(Failure) {
    let programs = ["/usr/bin/udevadm", "/bin/udevadm", "/sbin/udevadm"]
    guard access("/run/udev/control", F_OK) == 0,
      let program = programs.first(where: { (path: String) in access(path, X_OK) == 0 })
    else { return }
    // Sound cards alone; that each is done is waited for.
    try run(program, ["control", "--reload"])
    try run(program, ["trigger", "--action=change", "--subsystem-match=sound"])
    try run(program, ["settle", "--timeout=10"])
  }

  private static func run(_ program: String, _ words: [String]) throws(Failure) {
    let streams = [
      ProgramLaunch.Stream.file("/dev/null", flags: O_RDONLY), .descriptor(STDERR_FILENO),
      .descriptor(STDERR_FILENO),
    ]
    let process = try rethrowing(
      { (error: SystemError) in
        Failure(program, inWords: "It cannot be started: \(error.words)", exit: .system)
      }, try ProgramLaunch.start(program, words, streams: streams))
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard ProcessEnding(status: status) == .exit(0) else {
      throw Failure(
        "udevadm \(words[0])", found: "that it failed", expected: "that udev applies its rules",
        remedy: "Look with: journalctl -u systemd-udevd", exit: .system)
    }
  }

  // MARK: - Nodes

  /// Device nodes in a folder, in order.
  static func nodes(in folder: String) -> [String] {
    Folder.names(in: folder).sorted().map { "\(folder)/\($0)" }.filter { path in
      var status = stat()
      return lstat(path, &status) == 0 && ![S_IFDIR, S_IFLNK].contains(status.st_mode & S_IFMT)
    }
  }

  /// Why others than root and the group may use a node, a clause; nil: they may not.
  ///
  /// - Parameter group: Number of the group audio; nil: there is none.
  static func opening(of node: String, group: gid_t?) -> String? {
    var status = stat()
    guard lstat(node, &status) == 0 else { return nil }
    if clinux_attribute_length(node, attribute) > 0 { return "an access control list, as the seat's" }
    if status.st_mode & 0o007 != 0 { return "mode \(String(status.st_mode & 0o777, radix: 8))" }
    if status.st_uid != 0 { return "user \(status.st_uid) as its owner" }
    let isOther = status.st_mode & 0o070 != 0 && status.st_gid != group && status.st_gid != 0
    return isOther ? "group \(status.st_gid)" : nil
  }

  /// Closes a node that is there: removing the tag takes no access back that was given (systemd's builtin only adds).
  static func close(_ node: String, group: gid_t?) throws(Failure) {
    clinux_remove_attribute(node, attribute)
    guard chown(node, 0, group ?? 0) == 0, chmod(node, 0o660) == 0 else {
      throw Failure(
        node, inWords: "Its access cannot be taken back: \(SystemError.last.words)", exit: .system)
    }
  }
}
