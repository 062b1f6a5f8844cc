package import LarderModel
package import LarderFormats

/// The value of the selected entry, in the format it is shown in.
package struct ValueModel: Sendable, Equatable {
  /// The key of the entry.
  package private(set) var key: EntryKey
  /// The entry, once it is read.
  package private(set) var entry: Loading<Entry>
  /// The token of the read that is under way.
  package private(set) var token: Int
  /// The column that rows of the store are kept for; nil where there is none.
  let keptField: String?
  /// The column of a record that is shown by itself.
  private(set) var opened: OpenedColumn?
  /// Whether the value is a secret, which is here only while somebody looks at it.
  package let isSecret: Bool
  /// The names of the formats that can show the value, the best first.
  package private(set) var formats: [String] = []
  /// The rows of the value in the present format.
  var content = ValueContent()
  /// The format the user chose, kept from entry to entry.
  package private(set) var chosenFormat: String?
  /// The best format of the value that it was chosen for; it is meant for others like that one.
  private var formatInPlaceOf: String?
  /// The selected row, where rows are selected; of other values the first one on screen.
  package internal(set) var cursor = ListCursor()
  /// The selected byte, of bytes in digits.
  package internal(set) var byte = 0
  /// What is looked for in the value.
  package internal(set) var search: ValueSearch?
  /// Where a search found text last, in bytes.
  var foundPlace: Int?
  /// The value before others changed or removed it.
  private(set) var before: StoredValue?
  /// The image that the value is, once it is decoded.
  private(set) var picture: DecodedPicture?
  /// Whether it is being decoded.
  var isDecoding = false
  /// What it was decoded from.
  private var decoded: StoredValue?
  /// What was found by looking at all of the value, where that takes a while.
  private(set) var reading: ValueReading?
  /// Whether that is still to be found out.
  private(set) var isUnread = false
  /// What is to be done with the rows and takes too long for keys to wait, in order.
  var jobs: [ValueJob] = []
  /// The first of these, once it is under way.
  var running: RunningJob?
  /// How many columns a row can take.
  private(set) var width: Int
  /// The width that the rows were made for.
  var rowsWidth = 0
  /// How many rows the pane has, which pictures fit into.
  private var height = 20
  /// Grows with every change of the rows, so that a view can keep what it derived from them.
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
    chosenFormat = previous?.chosenFormat
    formatInPlaceOf = previous?.formatInPlaceOf
    if let row = previous?.opened, previous?.key != key {
      chosenFormat = row.chosenFormat
      formatInPlaceOf = row.formatInPlaceOf
    }
    // Never that of what was drawn before, also where that was of another tab.
    version = max((previous?.version ?? 0) + 1, token << 16)
    // What was there stays on screen until the new value is: most reads take less than a frame.
    if let previous, previous.key == key, !isSecret, !previous.isSecret {
      opened = previous.opened
      formats = previous.formats
      content = previous.content
      picture = previous.picture
      decoded = previous.decoded
      reading = previous.reading
      cursor = previous.cursor
      byte = previous.byte
      search = previous.search
    }
  }

  /// Lets go of a large value, which is read again when somebody comes back to it; not of a tree,
  /// which somebody has folded.
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

  /// Lets go of everything that was read.
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

  /// Whether the value is a secret that is not shown.
  package var isConcealed: Bool { isSecret && entry.value != nil && entry.value?.value == nil }

  /// Whether the value is a secret that somebody looks at.
  package var isRevealed: Bool { isSecret && entry.value?.value != nil }

  /// The maximum number of bytes of a value that is kept while nobody looks at it.
  private static let maximumParked = 1 << 20

  /// The name of the present format.
  package var format: String? {
    guard let chosenFormat, formats.contains(chosenFormat), formats.first == formatInPlaceOf else {
      return formats.first
    }
    return chosenFormat
  }

  /// Whether rows are chosen one by one: each is a column that can be edited.
  package var selectsFields: Bool {
    if case .record = entry.value?.value { format == ValueFormat.record.name } else { false }
  }

  /// The index of the selected column of a record.
  package var selectedField: Int? {
    guard selectsFields, cursor.index < content.count else { return nil }
    return content.line(at: cursor.index, marking: nil, selected: nil).field
  }

  /// The number of rows that are known; those of long text are found as it is scrolled.
  package var rowCount: Int { content.count }

  /// A row as it is shown.
  ///
  /// - Parameters:
  ///   - row: Its number; a row that does not exist is empty.
  ///   - hasKeys: Whether the selected byte is to be marked.
  /// - Returns: The row, with marks on what is looked for.
  package func line(at row: Int, hasKeys: Bool = false) -> ValueLine {
    content.line(at: row, marking: search, selected: hasKeys && selectsBytes ? byte : nil)
  }

  /// The names that stand first on the rows of a record.
  package var fieldNames: [String] {
    guard case .lines(let lines) = content.body else { return [] }
    return lines.compactMap { line in
      line.parts.first.flatMap { $0.role == .name ? $0.text : nil }
    }
  }

  /// Takes in the entry, or why it could not be read.
  ///
  /// - Parameters:
  ///   - result: The entry as it is.
  ///   - before: Its value before others changed it, to be shown below, or before they removed it.
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
      // What was there stays on screen until it is known what is there now.
      if isUnread, case .tree = content.body { return }
      formats = isConcealed ? [] : formats(of: entry.value ?? .null)
    case .failure(let error):
      entry = .failed(error)
      isUnread = false
      formats = gone.map(plainFormats) ?? []
    }
    layOut(keepingPlace: true)
  }

  /// The formats that can show the value of a row, as far as it is known, the best first.
  private func formats(of row: StoredValue) -> [String] {
    if let reading { return reading.formats + rowFormats(of: row) }
    guard isUnread else { return plainFormats(of: row) }
    return innerFormats(ValueFormat.suitableAtOnce(for: inner(of: row))) + rowFormats(of: row)
  }

  /// The value of an entry that others have removed, where it was kept.
  private var gone: StoredValue? {
    if case .failed(.notFound) = entry { before } else { nil }
  }

  /// Shows a column of the record by itself.
  mutating func open(_ column: String, token: Int) {
    guard case .loaded(let entry) = entry else { return }
    opened = OpenedColumn(
      name: column, chosenFormat: chosenFormat, formatInPlaceOf: formatInPlaceOf, cursor: cursor)
    chosenFormat = nil
    formatInPlaceOf = nil
    show(entry, token: token)
  }

  /// Shows the record again that the column is of, with that column selected.
  ///
  /// - Returns: Whether it could be: what cannot be read any more is shown as it is.
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

  /// Shows something else of the entry; what is under way for what was shown answers for nothing.
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

  /// Shows the value in the next format that can show it.
  package mutating func changeFormat() {
    guard let format, let place = formats.firstIndex(of: format) else { return }
    show(as: formats[(place + 1) % formats.count])
  }

  /// Shows the value in a format, where that can show it.
  mutating func show(as name: String) {
    guard formats.contains(name) else { return }
    chosenFormat = name
    formatInPlaceOf = formats.first
    cursor = ListCursor()
    byte = 0
    layOut(keepingPlace: false)
  }

  /// Makes the rows again if they would be others at a size; what was at the top stays there.
  package mutating func fit(_ width: Int, height: Int) {
    let isOther = width != self.width || (picture != nil && height != self.height)
    self.height = height
    guard isOther, width > 0 else { return }
    self.width = width
    layOut(keepingPlace: true, isFit: true)
  }

  /// Finds out what the value holds, and shows it.
  ///
  /// - Returns: Whether that is known now: nobody may wait for it any more.
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

  /// Takes in what was found out about the value, and shows it unless somebody reads the text already.
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

  /// Makes the rows for the width there is now, where they were made for another one.
  mutating func fitAgain() {
    if rowsWidth != width { layOut(keepingPlace: true, isFit: true) }
  }

  /// Shows the image that the value is.
  mutating func receive(_ picture: DecodedPicture) {
    self.picture = picture
    isDecoding = false
    decoded = innerValue
    layOut(keepingPlace: true)
  }

  /// Makes the rows, or has them made where that takes a while.
  private mutating func layOut(keepingPlace: Bool, isFit: Bool = false) {
    if isSlowToLayOut(isFit: isFit) || jobs.contains(where: { !$0.isMove }) {
      if content.count == 0 {
        content = ValueContent(.lines([ValueLine([.init("reading…", .note)])]))
        version += 1
      }
      return add(.layOut(keepingPlace: keepingPlace, isFit: isFit))
    }
    layOutNow(keepingPlace: keepingPlace, isFit: isFit)
  }

  /// Makes the rows.
  mutating func layOutNow(keepingPlace: Bool, isFit: Bool = false) {
    version += 1
    let old = content
    let place = keepingPlace ? self.place : nil
    content = ValueContent()
    if isFit, before == nil, let fitted = old.fitting(width) {
      content = fitted
    } else if let value = shown, let format = ValueFormat.named(format) {
      let read = reading?.contents[format.name].map { ValueContent($0, width: width) }
      content = drawn(read ?? format.rows(value, width), height: height)
      if keepingPlace { keepFolds(of: old) }
    }
    rowsWidth = width
    if let place { go(to: place, of: old) }
    showBefore()
    extend()
    // What comes back after a while may have become shorter.
    if old.count == 0, content.count > 0 { cursor.reveal(count: content.count, height: height) }
    byte = max(0, min(byte, byteCount - 1))
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
    let names = plainFormats(of: before)
    let name = format.flatMap { names.contains($0) ? $0 : nil } ?? names.first
    guard let format = ValueFormat.named(name) else { return }
    var old = format.rows(part(of: before, in: name), width)
    if case .lines(let lines) = old.body {
      // Columns that are no more are not edited.
      old.body = .lines(lines.map { ValueLine($0.parts) })
    }
    content.before = (ValueLine([.init("── \(heading) ──", .note)]), old.body)
  }
}
