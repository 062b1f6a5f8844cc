import Foundation
import LarderModel

/// How a live source keeps an entry, as ``Entry/form`` says it.
///
/// Until when a cache counts a value is no part of the value: it is named where a write is to give
/// back what was there before another.
struct LiveForm: Hashable {
  /// Whether the key holds a list of values rather than one value that is an array.
  var isList = false
  /// Whether a cache alone has it, and the backing store nothing.
  var isAlone = false
  /// Until when a cache counts it, in seconds since 1970, infinity for ever; nil where that is not
  /// said, and the cache counts it as anything that is written.
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

  /// Reads what ``text`` has written; what is none says nothing.
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

  /// The form in words; nil for the usual one.
  var text: String? {
    let words = [
      isList ? Self.list : nil, isAlone ? Self.alone : nil, expires.map { Self.until + String($0) },
    ]
    let text = words.compactMap { $0 }.joined(separator: " ")
    return text.isEmpty ? nil : text
  }
}

extension Entry {
  /// The entry with another expiry, which its form says.
  func expiring(_ expires: Date?) -> Entry {
    var entry = self
    var form = LiveForm(self.form)
    form.expires = expires?.timeIntervalSince1970 ?? .infinity
    entry.form = form.text
    entry.expires = expires
    return entry
  }

  /// The entry with its expiry in its form, where a cache has said that, and whether
  /// the cache alone has it.
  func withTimeInForm(isAlone: Bool = false) -> Entry {
    // Of what is not cached nothing is known.
    guard modified != nil else { return self }
    var entry = expiring(expires)
    var form = LiveForm(entry.form)
    form.isAlone = isAlone
    entry.form = form.text
    return entry
  }
}
