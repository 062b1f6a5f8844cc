import Foundation

/// The keyed archive of a URL, as `UserDefaults` keeps one that is no file.
///
/// `NSKeyedUnarchiver` stops the program where an archive is damaged, or one of something else.
struct URLArchive {
  /// URLs that are relative to each other are as many at most.
  private static let maximumDepth = 8

  /// The URL.
  let url: URL

  /// Opens an archive; nil if the data is none of a URL.
  init?(_ data: Data) {
    guard let list = BinaryPropertyList([UInt8](data)), let archive = list.dictionary(list.top),
      archive["$archiver"].flatMap(list.text) == "NSKeyedArchiver",
      let root = archive["$top"].flatMap(list.dictionary)?["root"],
      let objects = archive["$objects"].flatMap(list.array),
      let url = Self.url(root, in: list, objects, depth: 0)
    else { return nil }
    self.url = url
  }

  private static func url(
    _ reference: Int, in list: BinaryPropertyList, _ objects: [Int], depth: Int
  ) -> URL? {
    // What an object of the archive refers to, which is another object of it.
    func object(_ reference: Int?) -> Int? {
      guard let place = reference.flatMap(list.place), objects.indices.contains(place) else {
        return nil
      }
      return objects[place]
    }
    guard depth < maximumDepth, let fields = object(reference).flatMap(list.dictionary),
      let type = object(fields["$class"]).flatMap(list.dictionary),
      type["$classname"].flatMap(list.text) == "NSURL",
      let text = object(fields["NS.relative"]).flatMap(list.text)
    else { return nil }
    guard let base = fields["NS.base"], object(base).flatMap(list.text) != "$null" else {
      return URL(string: text)
    }
    return Self.url(base, in: list, objects, depth: depth + 1).flatMap {
      URL(string: text, relativeTo: $0)
    }
  }
}
