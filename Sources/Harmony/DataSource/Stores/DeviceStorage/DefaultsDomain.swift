import Foundation

/// A domain of this user's defaults, for a program that changes its property list itself.
package struct DefaultsDomain: Sendable {
  private let suite: DefaultsSuite

  /// Names a domain.
  ///
  /// - Parameter name: The name of the suite, or that of a program for its standard defaults.
  /// - Throws: ``CoreError/IllegalArgument`` if the name is no plain file name, such as `../x`.
  package init(named name: String) throws {
    // A suite is made only to find its files by the rules that are there already.
    guard let defaults = UserDefaults(suiteName: name) else {
      throw CoreError.IllegalArgument("\(name.debugDescription) is not the name of a suite")
    }
    suite = try DefaultsSuite(defaults)
  }

  /// The path of the property list; there may be none yet.
  package var list: String { suite.list }

  /// Where caches over sources of this package keep expiries; made by the first that does.
  ///
  /// A value is named by its key, and one of a dictionary by the key of that, a zero character and
  /// its own key.
  package var times: CacheTimesFile { CacheTimesFile(path: suite.times) }

  /// Does something while no source changes the domain.
  ///
  /// The directory of the list must be there.
  ///
  /// - Parameters:
  ///   - patience: How long to wait for the lock.
  ///   - body: What to do.
  /// - Returns: What the body returns.
  /// - Throws: ``CoreError/Failed`` if there can be no lock, or not in time; what the body throws.
  package func whileLocked<Result>(
    patience: Duration, _ body: () throws -> Result
  ) throws -> Result {
    let end = ContinuousClock.now + patience
    return try suite.lock.whileLocked(by: { descriptor, operation in
      while flock(descriptor, operation | LOCK_NB) != 0 {
        if errno == EINTR { continue }
        guard errno == EWOULDBLOCK, ContinuousClock.now < end else { return -1 }
        usleep(.random(in: 100...1_000))
      }
      return 0
    }) {
      try body()
    }
  }
}
