import Foundation

/// A domain of the user's defaults, for programs that edit its property list directly.
package struct DefaultsDomain: Sendable {
  private let suite: DefaultsSuite

  /// Creates a domain.
  ///
  /// - Parameter name: The name of a suite, or that of a program for its standard defaults.
  /// - Throws: ``CoreError/IllegalArgument`` if the name is not a plain file name, such as `../x`.
  package init(named name: String) throws {
    // The suite is created only to locate its files by the existing rules.
    guard let defaults = UserDefaults(suiteName: name) else {
      throw CoreError.IllegalArgument.notSuite(name)
    }
    suite = try DefaultsSuite(defaults)
  }

  /// The path of the property list, which may not exist yet.
  package var list: String { suite.list }

  /// The file in which caches over sources of this package save expiries; created on first use.
  ///
  /// A value is named by its key; a value in a dictionary by the key of the dictionary, a NUL
  /// character and its own key.
  package var times: CacheTimesFile { CacheTimesFile(path: suite.times) }

  /// Performs an action while no source changes the domain.
  ///
  /// The directory of the property list must exist.
  ///
  /// - Parameters:
  ///   - patience: The maximum time to wait for the lock.
  ///   - body: The action.
  /// - Returns: The result of the action.
  /// - Throws: ``CoreError/Failed`` if the lock is not available in time or at all; any error of
  ///   `body`.
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
