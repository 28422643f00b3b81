import Glibc

/// Where a worker says at which case it is; its parent reads it also when the worker is dead.
struct ProgressPage {
  private static let size = 4096
  private let words: UnsafeMutablePointer<Int>

  /// - Parameter path: A file, made or opened; both processes map it.
  init?(_ path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard ftruncate(descriptor, Self.size) == 0,
      let page = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      page != MAP_FAILED
    else { return nil }
    words = page.assumingMemoryBound(to: Int.self)
  }

  /// Place of the case in the trial's list.
  var place: Int {
    get { words[0] }
    nonmutating set { words[0] = newValue }
  }
  /// Processor time of the slowest case, ns, and its number.
  var slowest: (time: Int, number: Int) {
    get { (words[1], words[2]) }
    nonmutating set { (words[1], words[2]) = newValue }
  }
}
