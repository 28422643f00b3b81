import CLinux

/// The C library's heap.
public enum Heap {
  /// Has the C library keep little of what is freed. By itself it gives each thread a heap of its own, so that none waits for another, and
  /// keeps in each what the start has freed there: a megabyte and a half of the daemon, whose audio thread does not allocate; what a plugin of
  /// ALSA allocates on it comes from that thread's own cache while it is small. Locked pages
  /// cannot be given back later (malloc_trim(3) asks madvise(2), which refuses), so large blocks have mappings of their own.
  ///
  /// - Returns: False where the C library refuses; memory is larger then.
  /// - Threads: main, before any other exists.
  @discardableResult public static func keepSmall() -> Bool { clinux_keep_heap_small() == 0 }
}
