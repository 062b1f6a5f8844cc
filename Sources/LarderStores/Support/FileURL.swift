import Harmony
import LarderModel

/// A location in the form of a file URL, as copied from browsers and file managers.
enum FileURL {
  /// Returns the path of a file URL, including anything that follows it.
  ///
  /// - Parameter text: The location as typed.
  /// - Returns: The path, or nil if the text is not a file URL.
  /// - Throws: ``StoreError`` if the URL does not refer to a local path.
  static func path(_ text: String) throws(StoreError) -> String? {
    guard text.prefix(6).lowercased() == "file:/" else { return nil }
    var rest = Array(text.utf8.dropFirst(5))[...]
    if rest.starts(with: "//".utf8) {
      let host = String(
        decoding: rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
      guard host.isEmpty || host.lowercased() == "localhost" else {
        throw .otherHost(text, host)
      }
      rest = rest.dropFirst(2 + host.utf8.count)
    }
    guard let bytes = PercentCoding.bytes(of: rest), !bytes.contains(0),
      let path = String(validating: bytes, as: UTF8.self)
    else {
      throw .notFileURL(text)
    }
    guard path.hasPrefix("/") else { throw .noFileName(text) }
    return path
  }
}
