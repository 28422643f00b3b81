import AudioIO

/// Which devices an aid opens: those it was told, or the first card that captures and plays.
///
/// - Threads: while there is no sound; it allocates and asks the system.
struct DeviceChoice: Sendable {
  private let settings: AidSettings
  /// The machine's devices on cards; replaced in tests.
  private let cards: @Sendable () -> [DeviceDescription]

  init(
    _ settings: AidSettings, cards: @escaping @Sendable () -> [DeviceDescription] = DeviceList.onCards
  ) {
    self.settings = settings
    self.cards = cards
  }

  /// Names to open now; nil when none was told and no card will do.
  func names() -> (capture: String, playback: String)? {
    if let capture = settings.captureName, let playback = settings.playbackName {
      return (capture, playback)
    }
    guard let first = cards().first(where: { Set($0.directions).count == 2 })?.name else { return nil }
    return (settings.captureName ?? first, settings.playbackName ?? first)
  }

  /// A closed stream, on no device yet where none was told.
  func stream(wakeDescriptor: Int32) -> DuplexStream<ALSADevice> {
    stream(settings.captureName ?? "", settings.playbackName ?? "", wakeDescriptor)
  }

  /// Moves a closed stream to the devices that are there now. What it has counted begins anew on others,
  /// but for the time that has been silent since the former ones were lost.
  ///
  /// - Returns: Reason for which there are none; nil when there are.
  func settle(_ stream: inout DuplexStream<ALSADevice>) -> String? {
    guard let names = names() else { return "this machine has no sound card that captures and plays" }
    if names != (stream.captureName, stream.playbackName) {
      stream = self.stream(names.capture, names.playback, stream.wakeDescriptor, stream.silentSince)
    }
    return nil
  }

  private func stream(
    _ capture: String, _ playback: String, _ wakeDescriptor: Int32, _ silentSince: Double? = nil
  ) -> DuplexStream<ALSADevice> {
    DuplexStream(
      capture: ALSADevice(name: capture, direction: .capture),
      playback: ALSADevice(name: playback, direction: .playback), clock: SystemClock(),
      request: settings.stream, pairing: settings.clock, wakeDescriptor: wakeDescriptor,
      silentSince: silentSince)
  }
}
