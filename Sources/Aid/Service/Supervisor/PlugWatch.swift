import AudioIO

/// Looks whether the earphones are plugged in, while their device is open: when it was opened, and whenever its card tells of a plug.
///
/// - Threads: the main thread.
struct PlugWatch {
  /// A card's jacks and their news; ``AudioIO/JackWatch`` but in tests.
  struct Source {
    let descriptor: Int32
    let jacks: () -> [CardJack]
    let takeNews: () -> Bool?
  }

  /// Begins to watch the jacks through which a device plays; nil: no jack can be watched.
  var begin: (_ device: String) -> Source? = PlugWatch.watch
  private var source: Source?
  /// Device that was looked at, and how many openings there had been.
  private var seen: (device: String?, opens: Int) = (nil, 0)

  init(begin: @escaping (_ device: String) -> Source? = PlugWatch.watch) { self.begin = begin }

  /// Readable when there are news; negative while nothing is watched.
  var descriptor: Int32 { source?.descriptor ?? -1 }

  /// Jacks as they are, when they are to be looked at; nil: nothing is new. Empty: none tells.
  ///
  /// - Parameters:
  ///   - device: Earphones that are open; nil: none are.
  ///   - opens: Times devices were opened: another card may have come by the same name.
  ///   - hasNews: ``descriptor`` was readable.
  mutating func news(of device: String?, opens: Int, hasNews: Bool) -> [CardJack]? {
    guard seen.device == device, seen.opens == opens else {
      seen = (device, opens)
      source = device.flatMap(begin)
      // Watched first and read then, so that no change is lost between. Of closed devices nothing is known.
      return device.map { _ in source?.jacks() ?? [] }
    }
    guard hasNews, let source else { return nil }
    switch source.takeNews() {
    case true?: return source.jacks()
    case false?: return nil
    case nil:
      // The card has gone, of which the engine learns by itself.
      self.source = nil
      return nil
    }
  }

  private static func watch(_ device: String) -> Source? {
    guard let watch = JackWatch(of: device, .playback) else { return nil }
    return Source(descriptor: watch.descriptor, jacks: { watch.jacks }, takeNews: watch.takeNews)
  }
}
