import Foundation
import LarderModel
import LarderFormats
import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws the list of keys, with what is cached beside them while that is looked at.
  func drawKeys(_ screen: inout Screen) {
    guard layout.panes[.keys] != nil else { return }
    let body = layout.keyRows(state)
    guard let model = state.keys else {
      drawHeader(&screen, .keys, "Keys")
      drawEmpty(&screen, body, state.stores.rows.isEmpty ? "" : "Choose a store.")
      return
    }
    let totals = state.clock.time.flatMap { model.times?.totals?.summary(at: $0) }
    let note = state.cache?.summary ?? totals ?? model.shownOrder.mark ?? ""
    let title = state.storeTitle + (model.scope.isEmpty ? "" : " › \(model.scope)")
    drawHeader(&screen, .keys, Sanitizer.display(title), notes: [note])
    let columns = CacheColumns(
      width: body.width, isShown: state.hasColumns,
      ofStore: state.cache == nil ? model.window.entries.first ?? Entry(key: .null) : nil)
    if state.hasColumns { drawColumnNames(columns, over: body, &screen) }
    if let text = emptyText(model) {
      let isFailure = model.failure != nil
      drawEmpty(&screen, body, text, role: isFailure ? .messageError : .textDim)
    }
    let top = model.cursor.top
    let range = model.range
    let changedBranches = model.changedBranches
    for (offset, entry) in model.window.entries.dropFirst(top).prefix(body.height).enumerated() {
      let row = Rect(x: body.x, y: body.y + offset, width: body.width, height: 1)
      let change =
        changedBranches.contains(entry.key)
        ? .changed : model.watch?.changes[entry.key]?.change
      draw(
        entry, in: model, isSelected: top + offset == model.cursor.index,
        isInRange: range?.contains(top + offset) == true, change, row, columns, &screen)
    }
  }

  private func emptyText(_ model: KeysModel) -> String? {
    guard model.window.entries.isEmpty else { return nil }
    if let failure = model.failure { return failure.message }
    if model.isPaused { return "Stopped after \(Thousands.text(model.examined)) keys. ↓ goes on." }
    if model.load != nil { return model.filter == nil ? "Reading…" : "Searching…" }
    if let only = model.times?.only {
      let what =
        switch only.state {
        case .fresh: "is fresh"
        case .soon: "expires soon"
        case .expired: "has expired"
        case .never: "counts for ever"
        }
      return "No entry here \(what). :show all lists every one."
    }
    if model.filterText.isEmpty, !model.scope.isEmpty {
      return "No key begins with “\(Sanitizer.display(model.scope))”. Backspace lists more."
    }
    if !model.filterText.isEmpty {
      if model.filter?.field == .values {
        return "No value matches \(model.filterText.dropFirst())"
      }
      // A slash at each end makes an expression for keys of what may have been meant for values.
      let advice = model.filterText.hasPrefix("/") ? "; /\(model.filterText) looks in values" : ""
      return "No key matches \(model.filterText)\(advice)"
    }
    if state.meansStoreCache {
      return "Nothing is cached. The source underneath keeps what it has."
    }
    let add = state.settings.bindings.call("add")
    return "This store is empty. "
      + (model.store.isWritable && !state.settings.isReadOnly
        ? "Press \(add) to add an entry, or " : "Press ")
      + "\(state.settings.bindings.call("open-store")) to open another."
  }

  private func draw(
    _ entry: Entry, in model: KeysModel, isSelected: Bool, isInRange: Bool,
    _ change: EntryDifference.Change?, _ row: Rect, _ columns: CacheColumns, _ screen: inout Screen
  ) {
    let base = rowStyle(isSelected: isSelected, in: .keys)
    screen.fill(row, style: base)
    let label = KeyLabel(entry, in: model)
    let indent = 1 + min(label.indent, row.width / 2)
    let room = row.width - 1 - indent - columns.width
    let whole = Sanitizer.display(label.text)
    let note = label.note(besides: whole, in: room)
    // Long keys often differ at their ends.
    let text = TextCut.truncated(whole, to: room - TextWidth.of(note), from: .middle)
    let start = Point(x: row.x + indent, y: row.y)
    let isMarked = model.marked.contains(entry.key)
    let isInRange = isInRange && entry.key.branchPrefix == nil
    let role: ThemeRole = isMarked || isInRange ? .listRowMarked : change?.themeRole ?? .key
    let keyStyle = style(role, on: base, isSelected: isSelected)
    let mark =
      isMarked
      ? "*" : isInRange ? "+" : change?.mark ?? (model.bookmarks.contains(entry.key) ? "'" : "")
    screen.put(mark, at: row.origin, style: keyStyle, maxWidth: row.width)
    screen.put(text, at: start, style: keyStyle)
    screen.put(
      note, at: Point(x: start.x + TextWidth.of(text), y: row.y),
      style: style(.textDim, on: base, isSelected: isSelected), maxWidth: room - TextWidth.of(text))
    highlight(model.filter, in: text, at: start, isSelected: isSelected, &screen)
    if let cache = state.cache {
      draw(
        cache.statuses[entry.key], at: cache.now, in: row, columns, base: base,
        isSelected: isSelected, &screen)
    } else if model.times != nil, let time = state.clock.time, entry.key.branchPrefix == nil {
      draw(entry, at: time, in: row, columns, base: base, isSelected: isSelected, &screen)
    }
  }

  private func draw(
    _ entry: Entry, at time: Date, in row: Rect, _ columns: CacheColumns, base: Style,
    isSelected: Bool, _ screen: inout Screen
  ) {
    let role: ThemeRole =
      switch EntryTime(entry).state(at: time) {
      case .fresh: .cacheFresh
      case .soon: .cacheSoon
      case .expired: .cacheExpired
      case .never: .cacheNone
      }
    let style = style(role, on: base, isSelected: isSelected)
    for column in columns.columns {
      let text = TextCut.padded(
        column.kind.text(of: entry, at: time), to: column.width, alignment: .right)
      screen.put(text, at: Point(x: row.maxX - column.fromRight, y: row.y), style: style)
    }
  }

  private func highlight(
    _ filter: EntryFilter?, in text: String, at start: Point, isSelected: Bool,
    _ screen: inout Screen
  ) {
    guard let filter, filter.field == .keys else { return }
    let match = theme[.match]
    for range in filter.terms.flatMap({ KeyText.ranges(of: $0, in: text) }) {
      let x = start.x + TextWidth.of(text[..<range.lowerBound])
      let area = Rect(x: x, y: start.y, width: TextWidth.of(text[range]), height: 1)
      screen.changeStyle(area) { style in
        guard !isSelected else {
          var marked = style
          marked.attributes.insert(.underline)
          return marked
        }
        return match
      }
    }
  }

  // MARK: Cache

  private func drawColumnNames(_ columns: CacheColumns, over body: Rect, _ screen: inout Screen) {
    let line = Rect(x: body.x, y: body.y - 1, width: body.width, height: 1)
    let style = theme[.listHeader]
    screen.fill(line, style: style)
    screen.put("KEY", at: Point(x: line.x + 1, y: line.y), style: style, maxWidth: line.width - 1)
    for column in columns.columns {
      let name = TextCut.padded(column.name, to: column.width, alignment: .right)
      screen.put(name, at: Point(x: line.maxX - column.fromRight, y: line.y), style: style)
    }
  }

  private func draw(
    _ status: CacheStatus?, at now: Duration, in row: Rect, _ columns: CacheColumns, base: Style,
    isSelected: Bool, _ screen: inout Screen
  ) {
    let role: ThemeRole =
      switch status?.state(at: now) {
      case .fresh: .cacheFresh
      case .soon: .cacheSoon
      case .expired: .cacheExpired
      case nil: .cacheNone
      }
    let style = style(role, on: base, isSelected: isSelected)
    for column in columns.columns {
      let text = TextCut.padded(
        column.kind.text(of: status, at: now), to: column.width, alignment: .right)
      screen.put(text, at: Point(x: row.maxX - column.fromRight, y: row.y), style: style)
    }
  }
}

extension EntryDifference.Change {
  /// What stands before a key that others changed.
  fileprivate var mark: String {
    switch self {
    case .added: "+"
    case .changed: "~"
    case .removed: "−"
    case .expired: "!"
    }
  }

  fileprivate var themeRole: ThemeRole {
    self == .removed ? .textDim : .diffTheirs
  }
}
