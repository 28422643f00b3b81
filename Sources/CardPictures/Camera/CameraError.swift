/// Why a camera shows no code.
public enum CameraError: Error, Equatable, CustomStringConvertible {
  /// There is no camera.
  case none
  /// The camera cannot be used; `reason` is ZBar's own word.
  case unusable(device: String, reason: String)
  /// No code was seen in time.
  case noCode(device: String)

  public var description: String {
    switch self {
    case .none:
      "No camera was found: there is no /dev/video device. Connect one, or photograph the card and give the "
        + "picture's file."
    case .unusable(let device, let reason):
      "The camera \(device) cannot be used: \(reason) End other programs that use it, see that you may read "
        + "it (group video), or photograph the card and give the picture's file."
    case .noCode(let device):
      "The camera \(device) saw no code in time. Hold the card flat, well lit, so that the code fills half of "
        + "the picture."
    }
  }
}
