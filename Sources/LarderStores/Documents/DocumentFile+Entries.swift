import Harmony
import LarderModel
import LarderDocuments

extension DocumentFile {
  /// Returns the complete entry of a key, or throws if there is none.
  func entry(_ key: EntryKey, _ reading: Reading) throws -> Entry {
    guard let entry = try entry(key, in: reading.document) else {
      throw CoreError.NotFound("\(path) has no entry \(key.spoken)")
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
      throw error.storeError("\(key.spoken) of \(path) cannot be shown")
    }
  }

  func pathToWrite(
    _ key: EntryKey, in document: Contents
  ) throws(StoreError) -> [DocumentStep] {
    do {
      return try DocumentAddress(document: document).pathToWrite(key)
    } catch {
      throw .notSupported("\(key.spoken) cannot be written to \(path): \(error.description)")
    }
  }

  /// Returns a plan that writes one value, if the condition holds.
  func put(
    _ value: StoredValue, _ form: String?, _ request: WriteRequest, in document: Contents
  ) throws -> DocumentPlan<Contents, Entry> {
    let path = try pathToWrite(request.key, in: document)
    let key = EntryKey(path: path)
    if case .anything = request.condition {
      // The current value may not even be readable.
    } else {
      let current = try entry(key, in: document)
      guard request.condition.allows(current) else { throw StoreError.conflict(current: current) }
    }
    let forms = form.map { [path: $0] } ?? [:]
    return DocumentPlan(changes: [.set(path, value)], forms: forms) { [self] document in
      guard let entry = try entry(key, in: document) else {
        throw CoreError.NotFound("\(key.spoken) is not there after it was written")
      }
      return entry
    }
  }

  /// Returns a plan that writes several values unconditionally.
  func put(
    _ values: [StoredValue], _ forms: [String?], _ keys: [EntryKey], in document: Contents
  ) throws -> DocumentPlan<Contents, [Entry]> {
    let paths = try keys.map { try pathToWrite($0, in: document) }
    let changes = zip(paths, values).map { DocumentChange.set($0, $1) }
    var lasting: [[DocumentStep]: Int] = [:]
    for (place, path) in paths.enumerated() { lasting[path] = place }
    var lastForms: [[DocumentStep]: String] = [:]
    for (path, form) in zip(paths, forms) { lastForms[path] = form }
    return DocumentPlan(changes: changes, forms: lastForms) { [self, lasting] document in
      try zip(paths, values).enumerated().map { place, written in
        let key = EntryKey(path: written.0)
        // If a key occurs several times, only its last value is in the document.
        let stored = lasting[written.0] == place ? try entry(key, in: document) : nil
        return stored ?? Entry(key: key, value: written.1)
      }
    }
  }

  /// Returns a plan that deletes entries; missing ones are ignored.
  func delete(
    _ request: DeleteRequest, in document: Contents
  ) throws -> DocumentPlan<Contents, Void> {
    switch request {
    case .one(let key, let condition):
      if case .unchanged = condition {
        let current = try entry(key, in: document)
        guard condition.allows(current) else { throw StoreError.conflict(current: current) }
      }
      return DocumentPlan(changes: try removals(of: [key], in: document)) { _ in }
    case .several(let keys):
      return DocumentPlan(changes: try removals(of: keys, in: document)) { _ in }
    case .prefix(let prefix, let scan):
      let keys = DocumentKeys<Contents>().sorted(document).filter { $0.hasPrefix(prefix) }
      let changes = try removals(of: keys, in: document)
      return DocumentPlan(changes: changes) { _ in scan?.reportDeleted(changes.count) }
    case .all:
      let keys = DocumentKeys<Contents>().sorted(document)
      return DocumentPlan(changes: try removals(of: keys, in: document)) { _ in }
    }
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
          throw DocumentError("\(key.spoken) cannot be deleted: \(obstacle)")
        }
        paths.insert(path)
      }
      let ordered = paths.map { ($0, EntryKey.sortKey($0)) }.sorted { $0.1 > $1.1 }
      return ordered.map { .remove($0.0) }
    } catch {
      throw .failed("\(path) cannot be changed: \(error.description); nothing was written")
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

extension DocumentError {
  /// Returns the error as a store error, with a clause that states what failed.
  fileprivate func storeError(_ clause: String) -> StoreError {
    let sentence = "\(clause): \(description)"
    return isRefusal ? .notSupported(sentence) : .failed(sentence)
  }
}
