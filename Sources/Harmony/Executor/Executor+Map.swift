import Dispatch
import Synchronization

// A closure that cannot fail makes these functions such that cannot fail: they throw what it
// throws, and nothing else.

extension Array where Element: Sendable {
  /// Transforms each element on an executor, while the calling thread waits.
  ///
  /// Called from within a closure on a serial executor, that same executor would never come to it.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs, at the same time for several elements if it can.
  ///   - transform: Makes the element of the result.
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
  /// Transforms each element on an executor, while the calling thread waits.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs, as for an array.
  ///   - transform: Makes the element of the result.
  /// - Returns: One result for each element, in no order that could be relied on.
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
  /// Transforms each key on an executor, while the calling thread waits.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs, as for an array.
  ///   - transform: Makes the key of the result; of two equal ones either stays.
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

  /// Transforms each value on an executor, while the calling thread waits.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs, as for an array.
  ///   - transform: Makes the value of the result.
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

  /// Transforms each entry on an executor, while the calling thread waits.
  ///
  /// - Parameters:
  ///   - executor: Where the closure runs, as for an array.
  ///   - transform: Makes the value of the result.
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
  /// What a closure makes of each element, when all of them are done.
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
    // An executor that lets go of a closure leaves its element to the caller.
    return zip(elements, places.withLock { $0 }).map { element, result in
      result ?? Result { () throws(Failure) in try transform(element) }
    }
  }
}

/// A member of a group that leaves it once: by who takes it, or when nobody can any more.
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
