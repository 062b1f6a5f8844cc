import Harmony
import LarderModel

/// A location that is written as a URL of a file, as browsers and file managers copy it.
enum FileURL {
  /// The path that a URL of a file stands for, with what follows it.
  ///
  /// - Parameter text: A location as it is typed.
  /// - Returns: The path; nil where the text is no URL of a file.
  /// - Throws: ``StoreError`` where it is one that leads to no file here.
  static func path(_ text: String) throws(StoreError) -> String? {
    guard text.prefix(6).lowercased() == "file:/" else { return nil }
    var rest = Array(text.utf8.dropFirst(5))[...]
    if rest.starts(with: "//".utf8) {
      let host = String(
        decoding: rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
      guard host.isEmpty || host.lowercased() == "localhost" else {
        throw .cannotOpen(
          "\(text) is on “\(host)”, and larder opens files of this computer only: "
            + "file:///PATH, or the path itself")
      }
      rest = rest.dropFirst(2 + host.utf8.count)
    }
    guard let bytes = PercentCoding.bytes(of: rest), !bytes.contains(0),
      let path = String(validating: bytes, as: UTF8.self)
    else {
      throw .cannotOpen(
        "\(text) is no URL of a file: each % has to be followed by two hexadecimal digits, and all "
          + "of it has to be UTF-8; give the path itself")
    }
    guard path.hasPrefix("/") else { throw .cannotOpen("\(text) names no file") }
    return path
  }
}
