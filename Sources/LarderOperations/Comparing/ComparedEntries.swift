package import LarderModel

/// One of the two that are compared: a store, or an export of one.
package protocol ComparedEntries: Sendable {
  /// The name in messages.
  var name: String { get }
  /// The store; nil for an export.
  var store: Store? { get }
  /// Whether it can be read only once.
  var isStream: Bool { get }

  /// The entries, in the order that they are stored in.
  ///
  /// - Parameters:
  ///   - detail: How much is needed of each.
  ///   - counterpart: What they are compared with, in whose form an export has them.
  /// - Returns: The entries, one after the other.
  /// - Throws: An error where they cannot be read.
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

/// How far a comparison is.
package enum ComparisonStage: Sendable, Equatable {
  /// So many entries were read, of which it is not known yet how they differ.
  case reading(Int)
  /// So many keys were compared.
  case comparing(Int)
}

extension ComparedEntries {
  /// Whether each key comes after the one before it, so that two sides can be read side by side.
  ///
  /// - Parameter progress: Told what is read.
  /// - Returns: Whether that is so; never of what can be read only once.
  /// - Throws: What the store throws.
  func isInOrder(_ progress: (ComparisonStage) async -> Void) async throws -> Bool {
    guard !isStream else { return false }
    // What is awaited for long, such as a pipe, is said to be read.
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

  /// All entries, put into the order of their keys.
  ///
  /// - Parameters:
  ///   - counterpart: What they are compared with.
  ///   - progress: Told what is read.
  /// - Returns: The entries.
  /// - Throws: ``StoreError`` where they are more than fits.
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
        throw StoreError.failed(
          "\(name) is not in the order of its keys, and more than "
            + "\(EntryComparison.maximumSortedSize >> 20) MiB cannot be put into order; "
            + "larder diff --prefix compares a part")
      }
      entries.append(entry)
      await progress(.reading(entries.count))
    }
    return EntryStream(entries.sorted { $0.key < $1.key })
  }
}
