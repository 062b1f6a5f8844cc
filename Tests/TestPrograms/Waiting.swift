import Foundation

/// Polls until a condition holds.
///
/// - Parameters:
///   - what: The condition, for the error.
///   - seconds: The time limit.
///   - condition: The condition.
/// - Throws: ``ProgramError`` if it does not hold in time, and errors of the condition.
package func waitUntil(
  _ what: String, within seconds: Double = 60, _ condition: () throws -> Bool
) throws {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while try !condition() {
    guard ContinuousClock.now < deadline else { throw ProgramError("not in time: \(what)") }
    usleep(5_000)
  }
}
