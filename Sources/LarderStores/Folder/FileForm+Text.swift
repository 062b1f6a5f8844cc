import Foundation
import Harmony

/// The textual representation of a form: pairs of a name and a value, starting with the mode.
///
/// `mode 644 group 33 owner 1000 modified 1700000000.000000000 flags A attribute user.mark=AQI=`
extension FileForm {
  /// Creates a form from its textual representation, or returns nil if the text is that of another
  /// kind of store.
  ///
  /// Unknown pairs are ignored.
  init?(text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count >= 2, words[0] == "mode", let bits = mode_t(words[1], radix: 8) else {
      return nil
    }
    let pairs = stride(from: 2, to: words.count - 1, by: 2).map { (words[$0], words[$0 + 1]) }
    func value<Value>(_ name: String, _ read: (Substring) -> Value?) -> Value? {
      pairs.first { $0.0 == name }.flatMap { read($0.1) }
    }
    self.init(
      // To the system, the maximum ID means "unchanged".
      bits: bits, group: value("group") { gid_t($0) }.flatMap { $0 == .max ? nil : $0 },
      owner: value("owner") { uid_t($0) }.flatMap { $0 == .max ? nil : $0 },
      modified: value("modified") { FileTime(text: $0) },
      flags: value("flags") { FileFlags(text: $0) },
      attributes: pairs.compactMap { $0.0 == "attribute" ? .init(text: $0.1) : nil }
        .filter { Self.isCarried($0.name) })
  }

  /// The textual representation, which is stored in an entry.
  var text: String {
    var text = "mode " + String(bits, radix: 8)
    if let group { text += " group \(group)" }
    if let owner { text += " owner \(owner)" }
    if let modified { text += " modified \(modified.text)" }
    if let flags { text += " flags \(flags.text)" }
    return attributes.reduce(into: text) { $0 += " attribute \($1.text)" }
  }
}

extension FileTime {
  /// The seconds since 1970 and, after the point, nine digits of nanoseconds to add to them.
  fileprivate var text: String {
    let digits = String(nanoseconds)
    return "\(seconds)." + String(repeating: "0", count: max(9 - digits.count, 0)) + digits
  }

  fileprivate init?(text: Substring) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 9, let seconds = Int(parts[0]),
      let nanoseconds = Int(parts[1]), 0..<1_000_000_000 ~= nanoseconds
    else { return nil }
    self.init(seconds: seconds, nanoseconds: nanoseconds)
  }
}

extension FolderAttributes.Pair {
  /// The name with unusual bytes percent-encoded, and the value in Base64.
  fileprivate var text: String {
    PercentCoding.escaped(name, besides: "._-") + "=" + Data(value).base64EncodedString()
  }

  fileprivate init?(text: Substring) {
    guard let sign = text.firstIndex(of: "="),
      let value = Data(base64Encoded: String(text[text.index(after: sign)...])),
      let name = PercentCoding.bytes(of: text[..<sign].utf8), !name.contains(0)
    else { return nil }
    self.init(name: name, value: Array(value))
  }
}
