extension InkPicture {
  /// Follows a line both ways from a point in the middle square of a finder pattern through gap and ring.
  ///
  /// - Parameters:
  ///   - x: Pixels.
  ///   - y: Pixels.
  ///   - dx: With `dy` the direction, of length 1.
  ///   - dy: With `dx` the direction.
  ///   - reach: How far the ring may end from the point, pixels.
  ///
  /// - Returns: how far the middle lies from the point, and the width of a module along the line; nil when the
  ///   runs are not as 1 : 1 : 3 : 1 : 1.
  func crossing(
    x: Float, y: Float, dx: Float, dy: Float, reach: Float
  ) -> (offset: Float, module: Float)? {
    // Distances at which the line leaves middle, gap and ring, forwards and backwards.
    var ends: (Float, Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0, 0)
    for direction in [Float(1), -1] {
      var wanted: UInt8 = 1
      var stage = 0
      var distance: Float = 0
      while stage < 3 {
        let px = Int((x + direction * distance * dx).rounded(.down))
        let py = Int((y + direction * distance * dy).rounded(.down))
        let inside = px >= 0 && py >= 0 && px < width && py < height
        // Beyond the edge of the picture all counts as light, which ends the ring.
        let value = inside ? ink[py &* width &+ px] : 0
        if value != wanted {
          if !inside && stage < 2 { return nil }
          switch (direction > 0, stage) {
          case (true, 0): ends.0 = distance
          case (true, 1): ends.1 = distance
          case (true, _): ends.2 = distance
          case (false, 0): ends.3 = distance
          case (false, 1): ends.4 = distance
          case (false, _): ends.5 = distance
          }
          stage += 1
          wanted = 1 - wanted
        }
        distance += 0.5
        if distance > reach { return nil }
      }
    }
    let module = (ends.2 + ends.5) / 7
    let slack = module * 0.5 + 0.5
    guard abs(ends.0 + ends.3 - 3 * module) <= 1.5 * slack,
      abs(ends.1 - ends.0 - module) <= slack, abs(ends.2 - ends.1 - module) <= slack,
      abs(ends.4 - ends.3 - module) <= slack, abs(ends.5 - ends.4 - module) <= slack
    else { return nil }
    return ((ends.2 + ends.1 + ends.0 - ends.3 - ends.4 - ends.5) / 6, module)
  }
}
