import Foundation
import LarderModel
import LarderFormats
import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws the value of the selected entry.
  func drawValue(_ screen: inout Screen) {
    guard layout.panes[.value] != nil else { return }
    let body = layout.body(.value)
    guard let model = state.value, let store = state.keys?.store else {
      if let keys = state.keys, let row = keys.selected, let branch = row.key.branchPrefix {
        return drawBranch(branch, row, in: keys, &screen)
      }
      drawHeader(&screen, .value, "Value")
      return
    }
    var key = Sanitizer.display(KeyText.display(model.key, store.keyStyle))
    if let column = model.openedColumn { key += " › " + Sanitizer.display(column) }
    let facts = facts(model)
    let position = valuePosition.map { (facts.first ?? "") + " · " + $0 }
    drawHeader(&screen, .value, key, notes: [position].compactMap(\.self) + facts)
    if model.isConcealed {
      return drawEmpty(&screen, body, concealment, role: .text)
    }
    switch model.entry {
    case .failed(.notFound(let text)) where state.cache != nil && model.rowCount == 0:
      drawEmpty(&screen, body, text)
    case .failed(let error) where model.rowCount == 0:
      drawEmpty(&screen, body, error.message, role: .messageError)
    case .idle, .running, .loaded, .failed:
      drawRows(model, in: body, &screen)
    }
  }

  /// The visible rows of the value, if not all are.
  var valuePosition: String? {
    guard let model = state.value else { return nil }
    let top = model.cursor.top
    let end = min(top + layout.body(.value).height, model.rowCount)
    guard top < end, end - top < model.rowCount else { return nil }
    return Self.position(of: top..<end, of: model.rowCount)
  }

  /// The text displayed in place of a secret.
  private var concealment: String {
    let bindings = state.settings.bindings
    return Messages.secret(show: bindings.call("reveal"), copy: bindings.call("copy"))
  }

  /// Draws the number of keys in a branch, and the available commands.
  private func drawBranch(
    _ prefix: String, _ row: Entry, in model: KeysModel, _ screen: inout Screen
  ) {
    let name = Sanitizer.display(prefix)
    drawHeader(&screen, .value, name, notes: ["branch"])
    let text =
      switch model.tree?.knowledge(of: row) ?? .nothing {
      case .nothing: Messages.countingBranch
      case .atLeast(let count): Messages.largeBranch(count)
      case .known(let size):
        Messages.branch(size.count, size: size.bytes.map { ByteCount.text($0) })
      case .unknowable: Messages.uncountedBranch
      }
    let canDelete = model.store.isWritable && !state.settings.isReadOnly
    let isOpen = model.tree?.opened.contains(row.key) == true
    let bindings = state.settings.bindings
    let help = Messages.branchHelp(
      open: bindings.call("open"), isOpen: isOpen, openHere: bindings.call("open-here"),
      delete: canDelete ? bindings.call("delete") : nil)
    drawEmpty(&screen, layout.body(.value), text + " " + help, role: .text)
  }

  /// Returns versions of the header's notes: with type, size, format and expiry, and with only the
  /// expiry for narrow panes.
  private func facts(_ model: ValueModel) -> [String] {
    guard let entry = model.entry.value else { return [] }
    let part = model.shownField == nil ? nil : model.shown
    let type = (part?.type ?? entry.type)?.rawValue
    var facts = [part == nil ? entry.typeName ?? type ?? "" : type ?? ""]
    if let size = part?.storedSize ?? entry.size { facts.append(ByteCount.text(size)) }
    if let format = model.format, format != type { facts.append(format) }
    guard let expires = entry.expires, let time = state.clock.time else {
      return [facts.joined(separator: " · ")]
    }
    let expiry = ExpiryLabel.text(expires, at: time)
    let short = [(facts + [expiry]).joined(separator: " · "), expiry]
    guard state.meansStoreCache, let fetched = entry.modified else { return short }
    let age = Duration.seconds(clamping: time.timeIntervalSince(fetched)).clockText
    return [(facts + [Messages.fetched(age), expiry]).joined(separator: " · ")] + short
  }

  private func drawRows(_ model: ValueModel, in body: Rect, _ screen: inout Screen) {
    let top = model.cursor.top
    let hasKeys = state.focus == .value
    for offset in 0..<max(0, min(body.height, model.rowCount - top)) {
      let isSelected =
        top + offset == model.cursor.index && (model.selectsFields || model.selectsRows && hasKeys)
      let row = Rect(x: body.x, y: body.y + offset, width: body.width, height: 1)
      draw(model.line(at: top + offset, hasKeys: hasKeys), in: row, isSelected: isSelected, &screen)
    }
    drawInspector(model, &screen)
  }

  private func draw(
    _ line: ValueLine, in row: Rect, isSelected: Bool, _ screen: inout Screen
  ) {
    guard line.picture.isEmpty else { return draw(line.picture, in: row, &screen) }
    let base = isSelected ? rowStyle(isSelected: true, in: .value) : theme[.text]
    if isSelected { screen.fill(row, style: base) }
    let parts = rows.parts(of: line, after: state.value?.left ?? 0)
    let runs = parts.map {
      TextRun($0.text, style: style(of: $0, on: base, isSelected), link: $0.link)
    }
    let drawn = screen.put(runs, at: Point(x: row.x + 1, y: row.y), maxWidth: row.width - 1)
    guard drawn >= row.width - 2, row.width > 1 else { return }
    // If only a note is cut, the last character of the value stays visible.
    let note = parts.last.flatMap { $0.role == .note && parts.count > 1 ? $0.text : nil }
    let width = parts.reduce(0) { $0 + TextWidth.of($1.text) }
    if width > drawn, width - (note.map { TextWidth.of($0) } ?? 0) != row.width - 1 {
      screen.put("…", at: Point(x: row.maxX - 1, y: row.y), style: base)
    }
  }

  private func style(of part: ValueLine.Part, on base: Style, _ isSelected: Bool) -> Style {
    switch part.mark {
    case nil: return style(part.role.themeRole, on: base, isSelected: isSelected)
    case .cursor: return theme[.listRowSelected]
    case .match:
      guard isSelected else { return theme[.match] }
      var marked = base
      marked.attributes.insert(.underline)
      return marked
    }
  }

  /// Draws the byte inspector, which interprets the selected byte and those after it.
  private func drawInspector(_ model: ValueModel, _ screen: inout Screen) {
    let area = layout.inspector
    guard !area.isEmpty else { return }
    for (offset, line) in model.inspection(width: area.width)
      .prefix(area.height).enumerated()
    {
      let row = Rect(x: area.x, y: area.y + offset, width: area.width, height: 1)
      if offset == 0 { screen.fill(row, style: theme[.listHeader]) }
      draw(line, in: row, isSelected: false, &screen)
    }
  }
}

extension ValueLine.Role {
  /// The theme role.
  var themeRole: ThemeRole {
    switch self {
    case .plain: .text
    case .text: .valueText
    case .number: .valueNumber
    case .bool: .valueBool
    case .null: .valueNull
    case .data: .valueData
    case .name: .valueName
    case .note: .textDim
    }
  }
}

/// A text for the time until or since an expiry.
enum ExpiryLabel {
  static func text(_ expires: Date, at time: Date) -> String {
    let left = expires.timeIntervalSince(time)
    if ExpiryStatus.hasJustExpired(left) { return Messages.justExpired }
    let seconds = left.magnitude.rounded(left > 0 ? .up : .down)
    let text = Duration.seconds(clamping: seconds).clockText
    return Messages.expiry(text, isExpired: left <= 0)
  }
}
