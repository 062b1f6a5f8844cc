import Foundation
import LarderModel

/// Prints the lines of `ls` and `touch --dry-run`.
///
/// A line is a JSON object, a key, or columns followed by a key. The columns of `touch --dry-run`
/// are only the expiry. A column is as wide as the entries so far require: lines only wait for the
/// rest of their page, and columns never become narrower. At a terminal, the columns have headings.
final class ListedLines {
  /// The form of a line.
  enum Form { case keys, expiries, columns, objects }

  private let form: Form
  private let store: Store
  private let now: Date
  private let terminator: UInt8
  private let output: Output
  private var showsExpiry: Bool
  /// Whether headings are printed before the first entry.
  private var needsHeadings: Bool
  private var waiting: [(entry: Entry?, fields: [String])] = []
  private var widths: [Int] = []
  /// The index of the size column, which is right-aligned.
  private static let sizes = 1
  private static let gap = 2
  /// The maximum number of lines to hold back.
  private static let maximumCount = 4_000

  /// Creates a printer for entries.
  ///
  /// - Parameters:
  ///   - form: The form of the lines.
  ///   - store: The store of the entries.
  ///   - now: The time from which `remaining` is counted.
  ///   - terminator: The byte after each line, except for objects.
  ///   - output: The output.
  init(_ form: Form, of store: Store, now: Date, terminator: UInt8, _ output: Output) {
    self.form = form
    self.store = store
    self.now = now
    self.terminator = terminator
    self.output = output
    showsExpiry = store.capabilities.contains(.expiry)
    let isForPeople = output.isTerminal || Pager.terminal != nil
    needsHeadings = form == .columns && isForPeople && terminator == UInt8(ascii: "\n")
  }

  /// Adds an entry, and prints the pending lines if there are enough of them.
  func add(_ entry: Entry) {
    switch form {
    case .objects: output.line { EntryJSON.append(entry, in: store, now: now, to: &$0) }
    case .keys: printKey(entry)
    case .expiries, .columns:
      let fields = fields(of: entry)
      if needsHeadings {
        needsHeadings = false
        add(nil, ["TYPE", "SIZE", "MODIFIED", "EXPIRES"].prefix(fields.count))
      }
      add(entry, fields[...])
      if waiting.count >= Self.maximumCount { flush() }
    }
  }

  /// Adds a line, or the headings if it has no entry.
  private func add(_ entry: Entry?, _ fields: ArraySlice<String>) {
    for (place, field) in fields.enumerated() {
      if place == widths.count { widths.append(0) }
      widths[place] = max(widths[place], field.utf8.count)
    }
    waiting.append((entry, Array(fields)))
  }

  /// Prints the pending lines.
  func flush() {
    for (entry, fields) in waiting {
      for (place, (field, width)) in zip(fields, widths).enumerated() {
        let space = width - field.utf8.count
        if place == Self.sizes { output.write(spaces: space) }
        output.write(field)
        output.write(spaces: place == Self.sizes ? Self.gap : space + Self.gap)
      }
      if let entry { printKey(entry) } else { output.line("KEY") }
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private func printKey(_ entry: Entry) {
    output.key(entry.key, store.keyStyle)
    output.end(terminator)
  }

  /// Returns the columns of an entry.
  private func fields(of entry: Entry) -> [String] {
    if form == .expiries { return [entry.expires.map(Timestamp.text) ?? "-"] }
    var fields = [
      entry.contentTypeName ?? "-", entry.size.map(String.init) ?? "-",
      entry.modified.map(Timestamp.text) ?? "-",
    ]
    // Once a line has had this column, all later ones have it.
    if entry.expires != nil { showsExpiry = true }
    if showsExpiry { fields.append(entry.expires.map(Timestamp.text) ?? "-") }
    return fields
  }
}
