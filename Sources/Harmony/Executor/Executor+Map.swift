import Dispatch
import Synchronization

// With typed throws, these functions throw only if the closure can.

extension Array where Element: Sendable {
  /// Transforms each element on an executor, blocking the calling thread until all are done.
  ///
  /// Calling this from a closure that runs on the same serial executor is a deadlock.
  ///
  /// - Parameters:
  ///   - executor: The executor that the closure runs on, concurrently if it allows that.
  ///   - transform: Transforms an element.
  /// - Returns: The results, in the order of the elements.
  /// - Throws: The error of the first element that cannot be transformed.
  @available(*, noasync, message: "blocks the thread; use a task group")
  public func map<T: Sendable, Failure: Error>(
    _ executor: any Executor,
    _ transform: @escaping @Sendable (Element) throws(Failure) -> T
  ) throws(Failure) -> [T] {
    var results: [T] = []
    results.reserveCapacity(count)
    for result in executor.results(of: self, transform) { results.append(try result.get()) }
    return results
  }
}

extension Set where Element: Sendable {
  /// Transforms each element on an executor, blocking the calling thread until all are done.
  ///
  /// - Parameters:
  ///   - executor: The executor that the closure runs on, concurrently if it allows that.
  ///   - transform: Transforms an element.
  /// - Returns: One result for each element, in no particular order.
  /// - Throws: The error of an element that cannot be transformed.
  @available(*, noasync, message: "blocks the thread; use a task group")
  public func map<T: Sendable, Failure: Error>(
    _ executor: any Executor,
    _ transform: @escaping @Sendable (Element) throws(Failure) -> T
  ) throws(Failure) -> [T] {
    try Array(self).map(executor, transform)
  }
}

extension Dictionary where Key: Sendable, Value: Sendable {
  /// Transforms each key on an executor, blocking the calling thread until all are done.
  ///
  /// - Parameters:
  ///   - executor: The executor that the closure runs on, concurrently if it allows that.
  ///   - transform: Transforms a key; if several results are equal, the value of any one of them is
  ///     used.
  /// - Returns: The values under their new keys.
  /// - Throws: The error of a key that cannot be transformed.
  @available(*, noasync, message: "blocks the thread; use a task group")
  public func mapKeys<T: Hashable & Sendable, Failure: Error>(
    _ executor: any Executor,
    _ transform: @escaping @Sendable (Key) throws(Failure) -> T
  ) throws(Failure) -> [T: Value] {
    let keys = try self.map { $0.key }.map(executor, transform)
    return [T: Value](zip(keys, values)) { first, _ in first }
  }

  /// Transforms each value on an executor, blocking the calling thread until all are done.
  ///
  /// - Parameters:
  ///   - executor: The executor that the closure runs on, concurrently if it allows that.
  ///   - transform: Transforms a value.
  /// - Returns: The new values under their keys.
  /// - Throws: The error of a value that cannot be transformed.
  @available(*, noasync, message: "blocks the thread; use a task group")
  public func mapValues<T: Sendable, Failure: Error>(
    _ executor: any Executor,
    _ transform: @escaping @Sendable (Value) throws(Failure) -> T
  ) throws(Failure) -> [Key: T] {
    try map(executor) { (entry: (key: Key, value: Value)) throws(Failure) in
      try transform(entry.value)
    }
  }

  /// Transforms each entry on an executor, blocking the calling thread until all are done.
  ///
  /// - Parameters:
  ///   - executor: The executor that the closure runs on, concurrently if it allows that.
  ///   - transform: Returns the new value of an entry.
  /// - Returns: The new values under their keys.
  /// - Throws: The error of an entry that cannot be transformed.
  @available(*, noasync, message: "blocks the thread; use a task group")
  public func map<T: Sendable, Failure: Error>(
    _ executor: any Executor,
    _ transform: @escaping @Sendable ((key: Key, value: Value)) throws(Failure) -> T
  ) throws(Failure) -> [Key: T] {
    let results = try self.map { $0 }.map(executor, transform)
    return [Key: T](zip(keys, results)) { first, _ in first }
  }
}

extension Executor {
  /// Returns the result of a closure for each element, once all of them are done.
  fileprivate func results<Element: Sendable, T: Sendable, Failure: Error>(
    of elements: [Element], _ transform: @escaping @Sendable (Element) throws(Failure) -> T
  ) -> [Result<T, Failure>] {
    let places = Locked<[Result<T, Failure>?]>(Array(repeating: nil, count: elements.count))
    let group = DispatchGroup()
    for (index, element) in elements.enumerated() {
      let ticket = Ticket(group)
      submit { end in
        guard ticket.take() else { return end() }
        let result = Result { () throws(Failure) in try transform(element) }
        places.withLock { $0[index] = result }
        end()
        group.leave()
      }
    }
    group.wait()
    // If the executor drops a closure without running it, the caller runs it here.
    return zip(elements, places.withLock { $0 }).map { element, result in
      result ?? Result { () throws(Failure) in try transform(element) }
    }
  }
}

/// A membership in a dispatch group that ends once: by `take()`, or when the ticket is released.
private final class Ticket: Sendable {
  private let group: DispatchGroup
  private let isTaken = Atomic(false)

  init(_ group: DispatchGroup) {
    self.group = group
    group.enter()
  }

  deinit {
    if take() { group.leave() }
  }

  func take() -> Bool {
    !isTaken.exchange(true, ordering: .acquiringAndReleasing)
  }
}
