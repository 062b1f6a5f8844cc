import Foundation
import LarderBrowser
import LarderModel
import TerminalUI

extension BrowserView {
  /// Draws the recorded changes of a store, with a comparison for the selected one below.
  func draw(_ model: HistoryModel, _ screen: inout Screen) {
    _ = drawBox(&screen, in: layout.area, title: "History")
    let parts = layout.list(model.overlay)
    let table = HistoryTable(width: parts.list.width)
    let ground = theme[.dialog].background
    put(
      heading(of: model, width: parts.heading.width), in: parts.heading,
      style: theme[.dialogTitle].on(ground), &screen)
    put(table.header, in: parts.titles, style: theme[.textDim].on(ground), &screen)
    for offset in 0..<parts.list.height {
      let row = model.cursor.top + offset
      guard row < model.rowCount else { break }
      let line = Rect(x: parts.list.x, y: parts.list.y + offset, width: parts.list.width, height: 1)
      let isSelected = row == model.cursor.index
      guard let record = model.record(at: row) else {
        put("…", in: line, style: style(.textDim, isSelected), &screen)
        continue
      }
      let outlook = model.outlooks[record.step.number]
      let role: ThemeRole =
        switch outlook {
        case .changed, .refused: .messageWarning
        default: record.step.isUndone ? .textDim : .dialog
        }
      let text = table.line(
        record, what: state.text(of: record.step, in: model.store.reference),
        stateText(of: record, in: model), outlook)
      put(text, in: line, style: style(role, isSelected), &screen)
    }
    drawDetails(of: model, in: parts.footer, &screen)
  }

  private func drawDetails(of model: HistoryModel, in rect: Rect, _ screen: inout Screen) {
    guard rect.height > 2 else { return }
    if let comparison = model.shownDetails, let parts = layout.comparison {
      draw(
        comparison.comparison, parts, scroll: nil,
        heading: ComparisonHeading(title: "", long: "", short: ""), &screen)
    } else if case .failure(let error)? = model.details?.comparison,
      model.details?.number == model.selected?.step.number
    {
      put(
        Sanitizer.display(error.message), in: rect,
        style: theme[.messageError].on(theme[.dialog].background), &screen)
    }
  }

  private func heading(of model: HistoryModel, width: Int) -> String {
    let texts: [String]
    if model.failure != nil {
      texts = [Messages.unreadableChanges]
    } else if !model.isRead {
      texts = [Messages.reading]
    } else if model.rowCount == 0 {
      texts = [Messages.noChanges]
    } else {
      let state = model.selected.map { stateText(of: $0, in: model) } ?? ""
      let isCut = TextWidth.of(state) > HistoryTable(width: width).stateWidth
      texts =
        [Messages.change(model.cursor.index + 1, of: model.rowCount)] + (isCut ? [state] : [])
    }
    let place = width < 60 ? [] : [Sanitizer.display(model.store.location.description)]
    return (place + texts).joined(separator: "  ")
  }

  /// Returns the state of a change, and the key that undoes or redoes it next.
  private func stateText(of record: JournalRecord, in model: HistoryModel) -> String {
    let number = record.step.number
    let text = HistoryTable.state(of: record, model.outlooks[number], model.store.keyStyle)
    let command =
      number == model.page.nextUndo ? "undo" : number == model.page.nextRedo ? "redo" : nil
    let next = command.map { Messages.next(state.settings.bindings.call($0)) }
    return [next, text].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Returns the style of a row in an overlay list.
  func style(_ role: ThemeRole, _ isSelected: Bool) -> Style {
    isSelected ? theme[.listRowSelected] : theme[role].on(theme[.dialog].background)
  }

  /// Draws a line of an overlay list, filling its width.
  func put(_ text: String, in rect: Rect, style: Style, _ screen: inout Screen) {
    guard !rect.isEmpty else { return }
    screen.fill(Rect(x: rect.x, y: rect.y, width: rect.width, height: 1), style: style)
    screen.put(TextCut.truncated(text, to: rect.width), at: rect.origin, style: style)
  }
}

/// A formatter for the rows of a history, whose width is in cells.
struct HistoryTable {
  let width: Int

  /// The width of the time, which omits the year and the seconds if there is not enough room.
  private var timeWidth: Int { width < 100 ? 11 : 19 }
  private static let countWidth = 9
  private var isWide: Bool { width >= 60 }
  var stateWidth: Int { !isWide ? 0 : width < 100 ? 20 : min(50, width * 2 / 5) }

  var header: String {
    guard isWide else { return "  CHANGE" }
    return cells("", "NUMBER", "TIME", "ENTRIES", "CHANGE", "STATE")
  }

  /// Returns the row of a change.
  func line(
    _ record: JournalRecord, what: String, _ state: String, _ outlook: UndoOutlook?
  ) -> String {
    let step = record.step
    let time = Timestamp.secondText(of: record.time).replacing("T", with: " ").replacing(
      "Z", with: "")
    return cells(
      mark(of: record, outlook), String(step.number),
      width < 100 ? String(time.dropFirst(5).prefix(timeWidth)) : time, Thousands.text(step.count),
      record.isReadable ? Sanitizer.display(what) : "unreadable",
      state)
  }

  private func cells(
    _ mark: String, _ number: String, _ time: String, _ count: String, _ what: String,
    _ state: String
  ) -> String {
    let start =
      TextCut.padded(mark, to: 2) + TextCut.padded(number, to: isWide ? 6 : 3, alignment: .right)
      + "  "
    guard isWide else { return start + what }
    let middle =
      TextCut.padded(time, to: timeWidth) + "  "
      + TextCut.padded(count, to: Self.countWidth - 2, alignment: .right) + "  "
    let room = max(0, width - TextWidth.of(start + middle) - stateWidth - 2)
    return start + middle + TextCut.padded(TextCut.truncated(what, to: room), to: room) + "  "
      + TextCut.truncated(state, to: stateWidth)
  }

  /// Returns a symbol for the state of a change.
  private func mark(of record: JournalRecord, _ outlook: UndoOutlook?) -> String {
    switch (record.state, outlook) {
    case (.running, _), (.interrupted, _): "…"
    case (_, .changed), (_, .refused): "!"
    default: record.isPartlyUndone ? "±" : record.step.isUndone ? "−" : ""
    }
  }

  /// Returns whether a change can be undone or redone, with the reason if it cannot.
  static func state(
    of record: JournalRecord, _ outlook: UndoOutlook?, _ style: KeyStyle
  ) -> String {
    guard record.isReadable else { return Messages.damagedChange }
    switch record.state {
    case .running: return "running"
    case .interrupted: return "interrupted"
    case .settled: break
    }
    let isUndone = record.step.isUndone
    let state = record.isPartlyUndone ? Messages.partlyUndone : isUndone ? Messages.undone : ""
    let verb = isUndone ? "redone" : "undone"
    let text: String =
      switch outlook {
      case nil: ""
      case .possible: Messages.possible(verb)
      case .unchecked: Messages.unchecked(verb)
      case .changed(let key, let later):
        Messages.conflict(KeyText.display(key, style), later: later)
      case .refused(let error): Messages.refused(verb, Sanitizer.display(error.message))
      }
    return [state, text].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
