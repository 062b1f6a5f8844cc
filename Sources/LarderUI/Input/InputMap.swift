import LarderModel
package import LarderBrowser
package import TerminalUI

/// Maps keys and mouse events to actions, depending on the state.
package enum InputMap {
  /// Returns the action of a key, or `nil` if it has none.
  package static func action(
    for key: Key, in state: BrowserState, keyMap: KeyMap = .standard
  ) -> BrowserAction? {
    if key == .control("z") { return .command("suspend") }
    switch state.overlay {
    case .prompt(let prompt): return promptAction(for: key, in: prompt)
    case .editor(let editor): return editorAction(for: key, in: editor)
    case .newRow(let row): return newRowAction(for: key, in: row)
    case .help(let model) where model.isTyping: return searchAction(for: key, in: model)
    default:
      if key == .escape { return .cancel }
      if state.overlay != nil, key == .control("c") { return .cancel }
      if let command = keyMap.command(for: key, in: state.place) {
        return .command(command, argument: keyMap.argument(for: key, in: state.place))
      }
      guard state.overlay == nil else { return nil }
      if let digit = key.text?.wholeNumberValue, (0...9).contains(digit) { return .digit(digit) }
      return keyMap.commandElsewhere(for: key).map { .misplaced($0) }
    }
  }

  private static func promptAction(for key: Key, in prompt: PromptModel) -> BrowserAction? {
    switch key {
    case .enter: return .submit
    case .escape, .control("c"): return .cancel
    case .tab: return .complete(by: 1)
    case .backTab: return .complete(by: -1)
    // On an empty line, Up recalls the last command as in a shell, rather than selecting the last
    // suggestion.
    case .up where prompt.isAtHistory: return .recall(by: -1)
    case .down where prompt.isAtHistory && prompt.isRecalling: return .recall(by: 1)
    case .up where prompt.purpose.isChoice: return .complete(by: -1)
    case .down where prompt.purpose.isChoice: return .complete(by: 1)
    case .up, .control("p"): return .recall(by: -1)
    case .down, .control("n"): return .recall(by: 1)
    case .backspace where prompt.buffer.count == 0 && prompt.purpose.isLeftByBackspace:
      return .cancel
    default: return textEdit(for: key).map { .edit($0) }
    }
  }

  private static func searchAction(for key: Key, in help: HelpModel) -> BrowserAction? {
    switch key {
    case .enter: return .submit
    case .escape, .control("c"): return .cancel
    case .down, .tab: return .command("help-next")
    case .up, .backTab: return .command("help-previous")
    case .backspace where help.search.count == 0: return .cancel
    default: return textEdit(for: key).map { .edit($0) }
    }
  }

  private static func editorAction(for key: Key, in editor: EditorModel) -> BrowserAction? {
    switch key {
    case .enter: return editor.hasLines ? .edit(.insert("\n")) : .submit
    case Key(.enter, modifiers: .alt), .control("o"): return .edit(.insert("\n"))
    case .control("s"): return .submit
    case .escape, .control("c"): return .cancel
    case .control("t"): return .changeType
    case .control("x"): return .handOver
    case .control("n") where editor.isNullable: return .makeNull
    case .tab: return .edit(.insert("\t"))
    default: return textEdit(for: key).map { .edit($0) }
    }
  }

  private static func newRowAction(for key: Key, in row: NewRowModel) -> BrowserAction? {
    switch key {
    case .enter: return row.isAtLast ? .submit : .complete(by: 1)
    case .tab, .down: return .complete(by: 1)
    case .backTab, .up: return .complete(by: -1)
    case .control("s"): return .submit
    case .escape, .control("c"): return .cancel
    case .control("t"): return .changeType
    case .control("n"): return .makeNull
    default: return textEdit(for: key).map { .edit($0) }
    }
  }

  /// Returns the edit that a key makes to text, or `nil` if there is none.
  private static func textEdit(for key: Key) -> TextEdit? {
    if let character = key.text { return .insert(String(character)) }
    switch key {
    case .backspace: return .deleteBackward
    case .delete, .control("d"): return .deleteForward
    case .control("w"), Key(.backspace, modifiers: .alt): return .deleteWordBackward
    case .control("u"): return .deleteToLineStart
    case .control("k"): return .deleteToLineEnd
    case .left, .control("b"): return .left
    case .right, .control("f"): return .right
    case .up, .control("p"): return .up
    case .down, .control("n"): return .down
    case .home, .control("a"): return .lineStart
    case .end, .control("e"): return .lineEnd
    case Key(.left, modifiers: .control), Key(.left, modifiers: .alt), .alt("b"): return .wordLeft
    case Key(.right, modifiers: .control), Key(.right, modifiers: .alt), .alt("f"):
      return .wordRight
    case .alt("u"): return .undo
    case .alt("r"): return .redo
    default: return nil
    }
  }

  /// Returns the action of a mouse event, or `nil` if it has none at its position.
  package static func action(
    for mouse: MouseEvent, in state: BrowserState, layout: BrowserLayout
  ) -> BrowserAction? {
    if let number = layout.tabs?.number(at: mouse.position) {
      return tabAction(mouse.action, on: number, in: state)
    }
    let pane = layout.panes.first { $0.value.contains(mouse.position) }?.key
    switch mouse.action {
    case .wheelUp: return pane.map { .scroll($0, rows: -3) }
    case .wheelDown: return pane.map { .scroll($0, rows: 3) }
    case .press(.left):
      if let list = state.overlay?.list {
        return layout.overlayRow(at: mouse.position, list, state)
          .map { .click(state.focus, row: $0) }
      }
      guard let pane, state.overlay == nil else { return nil }
      if let field = layout.order(at: mouse.position) {
        return .command("sort", argument: field.name)
      }
      let body = pane == .keys ? layout.keyRows : layout.body(pane)
      guard body.contains(mouse.position) else { return nil }
      let column = pane == .keys ? layout.gridColumn(at: mouse.position) : nil
      return .click(pane, row: state.top(of: pane) + mouse.position.y - body.y, column: column)
    default: return nil
    }
  }

  /// Returns the reason why an open overlay prevents switching tabs.
  private static func obstacle(in state: BrowserState) -> String {
    switch state.overlay {
    case .editor, .newRow:
      Messages.tabsWhileEditing
    default: Messages.tabsBehindOverlay
    }
  }

  /// Returns the action of a mouse event on a tab.
  private static func tabAction(
    _ action: MouseEvent.Action, on number: Int, in state: BrowserState
  ) -> BrowserAction? {
    switch action {
    case .press where state.overlay != nil: return .notice(obstacle(in: state), .warning)
    case .press(.left): return .command("tab", argument: String(number))
    case .press(.middle): return .command("close-tab", argument: String(number))
    default: return nil
    }
  }
}

extension BrowserState {
  /// Returns the index of the first visible row in a pane.
  fileprivate func top(of pane: Focus) -> Int {
    switch pane {
    case .stores: stores.cursor.top
    case .keys: keys?.cursor.top ?? 0
    case .value: value?.cursor.top ?? 0
    }
  }
}
