import LarderModel
package import LarderFormats

extension ValueModel {
  /// The tree shown, or `nil` if the format does not show one.
  package var tree: ValueTree? {
    if case .tree(let tree) = content.body { tree } else { nil }
  }

  /// The selected row of the tree or record, not counting the header lines.
  private var ownRow: Int { cursor.index - content.head.count }

  /// Whether the selected tree node is expanded, or `nil` if it has no members.
  var isSelectedOpen: Bool? { tree?.isOpen(at: ownRow) ?? nil }

  /// The key path of the selection, such as `users[0].name`, or `nil` if the whole value is
  /// selected.
  package var path: String? {
    if let tree {
      let text = tree.pathText(at: ownRow)
      return text.isEmpty ? nil : text
    }
    guard selectsRows, case .lines(let lines) = content.body, lines.indices.contains(ownRow) else {
      return nil
    }
    return lines[ownRow].parts.first.flatMap { $0.role == .name ? $0.text : nil }
  }

  /// The name of the selection, such as `tags[0] in doc`, or `nil` if the whole entry is selected.
  var selectedText: String? {
    let names = [path, openedColumn].compactMap(\.self)
    return names.isEmpty ? nil : Messages.member(names)
  }

  /// The selected part of the value, or the whole value if none is selected.
  var selectedValue: StoredValue? {
    let whole = shown
    if let tree {
      // A whole text is copied as stored; for bytes, the decoded tree is more useful.
      let isWhole = tree.path(at: ownRow).isEmpty
      if isWhole, case .text = whole { return whole }
      return isWhole ? tree.root : tree.value(at: ownRow)
    }
    if selectsRows, tree == nil { return whole?.member(ownRow)?.value ?? whole }
    return whole
  }

  /// The selected tree node, or `nil` if it cannot be edited on its own.
  var selectedPart: ValuePart? {
    guard let tree, let whole = entry.value?.value, let selected = tree.value(at: ownRow) else {
      return nil
    }
    let part = part(at: tree.path(at: ownRow), of: tree, in: whole)
    guard let part, !part.isWhole, part.member != nil || shownField == nil else { return nil }
    // The tree may be decoded from something other than members of the stored value.
    return part.value(in: whole) == selected ? part : nil
  }

  /// The container that gets a new member: the selected tree node or its parent, or `nil` if it
  /// cannot be changed.
  var selectedContainer: (part: ValuePart, value: StoredValue)? {
    guard let tree, let whole = entry.value?.value, var selected = tree.value(at: ownRow) else {
      return nil
    }
    var places = tree.path(at: ownRow)
    if selected.memberCount == nil {
      guard let parent = tree.parent(of: ownRow), let around = tree.value(at: parent) else {
        return nil
      }
      places = tree.path(at: parent)
      selected = around
    }
    guard let part = part(at: places, of: tree, in: whole),
      let stored = part.value(in: whole),
      (part.member == nil ? ValueMember.structure(of: stored) : stored) == selected
    else { return nil }
    return (part, selected)
  }

  /// Returns the part of the value at a tree path, or `nil` if it is the whole of a row.
  private func part(
    at places: [Int], of tree: ValueTree, in whole: StoredValue
  ) -> ValuePart? {
    var places = places[...]
    var column = shownField
    var root = tree.root
    if column == nil, case .record(let fields) = whole {
      guard let place = places.popFirst(), fields.indices.contains(place) else { return nil }
      column = fields[place].name
      root = fields[place].value
    }
    let member = places.isEmpty ? nil : ValueMember.name(of: root.steps(Array(places)))
    return ValuePart(column: column, member: member)
  }

  /// The types that a member of the tree can have.
  var memberTypes: [StoredType] {
    format == ValueFormat.plist.name
      ? [.bool, .integer, .real, .text, .date, .data] : [.null, .bool, .integer, .real, .text]
  }

  /// Changes the tree and moves the cursor to the row that the closure returns.
  private mutating func changeTree(
    height: Int, _ change: (inout ValueTree, _ row: Int) -> Int
  ) {
    guard var tree else { return }
    let screenRow = cursor.index - cursor.top
    content.body = .lines([])
    let row = change(&tree, ownRow)
    content.body = .tree(tree)
    version += 1
    cursor.place(
      row + content.head.count, atScreenRow: screenRow, count: content.count, height: height)
  }

  /// Folds or unfolds the selection; returns `false` if it has no members.
  mutating func toggleFold(height: Int) -> Bool {
    guard tree?.isOpen(at: ownRow) != nil else { return false }
    if isSlowToFold { add(.toggle(height: height)) } else { toggleNow(height: height) }
    return true
  }

  mutating func toggleNow(height: Int) {
    changeTree(height: height) { $0.toggle(at: $1) }
  }

