import Foundation
import Harmony
import LarderModel
import LarderBrowser
import LarderStores

/// One of the two that `larder diff` compares: a store, or what `larder export` has printed.
struct ComparedSide {
  private enum Origin {
    case store(OpenedLocation)
    /// An export; nil for standard input.
    case export(path: String?)
  }

  private let origin: Origin
  private let prefix: String
  /// What it is called in messages.
  let name: String

  /// Opens the location that is a word of the line, or the export in its place.
  ///
  /// - Throws: Why it cannot be opened.
  init(_ arguments: Arguments, at place: Int) async throws {
    let text = try arguments.location(at: place)
    prefix = arguments[.prefix] ?? ""
    if text == "-" {
      origin = .export(path: nil)
      name = "standard input"
    } else if Self.isExport(text) {
      origin = .export(path: text)
      name = text
    } else {
      let location = try await OpenedLocation(arguments, isTimed: false, at: place)
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

  /// The entries, in the order that they are kept in.
  ///
  /// - Parameters:
  ///   - detail: How much is needed of each.
  ///   - counterpart: What they are compared with, in whose form an export has them.
  /// - Returns: The entries, one after the other.
  /// - Throws: ``Failure`` where the file of an export cannot be read.
  func entries(
    _ detail: EntryPageQuery.Detail, besides counterpart: ComparedSide? = nil
  ) throws -> EntryStream {
    switch origin {
    case .store(let location): EntryStream(location.store, prefix: prefix, detail)
    case .export(let path):
      EntryStream(
        try EntryLineReader(path: path, isQuiet: true), prefix: prefix, for: counterpart?.store)
    }
  }

  /// Whether each key comes after the one before it, so that two sides can be read side by side.
  ///
  /// - Parameter progress: Told what is read.
  /// - Returns: Whether that is so; never of what can be read only once.
  /// - Throws: What the store throws, and ``Failure`` where an export cannot be read.
  func isInOrder(_ progress: Progress) async throws -> Bool {
    guard !isStream else { return false }
    progress.set(0, as: "read")
    var stream = try entries(.keys)
    var last: EntryKey?
    while let entry = try await stream.next() {
      progress.add(1)
      if let last, entry.key < last { return false }
      last = entry.key
    }
    return true
  }

  /// The most bytes of keys and values that are put into order in memory.
  static let greatestSize = 64 << 20

  /// All entries, put into the order of their keys.
  ///
  /// - Parameters:
  ///   - progress: Told what is read.
  ///   - counterpart: What they are compared with.
  /// - Returns: The entries.
  /// - Throws: ``Failure`` where they are more than fits.
  func sorted(
    _ progress: Progress, besides counterpart: ComparedSide
  ) async throws -> EntryStream {
    progress.set(0, as: "read")
    var stream = try entries(.values, besides: counterpart)
    var entries: [Entry] = []
    var size = 0
    while let entry = try await stream.next() {
      progress.add(1)
      size += 128 + (entry.value?.storedSize ?? 0)
      guard size <= Self.greatestSize else {
        throw Failure(
          .store,
          "\(name) is not in the order of its keys, and more than "
            + "\(Self.greatestSize >> 20) MiB cannot be put into order; --prefix compares a part")
      }
      entries.append(entry)
    }
    return EntryStream(entries.sorted { $0.key < $1.key })
  }

  /// Whether a path leads to what `larder export` prints: the first line is an entry.
  ///
  /// A file of JSON with one object is a store, unless that is one.
  private static func isExport(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let file = FileHandle(forReadingAtPath: path)
    else { return false }
    // Of nothing an export is nothing, and no store is.
    if status.st_size == 0 { return true }
    let start = Data("{\"key\":".utf8)
    guard (try? file.read(upToCount: start.count)) == start,
      let reader = try? EntryLineReader(path: path, isQuiet: true)
    else { return false }
    return (try? reader.entries(atMost: 1)) != nil
  }
}

/// The entries of a store or of an export, one after the other, in memory that does not grow.
struct EntryStream {
  private enum Origin {
    case store(EntryPages.AsyncIterator)
    case lines(EntryLineReader, prefix: String, store: Store?)
    case list
  }

  private var origin: Origin
  private var page: ArraySlice<Entry> = []
  private var isAtEnd = false
  private static let linesAtOnce = 100

  init(_ store: Store, prefix: String, _ detail: EntryPageQuery.Detail) {
    let query = EntryPageQuery(prefix: prefix, limit: PageLimit.greatest, detail: detail)
    origin = .store(EntryPages(of: store.source, query).makeAsyncIterator())
  }

  init(_ reader: EntryLineReader, prefix: String, for store: Store?) {
    origin = .lines(reader, prefix: prefix, store: store)
  }

  init(_ entries: [Entry]) {
    origin = .list
    page = entries[...]
    isAtEnd = true
  }

  /// The next entry; nil at the end.
  ///
  /// - Throws: What the store throws, and ``Failure`` where a line is no entry.
  mutating func next() async throws -> Entry? {
    while page.isEmpty, !isAtEnd { try await fill() }
    return page.popFirst()
  }

  private mutating func fill() async throws {
    switch origin {
    case .list: isAtEnd = true
    case .store(var pages):
      let entries = try await pages.next()
      origin = .store(pages)
      page = (entries ?? [])[...]
      isAtEnd = entries == nil
    case .lines(let reader, let prefix, let store):
      do {
        let entries = try reader.entries(atMost: Self.linesAtOnce, for: store)
        isAtEnd = entries == nil
        page = (entries ?? [])[...].filter { $0.key.hasPrefix(prefix) }[...]
      } catch let error as InputError {
        throw Failure(error.code == .usage ? .store : error.code, error.message)
      }
    }
  }
}
