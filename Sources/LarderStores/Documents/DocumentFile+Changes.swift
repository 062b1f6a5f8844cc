import Harmony
import LarderModel
import LarderDocuments

extension DocumentFile {
  /// Returns a plan for several changes, if every entry is as expected.
  ///
  /// - Parameters:
  ///   - query: The changes, whose scan receives the one at fault.
  ///   - document: The current document.
  /// - Returns: The plan.
  /// - Throws: ``StoreError``, such as a conflict if an entry is not as expected.
  func make(
    _ query: ChangesQuery, in document: Contents
  ) throws -> DocumentPlan<Contents, [Entry]> {
    var sets: [DocumentChange] = []
    var paths = SeparatePaths()
    var forms: [[DocumentStep]: String] = [:]
    var written: [EntryKey] = []
    for change in query.changes {
      try query.scan.blaming(change.key) {
        let condition = WriteRequest(change).condition
        let current = try entry(change.key, in: document)
        guard condition.allows(current) else { throw StoreError.conflict(current: current) }
        guard let value = change.value else { return }
        let path = try pathToWrite(change.key, in: document)
        if let other = paths.add(path) {
          throw StoreError.overlapping(change.key, EntryKey(path: other))
        }
        sets.append(.set(path, value))
        forms[path] = change.form
        written.append(EntryKey(path: path))
      }
    }
    let removed = query.changes.filter { $0.value == nil }.map(\.key)
    let changes = sets + (try removals(of: removed, in: document))
    return DocumentPlan(changes: changes, forms: forms) { [self, written] document in
      try written.compactMap { try entry($0, in: document) }
    }
  }

  /// Returns a plan that renames entries, if each is as expected and its new name is free.
  func rename(
    _ renames: [RenameQuery], in document: Contents
  ) throws -> DocumentPlan<Contents, [Entry]> {
    let renames = try renames.inOrder()
    let leaving = Set(renames.map(\.entryKey))
    let changes = try renames.map { rename in
      let current = try entry(rename.entryKey, in: document)
      guard let current, current.fingerprint == rename.expecting else {
        throw StoreError.conflict(current: current)
      }
      let path = try pathToWrite(rename.entryKey, in: document)
      if let obstacle = document.nameObstacle(at: path) {
        throw StoreError.notRenamed(rename.entryKey, obstacle)
      }
      // In a document whose keys are paths, the new name is taken literally too, not as a pointer.
      let isOfPaths = path.count == 1 && EntryKey(path: path).exactPath != EntryKey(path: path)
      let newKey = isOfPaths ? rename.newKey.exactPath : rename.newKey
      let newPath = try pathToWrite(newKey, in: document)
      guard case .name(let name, repetition: 0) = newPath.last, case .name = path.last,
        path.dropLast() == newPath.dropLast()
      else {
        throw StoreError.notMoved(rename.entryKey, to: rename.newKey)
      }
      if !leaving.contains(rename.newKey), let taken = try entry(rename.newKey, in: document) {
        throw StoreError.conflict(current: taken)
      }
      return DocumentChange.rename(path, to: name)
    }
    return DocumentPlan(changes: changes) { [self] document in
      try renames.compactMap { try entry($0.newKey, in: document) }
    }
  }
}
