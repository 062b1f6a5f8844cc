/// Reports when a store may have changed, whoever changed it.
///
/// Asked by one task at a time. While nothing changes it holds no lock, makes no file and takes no
/// processor time. What it holds, such as a descriptor of the system, goes with it.
package protocol ChangeFeed: Sendable {
  /// Why changes may be told late, or looking for them costs something, as a sentence; nil where the
  /// system tells of all of them. Known once ``next()`` has returned.
  var limitation: String? { get }

  /// Waits until something may have changed since it last returned.
  ///
  /// The first call returns as soon as no change from then on can be missed. A call that was cancelled
  /// loses no change.
  ///
  /// - Throws: `CancellationError`.
  func next() async throws
}
