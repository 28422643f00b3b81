import CLinux

/// Where answers go.
public enum StandardOutput {
  /// Writes out what is still held back.
  ///
  /// - Throws: ``Failure`` when something of the answer is lost: the disk is full, or nobody has the output open.
  public static func finish() throws(Failure) {
    let code = clinux_flush_output()
    guard code < 0 else { return }
    throw Failure(
      "standard output", found: "that the answer cannot be written: \(Failure.words(for: -code))",
      expected: "room for it", exit: .inputOutput)
  }
}
