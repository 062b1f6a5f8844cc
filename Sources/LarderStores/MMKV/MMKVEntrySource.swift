import Dispatch
import Harmony
import LarderModel
import LarderStoreBase

/// A read-only data source for the values in an MMKV file.
///
/// Reads the file again when its checksum or size has changed. Queries run on a queue, where their
/// futures complete.
final class MMKVEntrySource: EntrySource {
  private let file: MMKVFile
  private let queue = DispatchQueue(label: "larder.mmkv")
  private let latest: Locked<(header: MMKVFile.Header, entries: MemoryEntrySource)>

  /// Creates a source for a file that was read.
  init(_ file: MMKVFile, _ contents: MMKVFile.Contents) {
    self.file = file
    latest = Locked(Self.state(contents))
  }

  private static func state(
    _ contents: MMKVFile.Contents
  ) -> (header: MMKVFile.Header, entries: MemoryEntrySource) {
    (contents.header, MemoryEntrySource(contents.entries, isReadOnly: true))
  }

  func read(_ keys: [EntryKey]) -> Future<[Entry]> { reading { $0.read(keys) } }

  func answer(_ query: CountQuery) -> Future<Entry> { reading { $0.answer(query) } }

  func answer(_ query: EntryPageQuery) -> Future<[Entry]> { reading { $0.answer(query) } }

  func put(_ writes: [EntryWrite]) -> Future<[Entry]> { Future(refusal) }

  func rename(_ renames: [RenameQuery], _ scan: Scan?) -> Future<[Entry]> { Future(refusal) }

  func answer(_ query: ChangesQuery) -> Future<[Entry]> { Future(refusal) }

  func answer(_ request: DeleteRequest) -> Future<Void> { Future(refusal) }

  private var refusal: StoreError {
    .onlyRead(file.path, "an MMKV file")
  }

  private func reading<Value: Sendable>(
    _ body: @escaping @Sendable (MemoryEntrySource) -> Future<Value>
  ) -> Future<Value> {
    queue.future { [self] _ in
      let known = latest.withLock { $0 }
      if known.header == file.header { return known.entries }
      let state = Self.state(try file.read())
      latest.withLock { $0 = state }
      return state.entries
    }.flatMap { body($0) }
  }
}
