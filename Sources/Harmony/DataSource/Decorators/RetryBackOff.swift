import Dispatch

/// An exponential back-off: the time to wait before each new attempt.
///
/// Out-of-range numbers are clamped: delays are between zero and about thirty thousand years. A
/// factor that is NaN counts as 1, a jitter that is NaN as 0.
public struct RetryBackOff: Sendable {
  /// The delay before the second attempt.
  public var initialDelay: Duration

  /// The factor by which each further delay grows.
  public var factor: Double

  /// The maximum delay.
  public var longestDelay: Duration

  /// The fraction of each delay that is random, from 0 to 1, so that callers that failed together
  /// do not all retry together.
  public var jitter: Double

  /// Returns a future that completes after a delay; tests pass one that does not wait.
  public var wait: @Sendable (Duration) -> Future<Void>

  /// Returns a number in `0..<1` for the random part.
  public var random: @Sendable () -> Double

  /// Creates a back-off.
  ///
  /// - Parameters:
  ///   - initialDelay: The delay before the second attempt.
  ///   - factor: The factor by which each further delay grows.
  ///   - longestDelay: The maximum delay.
  ///   - jitter: The fraction of each delay that is random.
  ///   - wait: Returns a future that completes after a delay.
  ///   - random: Returns a number in `0..<1`.
  public init(
    initialDelay: Duration = .milliseconds(100), factor: Double = 2,
    longestDelay: Duration = .seconds(10), jitter: Double = 0.5,
    wait: @escaping @Sendable (Duration) -> Future<Void> = Self.timer,
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.initialDelay = initialDelay
    self.factor = factor
    self.longestDelay = longestDelay
    self.jitter = jitter
    self.wait = wait
    self.random = random
  }

  /// Returns the delay before an attempt; the second attempt has the number 1.
  func delay(beforeAttempt number: Int) -> Duration {
    let longest = min(max(longestDelay, .zero), Self.ages)
    // With these bounds, a zero or maximum delay cannot make the product NaN.
    let growth = Self.clamped(factor, 0...1e15, else: 1)
    var delay = min(max(initialDelay, .zero), longest)
    for _ in 1..<max(number, 1) {
      let next = Self.product(delay, growth, longest)
      if next == delay { break }
      delay = next
    }
    let chance = Self.clamped(jitter, 0...1, else: 0) * Self.clamped(random(), 0...1, else: 0)
    // Multiplying by 1 would still round a long delay.
    return chance == 0 ? delay : delay * (1 - chance)
  }

  private static let ages = Duration(interval: .infinity)

  /// Returns the product of a delay and a factor, or the maximum if that is less; never overflows.
  private static func product(_ delay: Duration, _ factor: Double, _ longest: Duration) -> Duration
  {
    delay / longest * factor < 1 ? min(delay * factor, longest) : longest
  }

  private static func clamped(
    _ number: Double, _ bounds: ClosedRange<Double>, else other: Double
  ) -> Double {
    number.isNaN ? other : min(max(number, bounds.lowerBound), bounds.upperBound)
  }

  /// Returns a future that completes after a delay, on a global queue; it can be canceled.
  ///
  /// - Parameter delay: The delay.
  /// - Returns: The future.
  @Sendable public static func timer(_ delay: Duration) -> Future<Void> {
    Future { resolver in
      let interval = delay.inSeconds
      DispatchQueue.global().asyncAfter(deadline: .now() + interval) { resolver.set() }
    }
  }
}
