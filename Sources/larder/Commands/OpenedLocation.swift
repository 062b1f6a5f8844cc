import Foundation
import Harmony
import LarderCore
import LarderStores

/// A location named on the command line, opened for one command.
struct OpenedLocation {
  let open: OpenStore
  let store: Store
  /// How long after its last write an entry expires, where `--ttl` says so.
  let timeToLive: Duration?

  /// Opens the location that is the first word; a database needs a collection if it has several.
  init(_ arguments: Arguments) async throws {
    timeToLive = try arguments.duration(.ttl)
    open = try await Stores.open(
      try arguments.location(), options: arguments.openOptions, journal: arguments.journal)
    store = try await open.store(open.location.collection)
  }

  /// Opens the location that is the first word, for a command that changes what it holds.
  ///
  /// - Throws: A refusal also where what is written would be gone as soon as the command ends.
  static func toChange(_ arguments: Arguments) async throws -> OpenedLocation {
    let location = try await OpenedLocation(arguments)
    guard location.store.kind.isLasting else {
      throw StoreError.notSupported(
        "\(location.store.location) lasts only as long as the program runs, so nothing was changed; "
          + "change it in the browser, or name a file")
    }
    return location
  }

  /// The entry with a key as it is typed.
  ///
  /// Where digits are typed and the store has no such number, the text of the digits is tried.
  ///
  /// - Parameters:
  ///   - typed: The key as it is typed.
  ///   - isToChange: Whether the entry is going to be written or deleted: then what was typed means
  ///     one key only, or a second deletion of 42 would be one of the text "42".
  /// - Returns: The whole entry.
  /// - Throws: `Failure` where there is none, and what the store throws.
  func entry(_ typed: String, isToChange: Bool = false) async throws -> Entry {
    var missing: (any Error)?
    for (place, key) in keys(typed).prefix(isToChange ? 1 : 2).enumerated() {
      do {
        return try await store.source.get(EntryQuery(key)).getCancelling()
      } catch  where place > 0 || error is CoreError.NotFound {
        missing = Failure(.nothing, "\(store.location) has no entry \(typed)")
      }
    }
    throw missing ?? Failure(.nothing, "\(store.location) has no entry \(typed)")
  }

  /// The keys that a text may mean, the most likely first.
  func keys(_ typed: String) -> [EntryKey] {
    let key = EntryKey(notation: typed, style: store.keyStyle)
    return key == .text(typed) ? [key] : [key, .text(typed)]
  }

  /// What became of several changes of which one was refused, as a clause.
  func outcome(_ verb: String) -> String {
    store.kind.isAtomic ? "nothing was \(verb)" : "what came before it may be \(verb)"
  }

  /// How many of several changes were made, and stay, where a failure ended them.
  func madeBeforeFailure(_ scan: Scan) -> Int {
    // What a transaction had made when its end failed is gone.
    store.kind.isAtomic ? 0 : scan.changed
  }

  /// The entry with the expiry that `--ttl` gives it.
  func timed(_ entry: Entry) -> Entry {
    guard let timeToLive, entry.expires == nil, let modified = entry.modified else { return entry }
    var entry = entry
    entry.expires = modified.addingTimeInterval(timeToLive.inSeconds)
    return entry
  }
}
