import Foundation
import LarderModel
import LarderFormats
import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws the list of keys, with the columns of larder's own cache while that is shown.
  func drawKeys(_ screen: inout Screen) {
    guard layout.panes[.keys] != nil else { return }
    let body = layout.keyRows
    guard let model = state.keys else {
      drawHeader(&screen, .keys, "Keys")
      drawEmpty(&screen, body, state.stores.rows.isEmpty ? "" : Messages.chooseStore)
      return
    }
    let totals = state.clock.time.flatMap { model.times?.totals?.summaries(at: $0) }
    let notes =
      state.cache.map { [$0.summary] } ?? gridNotes(model) ?? totals ?? entryCount(model).map {
        [$0]
      } ?? []
    let title = state.storeTitle + (model.scope.isEmpty ? "" : " › \(model.scope)")
    let shownTitle = Sanitizer.display(title)
    // The status line also shows the number of entries.
    let isNoteNeeded = state.cache != nil || totals != nil
    drawHeader(
      &screen, .keys, shownTitle, notes: notes, titleWidth: TextWidth.of(shownTitle),
      isNoteNeeded: isNoteNeeded)
    let columns = layout.columns ?? .none
    if layout.columns != nil { drawColumnNames(columns, over: body, model, &screen) }
    if let text = emptyText(model) {
      let isFailure = model.failure != nil
      drawEmpty(&screen, body, text, role: isFailure ? .messageError : .textDim)
    }
    let top = model.cursor.top
    let cut = keyCut(model.shownEntries(height: body.height), in: model, columns, body.width)
    let range = model.range
    let changedBranches = model.changedBranches
    for (offset, entry) in model.window.entries.dropFirst(top).prefix(body.height).enumerated() {
      let row = Rect(x: body.x, y: body.y + offset, width: body.width, height: 1)
      let change =
        changedBranches.contains(entry.key)
        ? .changed : model.watch?.changes[entry.key]?.change
      draw(
        entry, in: model, isSelected: top + offset == model.cursor.index,
        isInRange: range?.contains(top + offset) == true, change, row, columns, cut, &screen)
    }
  }

  /// Returns the way in which the keys on screen are shortened.
  private func keyCut(
    _ entries: ArraySlice<Entry>, in model: KeysModel, _ columns: ListColumns, _ width: Int
  ) -> KeyCut {
    let labels = entries.filter { $0.key.branchPrefix == nil }
      .map { KeyLabel($0, in: model, besides: columns) }
    let width = columns.columns.isEmpty ? width - 1 : columns.keyWidth
    let indent = labels.map(\.indent).max() ?? 0
    // The first parts of keys of several parts often tell the most.
    let isComposite = entries.contains { if case .composite = $0.key { true } else { false } }
    return KeyCut(
      of: labels.map { Sanitizer.display($0.text) }, to: max(1, width - indent),
      sides: isComposite ? [.end, .middle, .start] : [.middle, .end, .start])
  }

  /// Returns notes about the entries and the columns of a grid that are not visible, or `nil` for a
  /// list.
  private func gridNotes(_ model: KeysModel) -> [String]? {
    guard let layout = layout.grid, let grid = state.shownGrid else { return nil }
    let names = grid.hidden
    let hidden = names.isEmpty ? nil : Messages.hidden(names.count)
    let before = layout.first > 0 ? Messages.before(layout.first) : nil
    let more = layout.moreCount > 0 ? Messages.after(layout.moreCount) : nil
    let parts = [entryCount(model), hidden, before, more].compactMap(\.self)
    let notes = parts.indices.map { parts[$0...].joined(separator: " · ") }
    guard names.count > 0 else { return notes }
    // With enough room, the hidden columns are named.
    let named = Sanitizer.display(Messages.hidden(names))
    let long = [entryCount(model), named, before, more].compactMap(\.self)
    return [long.joined(separator: " · ")] + notes
  }

  /// Returns the number of entries in the list.
  private func entryCount(_ model: KeysModel) -> String? {
    guard model.filter == nil else { return nil }
    return switch model.total {
    case .exactly(let count): LarderBrowser.Messages.entries(count)
    case .about(let count): Messages.aboutEntries(count)
    case nil: nil
    }
  }

  private func emptyText(_ model: KeysModel) -> String? {
    guard model.window.entries.isEmpty else { return nil }
    let bindings = state.settings.bindings
    if let failure = model.failure { return failure.message }
    if model.isPaused { return Messages.stopped(after: model.examined) }
    if model.load != nil {
      return model.filter == nil ? Messages.readingList : Messages.searchingList
    }
    if let only = model.times?.only { return Messages.noEntry(only.state) }
    if model.filterText.isEmpty, !model.scope.isEmpty {
      return Messages.noKey(withPrefix: Sanitizer.display(model.scope))
    }
    if !model.filterText.isEmpty {
      if model.filter?.field == .values {
        return Messages.noValue(matching: String(model.filterText.dropFirst()))
      }
      return Messages.noMatch(
        model.filterText, isRow: model.filter?.columns.isEmpty == false,
        doubt: model.store.filter(model.filterText).doubt,
        open: state.valueFilterText == nil ? nil : bindings.call("open"))
    }
    if state.meansStoreCache {
      return Messages.emptyCache
    }
    let canAdd = model.store.isWritable && !state.settings.isReadOnly
    return Messages.emptyStore(
      add: canAdd ? bindings.call("add") : nil, open: bindings.call("open-store"))
  }

  private func draw(
    _ entry: Entry, in model: KeysModel, isSelected: Bool, isInRange: Bool,
    _ change: EntryDifference.Change?, _ row: Rect, _ columns: ListColumns, _ cut: KeyCut,
    _ screen: inout Screen
  ) {
    // If a cell is selected, only the cell has the bright highlight.
    let isCell = isSelected && state.shownGrid?.selected != nil
    let base =
      isCell ? theme[.listRowSelectedUnfocused] : rowStyle(isSelected: isSelected, in: .keys)
    screen.fill(row, style: base)
    let label = KeyLabel(entry, in: model, besides: columns)
    let indent = 1 + min(label.indent, row.width / 2)
    let cells = columns.columns.map { ($0, cell($0.kind, of: entry, in: model)) }
    // A branch has no type or time, so its label can use that room.
    let nextColumn =
      entry.key.branchPrefix == nil
      ? cells.first?.0.x : cells.first { !$0.1.0.isEmpty }?.0.x
    let room = (nextColumn.map { $0 - 2 } ?? row.width) - indent
    let whole = layout.grid?.key?.text(of: entry.key) ?? Sanitizer.display(label.text)
    let note = label.note(besides: whole, in: room)
    let text = cut.text(whole, to: room - TextWidth.of(note))
    let start = Point(x: row.x + indent, y: row.y)
    let isMarked = model.marked.contains(entry.key)
    let isInRange = isInRange && entry.key.branchPrefix == nil
    // In a grid, the key is one column among others.
    let plain = layout.grid == nil ? ThemeRole.key : .textAccent
    let role: ThemeRole = isMarked || isInRange ? .listRowMarked : change?.themeRole ?? plain
    let keyStyle = style(role, on: base, isSelected: isSelected)
    let mark =
      isMarked
      ? "*" : isInRange ? "+" : change?.mark ?? (model.bookmarks.contains(entry.key) ? "'" : "")
    screen.put(mark, at: row.origin, style: keyStyle, maxWidth: row.width)
    screen.put(text, at: start, style: keyStyle)
    screen.put(
      note, at: Point(x: start.x + TextWidth.of(text), y: row.y),
      style: style(.textDim, on: base, isSelected: isSelected), maxWidth: room - TextWidth.of(text))
    highlight(
      matches(of: model.filter, in: text, nil), in: text, at: start, isSelected: isSelected, &screen
    )
    for (column, (text, role)) in cells where !text.isEmpty || isSelectedColumn(column) {
      let isCell = isSelected && isSelectedColumn(column)
      let style = isCell ? theme[.listRowSelected] : style(role, on: base, isSelected: isSelected)
      let shown = draw(text, in: column, of: row, style: style, &screen)
      highlight(
        matches(of: model.filter, in: shown.text, column.kind), in: shown.text, at: shown.start,
        isSelected: isCell || isSelected, &screen)
    }
  }

  private func isSelectedColumn(_ column: ListColumns.Column) -> Bool {
    guard case .field(let name) = column.kind else { return false }
    return name == state.shownGrid?.selected
  }

  /// Returns the text and role of a column for an entry or branch.
  private func cell(
    _ kind: ListColumns.Kind, of entry: Entry, in model: KeysModel
  ) -> (String, ThemeRole) {
    if entry.key.branchPrefix != nil {
      return (KeyLabel.text(kind, of: entry, in: model), .textDim)
    }
    if let cache = state.cache {
      let cells = CachedCells(status: cache.statuses[entry.key], now: cache.now)
      return (cells.text(kind), cells.role)
    }
    let cells = ListCells(row: model.row(of: entry), now: state.clock.time)
    return (cells.text(kind), cells.role(kind))
  }

  /// Draws a cell and returns its visible text, and where that starts.
  @discardableResult private func draw(
    _ text: String, in column: ListColumns.Column, of row: Rect, style: Style,
    _ screen: inout Screen
  ) -> (text: String, start: Point) {
    let shown = TextCut.truncated(Sanitizer.display(text), to: column.width)
    let cell = TextCut.padded(shown, to: column.width, alignment: column.isRight ? .right : .left)
    let x = row.x + column.x
    screen.put(cell, at: Point(x: x, y: row.y), style: style)
    let room = column.isRight ? column.width - TextWidth.of(shown) : 0
    return (shown, Point(x: x + room, y: row.y))
  }

  /// Returns the parts of a key, or of a cell, for which a filter lists the entry.
  private func matches(
    of filter: EntryFilter?, in text: String, _ kind: ListColumns.Kind?
  ) -> [Range<String.Index>] {
    guard let filter else { return [] }
    if case .field(let name) = kind,
      filter.columns.contains(where: { $0.column.hasBytes(of: name) })
    {
      return [text.startIndex..<text.endIndex]
    }
    switch (kind, filter.field) {
    case (nil, .keys), (.value, .values), (.field, .values):
      return filter.terms.flatMap { KeyText.ranges(of: $0, in: text) }
    default: return []
    }
  }

  func highlight(
    _ ranges: [Range<String.Index>], in text: String, at start: Point, isSelected: Bool,
    _ screen: inout Screen
  ) {
    let match = theme[.match]
    for range in ranges {
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

  private func drawColumnNames(
    _ columns: ListColumns, over body: Rect, _ model: KeysModel, _ screen: inout Screen
  ) {
    let line = Rect(x: body.x, y: body.y - 1, width: body.width, height: 1)
    let style = theme[.listHeader]
    screen.fill(line, style: style)
    let order = model.shownOrder
    let mark = order.isDescending ? "▾" : "▴"
    let name = layout.grid == nil ? "KEY" : model.keyTitle
    let sign = order.field == .key ? mark : ""
    let room = columns.columns.isEmpty ? line.width - 1 : columns.keyWidth
    screen.put(
      layout.grid?.key?.title(mark: sign)
        ?? TextCut.truncated(name, to: room - TextWidth.of(sign)) + sign,
      at: Point(x: line.x + 1, y: line.y), style: style)
    for column in columns.columns {
      var style = style
      if isSelectedColumn(column) { style.attributes.insert(.underline) }
      draw(
        (column.kind.tells(order.field) ? mark : "") + column.name, in: column, of: line,
        style: style, &screen)
    }
  }
}

extension KeysModel {
  /// The header of the keys in a grid, which has the names of their columns.
  var keyTitle: String {
    let names = store.keyColumns.map(\.name)
    return names.isEmpty ? "KEY" : Sanitizer.display(names.joined(separator: ", "))
  }
}

extension EntryDifference.Change {
  fileprivate var themeRole: ThemeRole {
    self == .removed ? .textDim : .diffTheirs
  }
}
