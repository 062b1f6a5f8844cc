import Harmony
import LarderModel
import LarderDocuments

/// The keys of a document's members, sorted on first use.
final class DocumentKeys<Contents: Document>: Sendable {
  private let kept = Locked<[EntryKey]?>(nil)

  /// Returns the sorted keys of a document, which must be the same for each call.
  func sorted(_ document: Contents) -> [EntryKey] {
    if let keys = kept.withLock({ $0 }) { return keys }
    // The root value, which has an empty path.
    if document.isOneValue { return [EntryKey(path: [])] }
    var keys = document.members.map { step -> EntryKey in
      switch step {
      case .name(let name, 0): .text(name)
      case .index(let index): .integer(Int64(index))
      default: EntryKey(path: [step])
      }
    }
    // Elements, and the members of many files, are already sorted.
    if zip(keys, keys.dropFirst()).contains(where: { $1 < $0 }) { keys.sort() }
    let sorted = keys
    kept.withLock { $0 = sorted }
    return sorted
  }
}

extension Document {
  /// Returns the complete entry of the value at a path.
  ///
  /// Its fingerprint also covers the spelling of the value, and the type if the value itself does
  /// not imply it.
  func entry(_ key: EntryKey, _ value: StoredValue, at path: [DocumentStep]) -> Entry {
    let form = nameObstacle(at: path) == nil ? form(at: path) : UnknownForm.invalidName
    let spelling = spelling(at: path)
    var entry = Entry(key: key, value: value, form: form)
    if spelling != nil || form != nil {
      entry.fingerprint = Fingerprint(of: value, spelled: spelling, form: form)
    }
    return entry
  }

  /// Returns the complete entry of a member, or only its key if its value cannot be read.
  func entry(_ key: EntryKey, unless flag: CancelFlag) -> Entry {
    guard !flag.isCancelled, let path = key.documentPath, let value = try? value(at: path) else {
      return Entry(key: key)
    }
    return entry(key, value, at: path)
  }
}
