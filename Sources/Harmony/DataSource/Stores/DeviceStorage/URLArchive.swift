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
    guard var file = try? ArchiveFile(data), case .table(let archive)? = try? file.read(),
      case .text("NSKeyedArchiver")? = archive["$archiver"],
      case .table(let top)? = archive["$top"], case .list(let objects)? = archive["$objects"],
      let url = Self.url(top["root"], in: objects, depth: 0)
    else { return nil }
    self.url = url
  }

  private static func url(
    _ reference: ArchiveValue?, in objects: [ArchiveValue], depth: Int
  ) -> URL? {
    // What an object of the archive refers to, which is another object of it.
    func object(_ reference: ArchiveValue?) -> ArchiveValue? {
      guard case .reference(let place)? = reference, objects.indices.contains(place) else {
        return nil
      }
      return objects[place]
    }
    guard depth < maximumDepth, case .table(let fields)? = object(reference),
      case .table(let type)? = object(fields["$class"]),
      case .text("NSURL")? = type["$classname"],
      // Halves of characters are told by this one, which no URL holds.
      case .text(let text)? = object(fields["NS.relative"]), !text.contains("\u{FFFD}")
    else { return nil }
    guard let base = fields["NS.base"] else { return URL(string: text) }
    if case .text("$null")? = object(base) { return URL(string: text) }
    return Self.url(base, in: objects, depth: depth + 1).flatMap {
      URL(string: text, relativeTo: $0)
    }
  }
}
