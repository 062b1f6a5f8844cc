import LarderDocuments
import LarderModel
import Harmony

extension EffectRunner {
  /// Lists keys, up to the limit of a query.
  ///
  /// - Throws: ``StoreError`` also where it cannot be told of an entry whether it belongs to the list.
  func listing(_ query: EntryPageQuery, in opened: StoreRegistry.Opened) async throws -> KeyListing
  {
    var keys: [EntryKey] = []
    var page = query
    // In another order than that of the keys each page costs a look at all entries.
    page.limit = query.inKeyOrder == nil ? query.limit + 1 : 2_000
    let scan = Scan()
    page.scan = scan
    for try await found in EntryPages(of: opened.store.source, page) {
      // What is done to all that match is not to be done to some of them.
      if let (key, reason) = scan.unreadable.first {
        throw StoreError.failed(
          "it cannot be told whether \(key.spoken) matches (\(reason.message)); no key was marked")
      }
      keys += found.map(\.key)
      guard keys.count <= query.limit else {
        return KeyListing(keys: Array(keys.prefix(query.limit)), isWhole: false)
      }
    }
    return KeyListing(keys: keys, isWhole: true)
  }

  /// The lines of some entries.
  ///
  /// - Throws: ``StoreError`` where one of them is gone or cannot be read, and where they are too
  ///   large in all.
  func text(
    of keys: [EntryKey], _ text: EntriesText, limit: Int, in opened: StoreRegistry.Opened,
    _ scan: Scan? = nil
  ) async throws -> TakenText {
    if opened.store.hidesValues { throw StoreError.secrets("copy or export several at once") }
    var lines = ""
    var count = 0
    try await opened.store.source.forEachEntry(keys) { place, entry in
      try scan?.reportRead(place)
      guard let entry else {
        throw StoreError.notFound("\(keys[place].notation(text.keyStyle)) is not there any more")
      }
      guard entry.isWhole, entry.value != nil, entry.canBeMadeAgain || text.format != .json else {
        throw StoreError.notSupported(
          "\(entry.key.notation(text.keyStyle)) cannot be read whole, or not be made again")
      }
      var exported = entry
      exported.expires = entry.countsUntil(in: opened.store)
      lines += text.line(exported) + "\n"
      count += 1
      guard lines.utf8.count <= limit else {
        throw StoreError.notSupported(
          "the entries are more than \(limit / 1_000) kB; larder export writes any number of them")
      }
    }
    return TakenText(text: lines, count: count)
  }

  /// Writes entries into a file.
  func export(
    _ keys: [EntryKey], to path: String, replaces: Bool, in opened: StoreRegistry.Opened,
    _ scan: Scan
  ) async throws -> TakenText {
    guard let files = environment.files else {
      throw StoreError.notSupported("no file can be written here")
    }
    let json = EntriesText(.json, opened.store.keyStyle, opened.store.valueColumns)
    let taken = try await text(of: keys, json, limit: EntriesText.greatestFile, in: opened, scan)
    let written = try files.write(
      FileWriter.Order(
        bytes: Array(taken.text.utf8), path: path, replaces: replaces, spared: registry.openPaths))
    return TakenText(count: taken.count, path: written)
  }
}
