import Foundation
import LarderModel

/// The form of a live source's entry, as in ``Entry/form``.
///
/// The expiry of a cached value is not part of the value, so the form states it when a write is to
/// restore an earlier entry.
struct LiveForm: Hashable {
  /// Whether the key has a list of values rather than one value that is an array.
  var isList = false
  /// Whether only the cache has the entry, and the backing store has none.
  var isAlone = false
  /// The expiry in seconds since 1970, with infinity for never, or nil if it is unspecified and the
  /// cache determines it.
  var expires: Double?

  private static let list = "list"
  private static let alone = "alone"
  private static let until = "until "

  /// Creates a form.
  init(isList: Bool = false, isAlone: Bool = false, expires: Double? = nil) {
    self.isList = isList
    self.isAlone = isAlone
    self.expires = expires
  }

  /// Parses ``text``; unknown text results in the default form.
  init(_ text: String?) {
    guard var rest = text.map({ $0[...] }) else { return }
    isList = Self.take(Self.list, from: &rest)
    isAlone = Self.take(Self.alone, from: &rest)
    guard rest.hasPrefix(Self.until), let time = Double(rest.dropFirst(Self.until.count)),
      !time.isNaN
    else { return }
    expires = time
  }

  private static func take(_ word: String, from rest: inout Substring) -> Bool {
    guard rest == word || rest.hasPrefix(word + " ") else { return false }
    rest = rest.dropFirst(word.count + 1)
    return true
  }

  /// The textual representation, or nil for the default form.
  var text: String? {
    let words = [
      isList ? Self.list : nil, isAlone ? Self.alone : nil, expires.map { Self.until + String($0) },
    ]
    let text = words.compactMap { $0 }.joined(separator: " ")
    return text.isEmpty ? nil : text
  }
}

extension Entry {
  /// Returns the entry with another expiry, which is also stated in its form.
  func expiring(_ expires: Date?) -> Entry {
    var entry = self
    var form = LiveForm(self.form)
    form.expires = expires?.timeIntervalSince1970 ?? .infinity
    entry.form = form.text
    entry.expires = expires
    return entry
  }

  /// Returns the entry with its form stating the expiry, if a cache has reported one, and whether
  /// only the cache has the entry.
  func withTimeInForm(isAlone: Bool = false) -> Entry {
    // Without a modification date, the entry is not cached and its expiry is unknown.
    guard modified != nil else { return self }
    var entry = expiring(expires)
    var form = LiveForm(entry.form)
    form.isAlone = isAlone
    entry.form = form.text
    return entry
  }
}
