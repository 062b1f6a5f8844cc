/// Finds out what a change would do to a store, without making it.
///
/// Safe from any thread.
package protocol DryRunService: Sendable {
  /// The entries that a change would write, as they would be stored.
  ///
  /// - Parameter change: Changes of values, or new names.
  /// - Returns: The entries, as for the change itself; nothing is kept of them.
  /// - Throws: ``StoreError``: why the change would be refused, as far as the store can tell.
  func entries(after change: StoreChange) async throws -> [Entry]
}
