import Base

/// The order in which sounds are rated: each once in a round, each round shuffled anew, and never the same twice in a row.
enum RatingRounds {
  /// Scale of a rating: nothing like the tinnitus…just like it (from memory, as of ``LikenessRating``).
  static let scale = 0.0...100.0

  /// Indices of the sounds in their order.
  ///
  /// - Parameters:
  ///   - count: Sounds, two or more.
  ///   - rounds: Times that each is rated.
  static func order(of count: Int, rounds: Int, seed: UInt64) -> [Int] {
    precondition(count > 1, "a single sound cannot be kept from following itself")
    var random = SeededNumbers(seed: seed)
    var order: [Int] = []
    for _ in 0..<rounds {
      var round = (0..<count).shuffled(using: &random)
      if round.first == order.last { round.swapAt(0, Int.random(in: 1..<count, using: &random)) }
      order += round
    }
    return order
  }
}

/// Ratings of one sound.
///
/// - Threads: any.
public struct SoundRatings: Sendable, Hashable, Codable {
  /// In their order, 0…100.
  public let ratings: [Double]

  /// 0…100.
  public var mean: Double { ratings.reduce(0, +) / Double(ratings.count) }

  /// Standard deviation of the sample; 0 of one rating.
  public var spread: Double {
    ratings.count > 1 ? (squares / Double(ratings.count - 1)).squareRoot() : 0
  }

  /// Sum of the squared distances from the mean.
  var squares: Double {
    let mean = mean
    return ratings.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }
}
