/// A key as stores compare it: by its bytes.
///
/// Text as such is equal if it looks equal, whatever its bytes. A store that keeps keys in a file
/// cannot follow that, and a browser that shows two keys must be able to tell them apart.
struct StoredKey: Hashable, Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: StoredKey, right: StoredKey) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
