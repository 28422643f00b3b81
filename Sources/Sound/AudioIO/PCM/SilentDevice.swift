/// ALSA's device `null`, which takes every sound and plays none; as a microphone it delivers silence.
public enum SilentDevice {
  /// True for it by any of its names.
  public static func isCalled(_ device: String) -> Bool {
    var name = device[...]
    while name.hasPrefix("pcm.") { name = name.dropFirst("pcm.".count) }
    return name == "null"
  }

  /// Its effect in a direction, a clause: `discards all sound`.
  public static func effect(_ direction: StreamDirection) -> String {
    direction == .playback ? "discards all sound" : "delivers nothing but silence"
  }
}
