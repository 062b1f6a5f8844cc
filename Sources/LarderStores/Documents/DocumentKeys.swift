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

/// The members of a document as entries, created on access.
struct DocumentEntries<Contents: Document>: RandomAccessCollection, Sendable {
  let document: Contents
  let keys: [EntryKey]
  /// Whether entries include their values.
  let isWhole: Bool
  /// The flag that cancels reading the values.
  let flag: CancelFlag

  var startIndex: Int { keys.startIndex }
  var endIndex: Int { keys.endIndex }

  subscript(index: Int) -> Entry {
    isWhole ? entry(keys[index]) : Entry(key: keys[index])
  }

  /// Returns the complete entry of a member, or only its key if its value cannot be read.
  func entry(_ key: EntryKey) -> Entry {
    guard !flag.isCancelled, let path = key.documentPath,
      let value = try? document.value(at: path)
    else { return Entry(key: key) }
    return document.entry(key, value, at: path)
  }

  /// Returns an entry with the number of entries that match a query; reads only those needed.
  func count(_ query: CountQuery) throws -> Entry {
    let inside = DocumentEntries(
      document: document,
      keys: query.prefix.isEmpty ? keys : keys.filter { $0.hasPrefix(query.prefix) },
      isWhole: isWhole || query.measures, flag: flag)
    return try OrderedPage(inside).count(query)
  }

  /// Returns the entries of a page.
  func page(_ query: EntryPageQuery) throws -> [Entry] {
    if query.order.needsFacts, !isWhole {
      return try DocumentEntries(document: document, keys: keys, isWhole: true, flag: flag)
        .page(query)
    }
    guard !isWhole, query.detail != .keys else { return try OrderedPage(self).page(query) }
    var keysOnly = query
    keysOnly.detail = .keys
    return try OrderedPage(self).page(keysOnly).map { entry($0.key).cut(to: query.detail) }
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
}
