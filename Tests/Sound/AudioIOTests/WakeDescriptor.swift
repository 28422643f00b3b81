import Glibc

/// A descriptor that becomes readable on command: the reading end of a pipe, in place of an eventfd.
final class WakeDescriptor {
  let descriptor: Int32
  private let writing: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    descriptor = ends[0]
    writing = ends[1]
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  func signal() {
    var one: UInt64 = 1
    _ = write(writing, &one, 8)
  }
}
