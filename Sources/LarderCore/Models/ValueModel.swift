/// The value of the selected entry, in the format it is shown in.
package struct ValueModel: Sendable, Equatable {
  /// The key of the entry.
  package private(set) var key: EntryKey
  /// The entry, once it is read.
  package private(set) var entry: Loading<Entry>
  /// The token of the read that is under way.
  package private(set) var token: Int
  /// The names of the formats that can show the value, the best first.
  package private(set) var formats: [String] = []
  /// The lines of the value in the present format.
  package private(set) var lines: [ValueLine] = []
  /// The format the person chose, kept from entry to entry where it fits.
  package private(set) var chosenFormat: String?
  /// The selected line, of a record; of other values the first one on screen.
  package var cursor = ListCursor()
  /// The value before others changed or removed it.
  private var before: StoredValue?
  /// How many columns a line can take.
  private var width: Int
  /// Grows with every change of the lines, so that a view can keep what it derived from them.
  package private(set) var version = 0

  /// The greatest number of lines that are made of one value.
  package static let greatestLines = 10_000

  package init(key: EntryKey, token: Int, width: Int = 80, after previous: ValueModel? = nil) {
    self.key = key
    self.token = token
    entry = .running
    self.width = width
    chosenFormat = previous?.chosenFormat
    version = (previous?.version ?? 0) + 1
    // What was there stays on screen until the new value is: most reads take less than a frame.
    if let previous, previous.key == key {
      formats = previous.formats
      lines = previous.lines
      cursor = previous.cursor
    }
  }

  /// The name of the present format.
  package var format: String? {
    chosenFormat.flatMap { formats.contains($0) ? $0 : nil } ?? formats.first
  }

  /// Whether lines are chosen one by one: each is a column that can be edited.
  package var selectsFields: Bool {
    if case .record = entry.value?.value { format == ValueFormat.record.name } else { false }
  }

  /// The index of the selected column of a record.
  package var selectedField: Int? {
    guard selectsFields, lines.indices.contains(cursor.index) else { return nil }
    return lines[cursor.index].field
  }

  /// Takes in the entry, or why it could not be read.
  ///
  /// - Parameters:
  ///   - result: The entry as it is.
  ///   - before: Its value before others changed it, to be shown below, or before they removed it.
  package mutating func receive(
    _ result: Result<Entry, StoreError>, before: StoredValue? = nil
  ) {
    self.before = before
    switch result {
    case .success(let entry):
      self.entry = .loaded(entry)
      formats = ValueFormat.suitable(for: entry.value ?? .null).map(\.name)
    case .failure(let error):
      entry = .failed(error)
      formats = gone.map { ValueFormat.suitable(for: $0).map(\.name) } ?? []
    }
    layOut()
  }

  /// The value of an entry that others have removed, where it was kept.
  private var gone: StoredValue? {
    if case .failed(.notFound) = entry { before } else { nil }
  }

  /// Shows the value in the next format that can show it.
  package mutating func changeFormat() {
    guard let format, let place = formats.firstIndex(of: format) else { return }
    chosenFormat = formats[(place + 1) % formats.count]
    cursor = ListCursor()
    layOut()
  }

  /// Makes the lines anew if they would be others at a width.
  package mutating func fit(_ width: Int) {
    guard width != self.width else { return }
    self.width = width
    if format == ValueFormat.hex.name { layOut() }
  }

  private mutating func layOut() {
    version += 1
    let format = ValueFormat.all.first { $0.name == self.format }
    if let value = entry.value?.value, let format {
      lines = format.lines(value, Self.greatestLines, width)
    } else {
      lines = []
    }
    showBefore()
  }

  /// Adds what was there before, in the format that suits it, under a line that says so.
  private mutating func showBefore() {
    let heading: String
    switch entry {
    case .loaded: heading = "before"
    case .failed(.notFound): heading = "removed"
    case .idle, .running, .failed: return
    }
    guard let before else { return }
    let names = ValueFormat.suitable(for: before).map(\.name)
    let name = format.flatMap { names.contains($0) ? $0 : nil } ?? names.first
    guard let format = ValueFormat.all.first(where: { $0.name == name }) else { return }
    let old = format.lines(before, Self.greatestLines, width)
    lines.append(ValueLine([.init("── \(heading) ──", .note)]))
    lines += old.map { ValueLine($0.parts) }
  }
}
