import Foundation
import Harmony

/// The times of entries of a cache, kept beside its store, that follow the entries to other names.
///
/// What had no times has none under its new name either, whatever was kept there of an entry that is
/// gone. A name that is left gets what was kept under the one that is filled instead, so that the
/// same names the other way around bring all times back.
struct RenamedTimes {
  private typealias Name = [UInt8]

  private let file: CacheTimesFile
  private let names: [(old: String, new: String)]
  private let known: [Name: CacheTimes?]
  /// Those whose times are kept under the new name, too, until all is done; where that has times of
  /// another that gets a new name itself, the one of both that ends first.
  private var ahead: [(old: String, new: String)] = []

  /// Reads the times before anything is renamed.
  ///
  /// - Parameters:
  ///   - names: What the entries are called in the file, and what they are going to be called.
  ///   - file: Where the times are kept.
  /// - Throws: Why the file cannot be read; nothing may be renamed then.
  init(_ names: [(old: String, new: String)], in file: CacheTimesFile) throws {
    self.file = file
    self.names = names
    let all = names.map(\.old) + names.map(\.new)
    known = Dictionary(zip(all.map(Self.name), try file.times(named: all))) { first, _ in first }
  }

  /// Keeps the times under the new names, too, before anything is renamed: whoever is killed on the
  /// way leaves each entry with its times, whichever of the two names it has by then.
  ///
  /// Under a name that is left by one and filled by another, either ends no later than it would.
  ///
  /// - Parameter isFree: Whether no entry has a new name yet, whose times those would not be.
  /// - Throws: Why the file cannot be written; nothing may be renamed then.
  mutating func begin(where isFree: (_ new: String) -> Bool) throws {
    let taken = Set(names.map { Self.name($0.old) })
    ahead = names.filter { taken.contains(Self.name($0.new)) || isFree($0.new) }
    try file.setTimes(
      byName: ahead.map { name in
        let times = known[Self.name(name.old)] ?? nil
        guard taken.contains(Self.name(name.new)) else { return (name.new, times) }
        return (name.new, Self.earlier(times, known[Self.name(name.new)] ?? nil))
      })
  }

  /// The times of which the end comes first; nothing that is known has ended already.
  private static func earlier(_ one: CacheTimes?, _ other: CacheTimes?) -> CacheTimes? {
    guard let one, let other else { return nil }
    return (one.expires ?? .distantFuture) <= (other.expires ?? .distantFuture) ? one : other
  }

  /// Keeps the times under the names that the entries have now.
  ///
  /// - Parameter isDone: Whether an entry was renamed, by its old name.
  /// - Throws: Why the file cannot be written.
  func finish(where isDone: (_ old: String) -> Bool = { _ in true }) throws {
    let done = names.filter { isDone($0.old) }
    let renamed = Set(done.map { Self.name($0.old) })
    let kept = ahead.filter { !renamed.contains(Self.name($0.old)) }
    try file.setTimes(byName: kept.map { ($0.new, known[Self.name($0.new)] ?? nil) })
    let origins = Dictionary(done.map { (Self.name($0.new), $0.old) }) { first, _ in first }
    let left = Set(done.map { Self.name($0.old) })
    var changes = done.map { ($0.new, known[Self.name($0.old)] ?? nil) }
    for name in done where !left.contains(Self.name(name.new)) {
      // The first name of those that were each taken over by the next.
      var start = name.old
      for _ in done {
        guard let origin = origins[Self.name(start)] else { break }
        start = origin
      }
      changes.append((start, known[Self.name(name.new)] ?? nil))
    }
    try file.setTimes(byName: changes)
  }

  private static func name(_ text: String) -> Name { Array(text.utf8) }
}
