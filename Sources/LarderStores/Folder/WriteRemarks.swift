import LarderCore

/// What is to be said of changes that were made: that one may not last, or is not all that it was to
/// be.
final class WriteRemarks {
  private var remarks: [(text: String, key: EntryKey)] = []

  func add(_ text: String, _ key: EntryKey) {
    remarks.append((text, key))
  }

  /// Says the first remark, and how many others there are.
  ///
  /// - Throws: ``StoreError`` where there is any: a source has no other way to say something.
  func check() throws(StoreError) {
    guard let first = remarks.first else { return }
    let others = remarks.count - 1
    let more = others == 0 ? "" : " (and \(others) more such \(others == 1 ? "remark" : "remarks"))"
    throw .failed("\(first.key.spoken) was changed, but \(first.text)\(more)")
  }
}
