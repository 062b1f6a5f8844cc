import Foundation

/// The keyed archive in which `UserDefaults` stores a URL that is not a file URL.
///
/// `NSKeyedUnarchiver` crashes if an archive is damaged or contains another type.
struct URLArchive {
  /// The maximum number of URLs that are relative to each other.
  private static let maximumDepth = 8

  /// The URL.
  let url: URL

  /// Opens an archive; nil if the data is not an archive of a URL.
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
    // Returns the object of the archive that a reference points to.
    func object(_ reference: ArchiveValue?) -> ArchiveValue? {
      guard case .reference(let place)? = reference, objects.indices.contains(place) else {
        return nil
      }
      return objects[place]
    }
    guard depth < maximumDepth, case .table(let fields)? = object(reference),
      case .table(let type)? = object(fields["$class"]),
      case .text("NSURL")? = type["$classname"],
      // The replacement character, which no URL contains, marks unpaired surrogates.
      case .text(let text)? = object(fields["NS.relative"]), !text.contains("\u{FFFD}")
    else { return nil }
    guard let base = fields["NS.base"] else { return URL(string: text) }
    if case .text("$null")? = object(base) { return URL(string: text) }
    return Self.url(base, in: objects, depth: depth + 1).flatMap {
      URL(string: text, relativeTo: $0)
    }
  }
}
