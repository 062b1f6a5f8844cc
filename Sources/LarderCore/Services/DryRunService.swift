/// Finds out what changes would do to a store, without making them.
///
/// Safe from any thread.
package protocol DryRunService: Sendable {
  /// The entries that changes would write, as they would be stored.
  ///
  /// - Parameter changes: The changes.
  /// - Returns: The entries, as for the changes themselves; nothing is kept of them.
  /// - Throws: ``StoreError``: why the changes would be refused, as far as the store can tell.
  func entries(after changes: ChangesQuery) async throws -> [Entry]
}
