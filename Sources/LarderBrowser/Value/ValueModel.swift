package import LarderModel
package import LarderFormats

/// The value of the selected entry, and the format that it is shown in.
package struct ValueModel: Sendable, Equatable {
  /// The key of the entry.
  package private(set) var key: EntryKey
  /// The entry, once it has been read.
  package private(set) var entry: Loading<Entry>
  /// The token of the last read.
  package private(set) var token: Int
  /// The column that contains the value of a row, or `nil` if there is none.
  let keptField: String?
  /// The record column that is shown on its own.
  private(set) var opened: OpenedColumn?
  /// Whether the value is a secret, which is in memory only while it is shown.
  package let isSecret: Bool
  /// The names of the formats that can show the value, best first.
  package private(set) var formats: [String] = []
  /// The rows of the value in the current format.
  var content = ValueContent()
  /// The format that the user chose, which also applies to later entries.
  package private(set) var chosenFormat: String?
  /// The best format of the value for which the user chose a format.
  ///
  /// The choice applies only to values with the same best format.
  private var formatInPlaceOf: String?
  /// Whether long lines continue on further rows, which also applies to later entries.
  package private(set) var wraps = true
  /// The number of columns to the left of the pane, if lines do not wrap.
  package private(set) var left = 0
  /// The selected row, or the first visible row if rows cannot be selected.
  package internal(set) var cursor = ListCursor()
  /// The selected byte in the hexadecimal format.
  package internal(set) var byte = 0
  /// The current search.
  package internal(set) var search: ValueSearch?
  /// The text of the list's filter on values, which is marked if there is no search.
  var filtered: ValueSearch?
  /// The byte offset of the last match in text.
  var foundPlace: Int?
  /// The value before another program changed or removed it.
  private(set) var before: StoredValue?
  /// The decoded image.
  private(set) var picture: DecodedPicture?
  /// Whether the image is being decoded.
  var isDecoding = false
  /// The value that `picture` and `reading` were made from.
  private var decoded: StoredValue?
  /// The result of parsing the whole value in the background, if that takes a while.
  private(set) var reading: ValueReading?
  /// Whether that result is still missing.
  private(set) var isUnread = false
  /// The pending operations on the rows that take too long for the foreground, in order.
  var jobs: [ValueJob] = []
  /// The first job, if it is in progress.
  var running: RunningJob?
  /// The width of a row in screen columns.
  private(set) var width: Int
  /// The width that the rows were laid out for.
  var rowsWidth = 0
  /// The number of rows in the pane, which limits the size of images.
  private var height = 20
  /// A number that grows with every change of the rows, so that views can cache what they derive
  /// from them.
  package internal(set) var version = 0

  package init(
    key: EntryKey, token: Int, width: Int = 80, valueField: String? = nil, isSecret: Bool = false,
    after previous: ValueModel? = nil
  ) {
    self.isSecret = isSecret
    self.key = key
    keptField = valueField
    self.token = token
    entry = .running
    self.width = width > 0 ? width : 80
    wraps = previous?.wraps ?? true
    chosenFormat = previous?.chosenFormat
    formatInPlaceOf = previous?.formatInPlaceOf
    if let row = previous?.opened, previous?.key != key {
      chosenFormat = row.chosenFormat
      formatInPlaceOf = row.formatInPlaceOf
    }
    // The version must be new even if the previous value was in another tab.
    version = max((previous?.version ?? 0) + 1, token << 16)
    // The old content stays on screen until the new value is read: most reads take less than a
    // frame.
    if let previous, previous.key == key, !isSecret, !previous.isSecret {
      opened = previous.opened
      formats = previous.formats
      content = previous.content
      left = previous.left
      picture = previous.picture
      decoded = previous.decoded
      reading = previous.reading
      cursor = previous.cursor
      byte = previous.byte
      search = previous.search
    }
  }

  /// Releases a large value in a tab that is not visible.
  ///
  /// It is read again when the tab is shown. Trees are retained, because the user may have folded
  /// them.
  mutating func park() {
    jobs = []
    running = nil
    if isRevealed { return release() }
    let size =
      switch content.body {
      case .text(let rows): rows.bytes.count
      case .bytes(let rows): rows.bytes.count
      case .lines: entry.value?.size ?? 0
      case .tree: 0
      }
    guard size > Self.maximumParked else { return }
    release()
  }

  /// Releases everything that was read.
  private mutating func release() {
    entry = .running
    content = ValueContent()
    before = nil
    picture = nil
    isDecoding = false
    decoded = nil
    reading = nil
    isUnread = false
    version += 1
  }

  /// Whether the entry is being read, and nothing of it is known yet.
  package var isEmptyWhileReading: Bool {
    if case .running = entry { content.count == 0 } else { false }
  }

  /// Whether the value is a hidden secret.
  package var isConcealed: Bool { isSecret && entry.value != nil && entry.value?.value == nil }

  /// Whether the value is a secret that is shown.
  package var isRevealed: Bool { isSecret && entry.value?.value != nil }

  /// The maximum size in bytes of a value that is retained while it is not visible.
  private static let maximumParked = 1 << 20

  /// The name of the current format.
  package var format: String? {
    guard let chosenFormat, formats.contains(chosenFormat), formats.first == formatInPlaceOf else {
      return formats.first
    }
    return chosenFormat
  }

  /// Whether the rows are columns of a record, which can be edited.
  package var selectsFields: Bool {
    if case .record = entry.value?.value { format == ValueFormat.record.name } else { false }
  }

  /// The index of the selected column of a record.
  package var selectedField: Int? {
    guard selectsFields, cursor.index < content.count else { return nil }
    return content.line(at: cursor.index, marking: nil, selected: nil).field
  }

  /// The number of known rows, which grows while the user scrolls through a long text.
  package var rowCount: Int { content.count }

  /// Returns a row as displayed.
  ///
  /// - Parameters:
  ///   - row: The index of the row, which is empty if it does not exist.
  ///   - hasKeys: Whether the pane has focus, so that the selected byte is highlighted.
  /// - Returns: The row, with highlighted matches of the search.
  package func line(at row: Int, hasKeys: Bool = false) -> ValueLine {
    content.line(
      at: row, marking: search ?? filtered, selected: hasKeys && selectsBytes ? byte : nil)
  }

  /// The column names at the start of record rows.
  package var fieldNames: [String] {
    guard case .lines(let lines) = content.body else { return [] }
    return lines.compactMap { line in
      line.parts.first.flatMap { $0.role == .name ? $0.text : nil }
    }
  }

  /// Updates the value with the result of reading the entry.
  ///
  /// - Parameters:
  ///   - result: The entry, or the error.
  ///   - before: The value before another program changed or removed it, which is shown below.
  package mutating func receive(
    _ result: Answer<Entry>, before: StoredValue? = nil
  ) {
    self.before = before
    if case .success(let entry) = result, let name = opened?.name,
      entry.value?.field(name) == nil
    {
      close()
    }
    if case .success(let entry) = result, entry.value.map(inner) != decoded {
      picture = nil
      reading = nil
    }
    switch result {
    case .success(let entry):
      self.entry = .loaded(entry)
      isUnread =
        reading == nil && entry.value.map { ValueFormat.isSlowToRead(inner(of: $0)) } == true
      // The old tree stays on screen until the new value is parsed.
      if isUnread, case .tree = content.body { return }
      formats = isConcealed ? [] : formats(of: entry.value ?? .null)
    case .failure(let error):
      entry = .failed(error)
      isUnread = false
      formats = gone.map(plainFormats) ?? []
    }
    layOut(keepingPlace: true)
  }

  /// Returns the formats that can show the value of a row, best first, as far as they are known.
  private func formats(of row: StoredValue) -> [String] {
    if let reading { return reading.formats + rowFormats(of: row) }
    guard isUnread else { return plainFormats(of: row) }
    return innerFormats(ValueFormat.suitableAtOnce(for: inner(of: row))) + rowFormats(of: row)
  }

  /// The last value of an entry that another program has removed, if known.
  private var gone: StoredValue? {
    if case .failed(.notFound) = entry { before } else { nil }
  }

  /// Shows a column of the record on its own.
  mutating func open(_ column: String, token: Int) {
    guard case .loaded(let entry) = entry else { return }
    opened = OpenedColumn(
      name: column, chosenFormat: chosenFormat, formatInPlaceOf: formatInPlaceOf, cursor: cursor)
    chosenFormat = nil
    formatInPlaceOf = nil
    show(entry, token: token)
  }

  /// Closes the opened column and shows its record, with that column selected.
  ///
  /// - Returns: Whether that was possible. An entry that cannot be read any more is left as it is.
  mutating func close(token: Int) -> Bool {
    guard let row = opened else { return false }
    close()
    guard case .loaded(let entry) = entry else { return false }
    show(entry, token: token)
    cursor = row.cursor
    return true
  }

  private mutating func close() {
    guard let row = opened else { return }
    opened = nil
    chosenFormat = row.chosenFormat
    formatInPlaceOf = row.formatInPlaceOf
  }

  /// Shows another part of the entry and discards the replies of work in progress.
  private mutating func show(_ entry: Entry, token: Int) {
    self.token = token
    let before = before
    jobs = []
    running = nil
    search = nil
    foundPlace = nil
    cursor = ListCursor()
    byte = 0
    release()
    receive(.success(entry), before: before)
  }

  /// Switches to the next format that can show the value.
  package mutating func changeFormat() {
    guard let format, let place = formats.firstIndex(of: format) else { return }
    show(as: formats[(place + 1) % formats.count])
  }

  /// Switches to a format, if it can show the value.
  mutating func show(as name: String) {
    guard formats.contains(name) else { return }
    chosenFormat = name
    formatInPlaceOf = formats.first
    cursor = ListCursor()
    byte = 0
    left = 0
    layOut(keepingPlace: false)
  }

  /// Lays out the rows for a new size, if that changes them, and keeps the top row in place.
  package mutating func fit(_ width: Int, height: Int) {
    let isOther = width != self.width || (picture != nil && height != self.height)
    self.height = height
    guard isOther, width > 0 else { return }
    self.width = width
    layOut(keepingPlace: true, isFit: true)
  }

  /// The maximum width of a line that does not wrap.
  private static let unwrappedWidth = 4_096

  /// The width of a row of text or of a tree.
  var rowWidth: Int { wraps ? width : Self.unwrappedWidth }

  /// Whether the lines can wrap.
  var hasLines: Bool {
    switch content.body {
    case .text, .tree: true
    case .lines, .bytes: false
    }
  }

  /// Wraps long lines, or stops to.
  mutating func toggleWrapping() {
    wraps.toggle()
    left = 0
    layOut(keepingPlace: true, isFit: true)
  }

  /// Scrolls lines that do not wrap to the right, or to the left for negative numbers.
  ///
  /// - Returns: Whether there is more to see on that side.
  mutating func scrollSideways(by columns: Int) -> Bool {
    guard !wraps, hasLines else { return false }
    let rows = cursor.top..<min(content.count, cursor.top + height)
    let isMore =
      columns < 0
      ? left > 0
      : rows.contains {
        content.line(at: $0, marking: nil, selected: nil).text.count > left + width
      }
    guard isMore else { return false }
    left = max(0, left + columns)
    return true
  }

  /// Scrolls sideways to a column, if it is not visible.
  mutating func reveal(column: Int) {
    guard !(left..<left + width).contains(column) else { return }
    left = wraps || column < width ? 0 : column - width / 2
  }

  /// Parses the value and shows it.
  ///
  /// - Returns: Whether the result is complete, or `false` if the work was canceled.
  mutating func read(isCancelled: @escaping () -> Bool = { false }) -> Bool {
    guard let row = entry.value?.value,
      let reading = ValueReading(inner(of: row), isCancelled: isCancelled)
    else { return false }
    self.reading = reading
    isUnread = false
    decoded = inner(of: row)
    formats = formats(of: row)
    layOutNow(keepingPlace: true)
    return !isCancelled()
  }

  /// Applies the result of parsing the value, but keeps the current format if the user is already
  /// reading.
  mutating func receive(read other: ValueModel) {
    reading = other.reading
    decoded = other.decoded
    isUnread = false
    let present = format
    let isTree = tree != nil
    formats = other.formats
    guard format != present || isTree else { return }
    if !isTree, cursor.top > 0 || search != nil {
      chosenFormat = present
      formatInPlaceOf = formats.first
      return
    }
    guard other.format == format else { return layOut(keepingPlace: false) }
    jobs = []
    running = nil
    take(rowsOf: other, keeping: isTree ? place : nil)
    fitAgain()
  }

  /// Lays out the rows again if the width has changed in the meantime.
  mutating func fitAgain() {
    if rowsWidth != width { layOut(keepingPlace: true, isFit: true) }
  }

  /// Shows the decoded image.
  mutating func receive(_ picture: DecodedPicture) {
    self.picture = picture
    isDecoding = false
    decoded = innerValue
    layOut(keepingPlace: true)
  }

  /// Lays out the rows, in the background if that takes a while.
  private mutating func layOut(keepingPlace: Bool, isFit: Bool = false) {
    if isSlowToLayOut(isFit: isFit) || jobs.contains(where: { !$0.isMove }) {
      if content.count == 0 {
        content = ValueContent(.lines([ValueLine([.init(Messages.reading, .note)])]))
        version += 1
      }
      return add(.layOut(keepingPlace: keepingPlace, isFit: isFit))
    }
    layOutNow(keepingPlace: keepingPlace, isFit: isFit)
  }

  /// Lays out the rows.
  mutating func layOutNow(keepingPlace: Bool, isFit: Bool = false) {
    version += 1
    let old = content
    let place = keepingPlace ? self.place : nil
    content = ValueContent()
    if isFit, before == nil, let fitted = old.fitting(width, rows: rowWidth) {
      content = fitted
    } else if let value = shown, let format = ValueFormat.named(format) {
      let read = reading?.contents[format.name].map { ValueContent($0, width: width) }
      content = drawn(read ?? format.rows(value, width), height: height)
      if !wraps, let fitted = content.fitting(width, rows: rowWidth) { content = fitted }
      if keepingPlace { keepFolds(of: old) }
    }
    rowsWidth = width
    if let place { go(to: place, of: old) }
    showBefore()
    extend()
    // A reloaded value may have become shorter.
    if old.count == 0, content.count > 0 { cursor.reveal(count: content.count, height: height) }
    byte = max(0, min(byte, byteCount - 1))
  }

  /// Appends the previous value under a heading, in its best format.
  private mutating func showBefore() {
    let heading: String
    switch entry {
    case .loaded: heading = "before"
    case .failed(.notFound): heading = "removed"
    case .idle, .running, .failed: return
    }
    guard let before else { return }
    let names = plainFormats(of: before)
    let name = format.flatMap { names.contains($0) ? $0 : nil } ?? names.first
    guard let format = ValueFormat.named(name) else { return }
    var old = format.rows(part(of: before, in: name), width)
    if case .lines(let lines) = old.body {
      // Previous columns cannot be edited.
      old.body = .lines(lines.map { ValueLine($0.parts) })
    }
    content.before = (ValueLine([.init("── \(heading) ──", .note)]), old.body)
  }
}
