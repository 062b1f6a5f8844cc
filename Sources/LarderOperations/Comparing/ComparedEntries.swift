package import LarderModel

/// One side of a comparison: a store, or an export of one.
package protocol ComparedEntries: Sendable {
  /// The name for messages.
  var name: String { get }
  /// The store; nil for an export.
  var store: Store? { get }
  /// Whether the entries can be read only once.
  var isStream: Bool { get }

  /// Returns the entries in the order in which they are stored.
  ///
  /// - Parameters:
  ///   - detail: The level of detail that is needed.
  ///   - counterpart: The other side, to whose form the values of an export are converted.
  /// - Returns: A stream of the entries.
  /// - Throws: An error if they cannot be read.
  func entries(
    _ detail: EntryPageQuery.Detail, besides counterpart: (any ComparedEntries)?
  ) throws -> EntryStream
}

/// The entries of a store whose keys have a prefix.
package struct ComparedStore: ComparedEntries {
  package let name: String
  private let opened: Store
  private let prefix: String

  package init(_ store: Store, prefix: String = "") {
    opened = store
    name = store.location.description
    self.prefix = prefix
  }

  package var store: Store? { opened }
  package var isStream: Bool { false }

  package func entries(
    _ detail: EntryPageQuery.Detail, besides counterpart: (any ComparedEntries)?
  ) throws -> EntryStream {
    EntryStream(opened, prefix: prefix, detail)
  }
}

/// The progress of a comparison.
package enum ComparisonStage: Sendable, Equatable {
  /// The number of entries read so far, before the comparison starts.
  case reading(Int)
  /// The number of keys compared so far.
  case comparing(Int)
}

extension ComparedEntries {
  /// Whether the keys are in ascending order, so that both sides can be merged while reading.
  ///
  /// - Parameter progress: Called with the number of entries read.
  /// - Returns: Whether they are in order; always false if they can be read only once.
  /// - Throws: An error from the store.
  func isInOrder(_ progress: (ComparisonStage) async -> Void) async throws -> Bool {
    guard !isStream else { return false }
    // Reported up front, because the first entry of a pipe can take long to arrive.
    await progress(.reading(0))
    var stream = try entries(.keys, besides: nil)
    var last: EntryKey?
    var count = 0
    while let entry = try await stream.next() {
      count += 1
      await progress(.reading(count))
      if let last, entry.key < last { return false }
      last = entry.key
    }
    return true
  }

  /// Returns all entries, sorted by key in memory.
  ///
  /// - Parameters:
  ///   - counterpart: The other side.
  ///   - progress: Called with the number of entries read.
  /// - Returns: The entries.
  /// - Throws: ``StoreError`` if they exceed the maximum size.
  func sorted(
    besides counterpart: any ComparedEntries, _ progress: (ComparisonStage) async -> Void
  ) async throws -> EntryStream {
    await progress(.reading(0))
    var stream = try entries(.values, besides: counterpart)
    var entries: [Entry] = []
    var size = 0
    while let entry = try await stream.next() {
      size += 128 + entry.key.notation(.typed).utf8.count + (entry.value?.storedSize ?? 0)
      guard size <= EntryComparison.maximumSortedSize else {
        throw StoreError.tooLargeToSort(name)
      }
      entries.append(entry)
      await progress(.reading(entries.count))
    }
    return EntryStream(entries.sorted { $0.key < $1.key })
  }
}
