import Foundation
import LarderModel

/// The lines of `ls`: an object for each entry, its key alone, or what is known of it in columns and
/// its key; and those of `touch --dry-run`, whose only column is the expiry.
///
/// A column is as wide as what was listed so far needs: no line is held back for those that come
/// after the same page, and no column ever becomes narrower.
final class ListedLines {
  /// What a line says of an entry.
  enum Form { case keys, expiries, columns, objects }

  private let form: Form
  private let store: Store
  private let now: Date
  private let terminator: UInt8
  private let output: Output
  private var showsExpiry: Bool
  private var waiting: [(entry: Entry, fields: [String])] = []
  private var widths: [Int] = []
  /// Which column holds numbers, which stand at its end.
  private static let sizes = 1
  private static let gap = 2
  /// The most lines that are waited for.
  private static let maximumCount = 4_000

  /// Prepares for entries.
  ///
  /// - Parameters:
  ///   - form: What to say of each.
  ///   - store: Where they are.
  ///   - now: The moment from which the time is counted that remains until they expire.
  ///   - terminator: The byte after each that is no object.
  ///   - output: Where they go.
  init(_ form: Form, of store: Store, now: Date, terminator: UInt8, _ output: Output) {
    self.form = form
    self.store = store
    self.now = now
    self.terminator = terminator
    self.output = output
    showsExpiry = store.capabilities.contains(.expiry)
  }

  /// Adds the line of an entry, and prints those before where they are enough.
  func add(_ entry: Entry) {
    switch form {
    case .objects: output.line { EntryJSON.append(entry, in: store, now: now, to: &$0) }
    case .keys: printKey(entry)
    case .expiries, .columns:
      let fields = fields(of: entry)
      for (place, field) in fields.enumerated() {
        if place == widths.count { widths.append(0) }
        widths[place] = max(widths[place], field.utf8.count)
      }
      waiting.append((entry, fields))
      if waiting.count >= Self.maximumCount { flush() }
    }
  }

  /// Prints the lines that were added since the last time.
  func flush() {
    for (entry, fields) in waiting {
      for (place, (field, width)) in zip(fields, widths).enumerated() {
        let space = width - field.utf8.count
        if place == Self.sizes { output.write(spaces: space) }
        output.write(field)
        output.write(spaces: place == Self.sizes ? Self.gap : space + Self.gap)
      }
      printKey(entry)
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private func printKey(_ entry: Entry) {
    output.key(entry.key, store.keyStyle)
    output.end(terminator)
  }

  /// What the columns of an entry say.
  private func fields(of entry: Entry) -> [String] {
    if form == .expiries { return [entry.expires.map(Timestamp.text) ?? "-"] }
    var fields = [
      entry.specialType ?? entry.type?.rawValue ?? "-", entry.size.map(String.init) ?? "-",
      entry.modified.map(Timestamp.text) ?? "-",
    ]
    // A column that one line has had stays in those that follow.
    if entry.expires != nil { showsExpiry = true }
    if showsExpiry { fields.append(entry.expires.map(Timestamp.text) ?? "-") }
    return fields
  }
}
