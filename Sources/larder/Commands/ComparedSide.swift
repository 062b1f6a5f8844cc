import Foundation
import Harmony
import LarderModel
import LarderOperations
import LarderStores

/// One side of `larder diff`: a store or an export.
struct ComparedSide: ComparedEntries {
  private enum Origin {
    case store(OpenedLocation)
    /// An export; the path is nil for standard input.
    case export(path: String?)
  }

  private let origin: Origin
  private let prefix: String
  /// The name in messages.
  let name: String

  /// Opens the location or export given by a positional argument.
  ///
  /// - Throws: An error if it cannot be opened.
  init(_ arguments: Arguments, at place: Int) async throws {
    let text = try arguments.location(at: place)
    prefix = arguments[.prefix] ?? ""
    if text == "-" {
      origin = .export(path: nil)
      name = EntryLineReader.standardInput
    } else if Self.isExport(text) {
      origin = .export(path: text)
      name = text
    } else {
      let location = try await OpenedLocation(
        arguments, isTimed: false, at: place, isOfPair: true)
      origin = .store(location)
      name = location.store.location.description
    }
  }

  /// The store; nil for an export.
  var store: Store? {
    if case .store(let location) = origin { location.store } else { nil }
  }

  /// Whether it can be read only once.
  var isStream: Bool {
    if case .export(nil) = origin { true } else { false }
  }

  func entries(
    _ detail: EntryPageQuery.Detail, besides counterpart: (any ComparedEntries)?
  ) throws -> EntryStream {
    switch origin {
    case .store(let location): return EntryStream(location.store, prefix: prefix, detail)
    case .export(let path):
      let reader = try EntryLineReader(path: path)
      return EntryStream { [prefix, store = counterpart?.store] in
        do {
          return try reader.entries(atMost: Self.linesAtOnce, for: store)?
            .filter { $0.key.hasPrefix(prefix) }
        } catch let error as InputError {
          throw Failure(.store, error.message)
        }
      }
    }
  }

  private static let linesAtOnce = 100

  /// Whether a file is an export, which starts with an entry.
  ///
  /// A JSON file with a single object is a store, unless that object is an entry of an export.
  private static func isExport(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let file = FileHandle(forReadingAtPath: path)
    else { return false }
    // The export of an empty store is an empty file, and no store is.
    if status.st_size == 0 { return true }
    let start = Data("{\"key\":".utf8)
    guard (try? file.read(upToCount: start.count)) == start,
      let reader = try? EntryLineReader(path: path)
    else { return false }
    return (try? reader.entries(atMost: 1)) != nil
  }
}
