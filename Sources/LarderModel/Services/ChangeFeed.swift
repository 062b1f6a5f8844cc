/// Reports possible changes of a store, by this or other programs.
///
/// It is used by one task at a time. While nothing changes, it holds no lock, creates no file and
/// uses no processor time. Its resources, such as file descriptors, are released with it.
package protocol ChangeFeed: Sendable {
  /// The reason why changes may be reported late or at a cost, as a sentence; nil if the system
  /// reports all of them. Known once ``next()`` has returned.
  var limitation: String? { get }

  /// Waits until the store may have changed since the previous call returned.
  ///
  /// The first call returns as soon as no later change can be missed. Cancelling a call does not
  /// lose a change.
  ///
  /// - Throws: `CancellationError`.
  func next() async throws
}