  /// Unfolds the selection or moves to its first member; returns `false` if it has none.
  mutating func goIn(height: Int) -> Bool {
    guard let isOpen = tree?.isOpen(at: ownRow) else { return false }
    if isOpen {
      move(by: 1, height: height)
      return true
    }
    return toggleFold(height: height)
  }

  /// Folds the selection or moves to its parent; returns `false` at the top level.
  mutating func goOut(height: Int) -> Bool {
    guard let tree, !tree.path(at: ownRow).isEmpty else { return false }
    if tree.isOpen(at: ownRow) == true { return toggleFold(height: height) }
    guard let parent = tree.parent(of: ownRow) else { return false }
    cursor.select(parent + content.head.count, count: content.count, height: height)
    return true
  }

  /// Expands the tree to a number of levels and folds those below.
  mutating func open(levels: Int, height: Int) {
    guard isSlowToFold else { return openNow(levels: levels, height: height) }
    add(.open(levels: levels, height: height))
  }

  mutating func openNow(levels: Int, height: Int) {
    changeTree(height: height) { tree, row in
      let path = tree.path(at: row)
      tree.open(levels: levels)
      return tree.row(of: path)
    }
  }

  /// Moves to the next or previous match of the search.
  ///
  /// - Returns: The result, or `nil` if the search runs in the background.
  mutating func find(isForward: Bool, isFirst: Bool = false, height: Int) -> ValueFinding? {
    if isSlowToSearch {
      add(.find(isForward: isForward, isFirst: isFirst, height: height))
      return nil
    }
    return findNow(isForward: isForward, isFirst: isFirst, height: height)
      .map { .found(isAround: $0) } ?? .nothing
  }

  /// Moves to the next or previous match of the search, however long that takes.
  ///
  /// - Returns: Whether the search wrapped around, or `nil` if there is no match.
  mutating func findNow(
    isForward: Bool, isFirst: Bool, height: Int, isCancelled: @escaping () -> Bool = { false }
  ) -> Bool? {
    guard let search else { return nil }
    version += 1
    switch content.body {
    case .tree:
      return findInTree(search, isForward: isForward, height: height, isCancelled: isCancelled)
    case .text(var rows):
      let top = max(0, cursor.top - content.head.count)
      let shown = rows.offset(of: top)..<max(rows.offset(of: top), rows.offset(of: top + height))
      // Continue from the last match while it is visible.
      let last = isFirst ? nil : foundPlace.flatMap { shown.contains($0) ? $0 : nil }
      let start = last.map { isForward ? $0 + 1 : $0 } ?? shown.lowerBound
      guard let found = search.find(in: rows.bytes, from: start, isForward: isForward) else {
        return nil
      }
      foundPlace = found.place
      content.body = .lines([])
      let row = rows.row(of: found.place)
      content.body = .text(rows)
      show(row + content.head.count, height: height)
      reveal(column: String(lossy: rows.bytes[rows.offset(of: row)..<found.place]).count)
      return found.isAround
    case .bytes(let rows):
      let start = isForward && !isFirst ? byte + 1 : byte
      guard let found = search.find(in: rows.bytes, from: start, isForward: isForward) else {
        return nil
      }
      select(byte: found.place, height: height)
      return found.isAround
    case .lines(let lines):
      return find(search, in: lines, isForward: isForward, isFirst: isFirst, height: height)
    }
  }

  private mutating func findInTree(
    _ search: ValueSearch, isForward: Bool, height: Int, isCancelled: @escaping () -> Bool
  ) -> Bool? {
    var isAround: Bool?
    changeTree(height: height) { tree, row in
      guard
        let found = tree.find(
          search, from: row, isForward: isForward, isCancelled: isCancelled)
      else { return row }
      isAround = found.isAround
      return found.row
    }
    return isAround
  }

  private mutating func find(
    _ search: ValueSearch, in lines: [ValueLine], isForward: Bool, isFirst: Bool, height: Int
  ) -> Bool? {
    let own = selectsRows ? ownRow : cursor.top - content.head.count
    let rows = lines.indices.filter { search.isIn(lines[$0].text) }
    let next =
      isForward
      ? rows.first { isFirst ? $0 >= own : $0 > own } : rows.last { $0 < own }
    guard let row = next ?? (isForward ? rows.first : rows.last) else { return nil }
    show(row + content.head.count, height: height)
    return next == nil
  }

  /// Selects a row, or scrolls to it as far as possible.
  private mutating func show(_ row: Int, height: Int) {
    if selectsRows { return cursor.select(row, count: content.count, height: height) }
    content.extend(to: row.saturatingAdding(height))
    scroll(by: row - cursor.top, height: height)
  }
}
