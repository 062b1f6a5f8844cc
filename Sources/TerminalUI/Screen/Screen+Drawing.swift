extension Screen {
  /// Draws text in a row and returns its width in cells.
  ///
  /// The text is cut off at `maxWidth` cells and at the right edge; a wide character that would be
  /// cut in half is omitted. Cells to the left of the screen are skipped. Control characters,
  /// including line ends, are escaped.
  @discardableResult
  public mutating func put(
    _ text: some StringProtocol, at point: Point, style: Style = .plain, maxWidth: Int = .max
  ) -> Int {
    guard point.y >= 0, point.y < size.height, maxWidth > 0 else { return 0 }
    let end = min(point.x.saturatingAdding(maxWidth), size.width)
    // Printable ASCII needs no width table; a single other byte takes the slow path for all.
    let plain: Int?? = text.utf8.withContiguousStorageIfAvailable {
      putPlain($0, at: point, end: end, style: style)
    }
    return (plain ?? nil) ?? putCharacters(text, at: point, end: end, style: style)
  }

  /// Draws printable ASCII; returns nil without drawing if another byte is among those that matter.
  private mutating func putPlain(
    _ bytes: UnsafeBufferPointer<UInt8>, at point: Point, end: Int, style: Style
  ) -> Int? {
    let room = max(0, end.saturatingSubtracting(point.x))
    // The byte after the last visible one matters too: it may be a combining mark.
    let seen = bytes.prefix(room.saturatingAdding(1))
    guard seen.allSatisfy(CellText.isPlain) else { return nil }
    for (offset, byte) in seen.prefix(room).enumerated() where point.x + offset >= 0 {
      let cell = PackedCell(content: UInt32(byte), width: 1, style: style)
      set(cell, point.x + offset, point.y)
    }
    return min(room, bytes.count)
  }

  /// Draws consecutive runs of text in a row and returns their width in cells.
  @discardableResult
  public mutating func put(_ runs: [TextRun], at point: Point, maxWidth: Int = .max) -> Int {
    var width = 0
    for run in runs {
      let start = Point(x: point.x.saturatingAdding(width), y: point.y)
      let needed = put(run.text, at: start, style: run.style, maxWidth: maxWidth - width)
      if let link = run.link { setLink(link, at: start, width: needed) }
      width += needed
      if needed == 0, !run.text.isEmpty { break }
    }
    return width
  }

  /// Adds a hyperlink to cells of a row, until something else is drawn there.
  ///
  /// A screen can hold 255 different URLs; further links are ignored.
  private mutating func setLink(_ address: String, at point: Point, width: Int) {
    let columns =
      max(0, point.x)..<max(0, point.x, min(point.x.saturatingAdding(width), size.width))
    guard !columns.isEmpty else { return }
    let known = links.lastIndex(of: address)
    guard known != nil || links.count < Int(UInt8.max) else { return }
    let place = known ?? links.count
    if known == nil { links.append(address) }
    for x in columns {
      cells[point.y * size.width + x].link = UInt8(clamping: place + 1)
    }
  }

  /// Fills a rectangle with blanks in a style.
  public mutating func fill(_ rect: Rect, style: Style = .plain) {
    fill(rect, with: " ", style: style)
  }

  /// Fills a rectangle with a character of width one; other characters are replaced by a blank.
  public mutating func fill(_ rect: Rect, with character: Character, style: Style = .plain) {
    let area = rect.intersection(bounds)
    let parts = CellText.cells(of: character)
    let part = parts.count == 1 && parts[0].width == 1 ? parts[0] : nil
    let cell = part.map { pack($0, style) } ?? .blank(style)
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX { set(cell, x, y) }
    }
  }

  /// Sets the style of the cells in a rectangle without changing their text.
  public mutating func setStyle(_ rect: Rect, _ style: Style) {
    changeStyle(rect) { _ in style }
  }

  /// Changes the style of each cell in a rectangle without changing its text.
  public mutating func changeStyle(_ rect: Rect, _ change: (Style) -> Style) {
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      for index in y * size.width + area.x..<y * size.width + area.maxX {
        cells[index].style = change(cells[index].style)
      }
    }
  }

  /// Draws text that is not printable ASCII.
  private mutating func putCharacters(
    _ text: some StringProtocol, at point: Point, end: Int, style: Style
  ) -> Int {
    var x = point.x
    for character in text {
      let parts = CellText.cells(of: character)
      let width = parts.reduce(0) { $0 + $1.width }
      guard x.saturatingAdding(width) <= end else { break }
      for part in parts {
        if x >= 0 {
          set(pack(part, style), x, point.y)
          if part.width == 2 { setRightHalf(x + 1, point.y, style) }
        } else if x + part.width > 0 {
          set(.blank(style), 0, point.y)
        }
        x += part.width
      }
    }
    return x - point.x
  }

  /// Packs a cell, adding multiple scalars to the list of clusters.
  private mutating func pack(_ text: CellText, _ style: Style) -> PackedCell {
    let width = UInt8(clamping: text.width)
    if text.scalars.count == 1 {
      return PackedCell(content: text.scalars[0].value, width: width, style: style)
    }
    clusters.append(text.scalars)
    return PackedCell(
      content: PackedCell.clusterFlag | UInt32(clusters.count - 1), width: width, style: style)
  }

  /// Sets a cell inside the screen; a wide character that loses a half becomes blank.
  private mutating func set(_ cell: PackedCell, _ x: Int, _ y: Int) {
    let index = y * size.width + x
    if cells[index].width == 0, x > 0 { cells[index - 1] = .blank(cells[index - 1].style) }
    if cells[index].width == 2, x + 1 < size.width {
      cells[index + 1] = .blank(cells[index + 1].style)
    }
    cells[index] = cell
  }

  /// Sets the right half of a wide character after its left half.
  private mutating func setRightHalf(_ x: Int, _ y: Int, _ style: Style) {
    let index = y * size.width + x
    if cells[index].width == 2, x + 1 < size.width {
      cells[index + 1] = .blank(cells[index + 1].style)
    }
    cells[index] = .rightHalf(style)
  }
}
