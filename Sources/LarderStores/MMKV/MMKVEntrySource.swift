import Dispatch
import Harmony
import LarderModel

/// A read-only data source for the values in an MMKV file.
///
/// Reads the file again when its checksum or size has changed. Queries run on a queue, where their
/// futures complete.
final class MMKVEntrySource: GetDataSource, PutDataSource, DeleteDataSource {
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

  func get(_ query: any Query) -> Future<Entry> {
    reading { $0.get(query) }
  }

  func getAll(_ query: any Query) -> Future<[Entry]> {
    reading { $0.getAll(query) }
  }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    Future(refusal)
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    Future(refusal)
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    Future(refusal)
  }

  private var refusal: StoreError {
    .readOnly("\(file.path) is an MMKV file, which larder only reads; nothing was written")
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
