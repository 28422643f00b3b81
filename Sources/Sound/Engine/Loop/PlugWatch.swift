public import AudioIO
import Glibc

/// Looks whether the earphones are plugged in, while their device is open: when it was opened, and whenever its card tells of a plug.
///
/// - Threads: control, one at a time.
public struct PlugWatch {
  /// A card's jacks and their news; ``AudioIO/JackWatch`` but in tests.
  struct Source {
    let descriptor: Int32
    let jacks: () -> [CardJack]?
    let takeNews: () -> Bool?
  }

  /// Time until a card that did not answer is asked again, s. Own choice.
  static let pause = 1.0

  /// Begins to watch the jacks through which a device plays; nil: no jack can be watched.
  private let begin: (_ device: String) -> Source?
  private var source: Source?
  /// Device that was looked at, and how many openings there had been.
  private var seen: (device: String?, opens: Int) = (nil, 0)
  /// When it is asked again, monotonic s; nil: it has answered.
  private var due: Double?

  public init() { self.init(begin: PlugWatch.watch) }

  init(begin: @escaping (_ device: String) -> Source?) { self.begin = begin }

  /// Readable when there are news; negative while nothing is watched.
  public var descriptor: Int32 { source?.descriptor ?? -1 }

  /// Jacks as they are, when they have been looked at; nil: nothing is new, or nothing known. Does not wait.
  ///
  /// - Parameters:
  ///   - device: Earphones that are open; nil: none are.
  ///   - opens: Times devices were opened: another card may have come by the same name.
  ///   - now: Monotonic s.
  public mutating func news(of device: String?, opens: Int, now: Double) -> [CardJack]? {
    if seen.device != device || seen.opens != opens {
      seen = (device, opens)
      return look(at: device, now: now)
    }
    if let due, now >= due { return look(at: device, now: now) }
    guard let source, Self.isReadable(source.descriptor) else { return nil }
    switch source.takeNews() {
    case true?: return answer(source.jacks(), now: now)
    case false?: return nil
    case nil:
      // The card has gone, of which the engine learns by itself.
      self.source = nil
      return nil
    }
  }

  /// Watched first and read then, so that no change is lost between.
  private mutating func look(at device: String?, now: Double) -> [CardJack]? {
    due = nil
    source = nil
    guard let device, DevicePlace.isOnCard(device) else { return nil }
    source = begin(device)
    return answer(source?.jacks(), now: now)
  }

  private mutating func answer(_ jacks: [CardJack]?, now: Double) -> [CardJack]? {
    due = jacks == nil ? now + Self.pause : nil
    return jacks
  }

  private static func isReadable(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, 0) > 0
  }

  private static func watch(_ device: String) -> Source? {
    guard let watch = JackWatch(of: device, .playback) else { return nil }
    return Source(descriptor: watch.descriptor, jacks: { watch.jacks }, takeNews: watch.takeNews)
  }
}
