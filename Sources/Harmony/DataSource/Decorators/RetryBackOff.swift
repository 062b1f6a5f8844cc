import Dispatch

/// How long to wait before each new attempt.
///
/// Numbers that make no sense are cut to what does: waits are from nothing to some thirty thousand
/// years, a factor that is not a number is 1, and such a part of chance is none.
public struct RetryBackOff: Sendable {
  /// The wait before the second attempt.
  public var initialDelay: Duration

  /// What each further wait is longer by.
  public var factor: Double

  /// The longest wait.
  public var longestDelay: Duration

  /// The part of each wait that is left to chance, from 0 to 1, so that many callers who failed
  /// together do not try again together.
  public var jitter: Double

  /// Makes a future that is complete after a time; a test passes one that does not wait.
  public var wait: @Sendable (Duration) -> Future<Void>

  /// Makes a number from 0 up to 1, for the part that is left to chance.
  public var random: @Sendable () -> Double

  /// Creates a rule for waiting.
  ///
  /// - Parameters:
  ///   - initialDelay: The wait before the second attempt.
  ///   - factor: What each further wait is longer by.
  ///   - longestDelay: The longest wait.
  ///   - jitter: The part of each wait that is left to chance.
  ///   - wait: Makes a future that is complete after a time.
  ///   - random: Makes a number from 0 up to 1.
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

  /// The wait before an attempt, of which the second has the number 1.
  func delay(beforeAttempt number: Int) -> Duration {
    let longest = min(max(longestDelay, .zero), Self.ages)
    // So bounded, neither 0 nor the longest of all waits makes something else than a time of it.
    let growth = Self.clamped(factor, 0...1e15, else: 1)
    var delay = min(max(initialDelay, .zero), longest)
    for _ in 1..<max(number, 1) {
      let next = Self.product(delay, growth, longest)
      if next == delay { break }
      delay = next
    }
    let chance = Self.clamped(jitter, 0...1, else: 0) * Self.clamped(random(), 0...1, else: 0)
    // Multiplied by one, a long time would still be rounded.
    return chance == 0 ? delay : delay * (1 - chance)
  }

  private static let ages = Duration(interval: .infinity)

  /// A time so many times as long, or the longest, which may be more than a time can say.
  private static func product(_ delay: Duration, _ factor: Double, _ longest: Duration) -> Duration
  {
    delay / longest * factor < 1 ? min(delay * factor, longest) : longest
  }

  private static func clamped(
    _ number: Double, _ bounds: ClosedRange<Double>, else other: Double
  ) -> Double {
    number.isNaN ? other : min(max(number, bounds.lowerBound), bounds.upperBound)
  }

  /// A future that is complete after a time, on a queue of the system; cancelling it ends it.
  ///
  /// - Parameter delay: The time.
  /// - Returns: The future.
  @Sendable public static func timer(_ delay: Duration) -> Future<Void> {
    Future { resolver in
      let interval = delay.inSeconds
      DispatchQueue.global().asyncAfter(deadline: .now() + interval) { resolver.set() }
    }
  }
}
