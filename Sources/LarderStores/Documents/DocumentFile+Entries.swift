import Harmony
import LarderModel
import LarderDocuments
import LarderStoreBase

extension DocumentFile {
  /// Returns the complete entry of a key, or throws if there is none.
  func entry(_ key: EntryKey, _ reading: Reading) throws -> Entry {
    guard let entry = try entry(key, in: reading.document) else {
      throw CoreError.NotFound.entry(key, in: path)
    }
    return entry
  }

  func entry(_ key: EntryKey, in document: Contents) throws(StoreError) -> Entry? {
    do {
      guard let path = try DocumentAddress(document: document).path(of: key),
        let value = try document.value(at: path)
      else { return nil }
      return document.entry(EntryKey(path: path), value, at: path)
    } catch {
      throw StoreError.notShown(key, of: path, error)
    }
  }

  func pathToWrite(
    _ key: EntryKey, in document: Contents
  ) throws(StoreError) -> [DocumentStep] {
    do {
      return try DocumentAddress(document: document).pathToWrite(key)
    } catch {
      throw .notWritten(key, to: path, error)
    }
  }

  /// Returns a plan that writes values, each if its condition holds.
  ///
  /// If a key occurs several times, only its last value is written.
  func put(
    _ writes: [EntryWrite], in document: Contents
  ) throws -> DocumentPlan<Contents, [Entry]> {
    var changes: [DocumentChange] = []
    var forms: [[DocumentStep]: String] = [:]
    var lasting: [[DocumentStep]: Int] = [:]
    for (place, write) in writes.enumerated() {
      let path = try pathToWrite(write.request.key, in: document)
      if case .anything = write.request.condition {
        // The current value may not even be readable.
      } else {
        let current = try entry(EntryKey(path: path), in: document)
        guard write.request.condition.allows(current) else {
          throw StoreError.conflict(current: current)
        }
      }
      changes.append(.set(path, write.value))
      (forms[path], lasting[path]) = (write.form, place)
    }
    return DocumentPlan(changes: changes, forms: forms) { [self, changes, lasting] document in
      try changes.enumerated().compactMap { place, change in
        guard case .set(let path, let value) = change else { return nil }
        let key = EntryKey(path: path)
        let stored = lasting[path] == place ? try entry(key, in: document) : nil
        return stored ?? Entry(key: key, value: value)
      }
    }
  }

  /// Returns a plan that deletes entries; missing ones are ignored.
  func delete(
    _ request: DeleteRequest, in document: Contents
  ) throws -> DocumentPlan<Contents, Void> {
    let keys: [EntryKey]
    switch request {
    case .one(let key, let condition):
      if case .unchanged = condition {
        let current = try entry(key, in: document)
        guard condition.allows(current) else { throw StoreError.conflict(current: current) }
      }
      keys = [key]
    case .several(let several): keys = several
    case .prefix(let prefix, _):
      keys = DocumentKeys<Contents>().sorted(document).filter { $0.hasPrefix(prefix) }
    case .all: keys = DocumentKeys<Contents>().sorted(document)
    }
    let changes = try removals(of: keys, in: document)
    return DocumentPlan(changes: changes) { _ in request.scan?.reportDeleted(changes.count) }
  }

  /// Returns the removals of some entries in reverse order, so that none changes the path of
  /// another before it is removed.
  func removals(
    of keys: [EntryKey], in document: Contents
  ) throws(StoreError) -> [DocumentChange] {
    do throws(DocumentError) {
      let address = DocumentAddress(document: document)
      var paths: Set<[DocumentStep]> = []
      for key in keys {
        guard let path = try address.path(of: key) else { continue }
        if let obstacle = document.removalObstacle(at: path) ?? document.nameObstacle(at: path) {
          throw .notDeleted(key, obstacle)
        }
        paths.insert(path)
      }
      let ordered = paths.map { ($0, EntryKey.sortKey($0)) }.sorted { $0.1 > $1.1 }
      return ordered.map { .remove($0.0) }
    } catch {
      throw .unchanged(path, error)
    }
  }
}

extension EntryKey {
  /// Returns a key that sorts repetitions, later elements and nested values after their
  /// predecessors.
  fileprivate static func sortKey(_ path: [DocumentStep]) -> EntryKey {
    let key = EntryKey(path: path)
    if case .composite = key { return key }
    return .composite([key])
  }
}
