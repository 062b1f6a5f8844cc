import Foundation
package import Harmony
import LarderModel
package import LarderBrowser
package import TerminalUI

/// The main loop, which updates the state with events, draws it and runs its effects.
///
/// All events arrive on the main actor in order: keys and resizes from the terminal, and replies
/// from effects. The loop never blocks, because effects run elsewhere and reply with actions.
@MainActor package final class Program {
  /// The current state.
  package private(set) var state: BrowserState
  /// The current theme.
  package private(set) var theme: Theme
  /// The layout of the last drawn screen.
  package private(set) var layout: BrowserLayout
  /// The reason why the terminal was closed, if the program ended without the user quitting.
  package private(set) var closeReason: TerminalEvent.CloseReason?

  private let runner: EffectRunner
  private let terminal: any Terminal
  private let themes: ThemeSource
  private let firstTheme: String
  private let keyMap: KeyMap
  private let clock: any CacheClock
  private var rows = ValueRows(nil, width: 0)
  /// The time at which a value that is being read was first not drawn.
  private var readingSince: Duration?
  private let editorRows = EditorRows()
  private var tasks: [EffectSlot: Task<Void, Never>] = [:]
  private var writes: [Int: Task<Void, Never>] = [:]
  private var effectCount = 0
  private var themeNumber = 0
  private var pending = 0
  private var isDrawing = false
  private var typeahead: [TerminalEvent] = []
  private var isTypingAheadOfWrite = false
  private var isTypingAheadOfQuestion = false
  /// Whether keys were typed ahead while the state read the entries for a question.
  private var isTypingAheadOfReading = false
  private var isTypingAheadOfLook = false
  /// Whether a refused command is not on screen yet, so that the user cannot have reacted to it.
  private var isRefusalUnseen = false
  private var dragged: BrowserState.Focus?
  private var lastPress: (press: Press, time: Duration)?
  private var idleWaiters: [CheckedContinuation<Void, Never>] = []
  private var endWaiters: [CheckedContinuation<Void, Never>] = []

  package init(
    state: BrowserState, theme: Theme, runner: EffectRunner, terminal: any Terminal,
    themes: ThemeSource, clock: any CacheClock = MonotonicClock()
  ) {
    self.clock = clock
    self.state = state
    self.theme = theme
    self.runner = runner
    self.terminal = terminal
    self.themes = themes
    firstTheme = state.themes.shown
    keyMap =
      state.settings.bindings == .standard
      ? .standard : KeyMap(Command.all, state.settings.bindings)
    layout = BrowserLayout(state, size: terminal.size)
  }

  /// Starts the terminal, opens the locations or restores the session, and returns once the user
  /// has quit.
  package func run(opening locations: [String], resuming session: Session? = nil) async {
    start(opening: locations, resuming: session)
    if !state.isFinished {
      await withCheckedContinuation { endWaiters.append($0) }
    }
    for task in tasks.values { task.cancel() }
    terminal.stop()
    // Pending writes complete before the process exits. Drafts are saved before waiting for a slow
    // write, and again after it, because it may have been refused.
    for _ in 0..<2 {
      perform(state.autosaveDraft(at: Date()))
      for task in writes.values { await task.value }
    }
  }

  /// Starts the terminal, opens the locations and restores the session.
  package func start(opening locations: [String], resuming session: Session? = nil) {
    terminal.start { [weak self] event in self?.receive(event) }
    draw()
    for location in locations { perform(state.open(location)) }
    if let session { perform(state.resume(session)) }
    scheduleDrawing()
  }

  /// Waits until there are no pending replies, effects other than background ones, or drawing.
  package func settle() async {
    guard pending > 0 || isDrawing else { return }
    await withCheckedContinuation { idleWaiters.append($0) }
  }

  /// Applies an action, runs its effects and schedules drawing.
  package func send(_ action: BrowserAction) {
    let refusals = state.refusalCount
    perform(state.update(action))
    if state.refusalCount > refusals {
      dropTypeahead()
      isRefusalUnseen = true
    }
    scheduleDrawing()
  }

  private func receive(_ event: TerminalEvent) {
    switch event {
    case .key, .paste:
      if isRefusalUnseen, !Self.urgent.contains(where: { event == .key($0) }) { return }
      typeahead.append(event)
      // Escape skips everything that was typed ahead.
      if event == .key(.escape) { typeahead = [event] }
      takeTypeahead()
    case .mouse(let mouse): receive(mouse)
    case .resized: scheduleDrawing()
    case .background(let color): suitTheme(to: color)
    case .closed(let reason):
      closeReason = reason
      finish()
    }
  }

  /// The keys that are handled immediately.
  private static let urgent: [Key] = [.escape, .control("c"), .control("z")]

  /// Handles the keys typed ahead, in order, up to one that has to wait for a pending read or
  /// write.
  private func takeTypeahead() {
    if isTypingAheadOfWrite, !state.isWriting {
      isTypingAheadOfWrite = false
      // If the editor is still open, its write was refused, and keys for the time after it are
      // obsolete.
      if state.overlay != nil, state.overlay?.list == nil { typeahead = [] }
    }
    if isTypingAheadOfReading, state.keys?.asking == nil {
      isTypingAheadOfReading = false
      // Keys typed before a question was visible must not answer it.
      if case .confirm = state.overlay { typeahead = [] }
    }
    if isTypingAheadOfQuestion {
      isTypingAheadOfQuestion = false
      // If the question is not asked after all, its answer must not run a command in the list.
      if state.overlay == nil { typeahead = [] }
    }
    if isTypingAheadOfLook, !state.isLooking {
      isTypingAheadOfLook = false
      // Keys for the editor of a value must not reach a prompt or the list.
      if case .editor = state.overlay {} else { typeahead = [] }
    }
    while let event = typeahead.first {
      if state.isLooking, !Self.urgent.contains(where: { event == .key($0) }) {
        isTypingAheadOfLook = true
        return
      }
      switch event {
      case .key(let key):
        if state.isWriting, !Self.urgent.contains(key) {
          isTypingAheadOfWrite = true
          return
        }
        let action = InputMap.action(for: key, in: state, keyMap: keyMap)
        if case .command(let id, _) = action, let command = Command.named(id),
          state.isTooEarly(for: command)
        {
          isTypingAheadOfQuestion = state.overlay != nil
          isTypingAheadOfReading = state.keys?.asking != nil
          return
        }
        typeahead.removeFirst()
        if let action { send(action) }
      case .paste(let text):
        typeahead.removeFirst()
        if state.isTyping { send(.edit(.insert(text))) }
      default: typeahead.removeFirst()
      }
    }
  }

  private func receive(_ mouse: MouseEvent) {
    switch mouse.action {
    case .press(.left):
      let isOverPanes = layout.area.contains(mouse.position)
      dragged =
        isOverPanes ? layout.dividers.first { $0.value == mouse.position.x }?.key : nil
      if dragged != nil { return }
    case .drag(.left):
      if let dragged { send(.drag(divider: dragged, column: mouse.position.x)) }
      return
    case .release: dragged = nil
    default: break
    }
    if mouse.action == .press(.left), let hint = view(of: state).hint(at: mouse.position) {
      return click(hint)
    }
    guard let action = InputMap.action(for: mouse, in: state, layout: layout) else { return }
    // Pending keys were not meant for the clicked element.
    if case .press = mouse.action { dropTypeahead() }
    if case .click(let pane, let row, _) = action, isSecondPress(at: mouse.position, on: pane, row)
    {
      // The first press has opened or closed the branch, or opened the store and focused its keys.
      let isBranch = state.overlay == nil && pane == .keys && state.keys?.selectedBranch != nil
      if state.focus == pane, !isBranch { receive(.key(.enter)) }
      return
    }
    send(action)
  }

  /// Performs a hint, which is a key or the name of a command.
  private func click(_ hint: HintLine.Hint) {
    if let key = Key(hint.key) { return receive(.key(key)) }
    guard hint.key.hasPrefix(":") else { return }
    dropTypeahead()
    send(.command(String(hint.key.dropFirst())))
  }

  /// The position of a mouse press and the row under it.
  private struct Press: Equatable {
    var place: Point
    var pane: BrowserState.Focus
    var row: Int
  }

  /// The maximum time between the two presses of a double click.
  private static let doubleClick = Duration.milliseconds(400)

  /// Returns whether a press completes a double click.
  private func isSecondPress(at place: Point, on pane: BrowserState.Focus, _ row: Int) -> Bool {
    let press = Press(place: place, pane: pane, row: row)
    let now = clock.now
    let isSecond = lastPress.map { $0.press == press && now - $0.time <= Self.doubleClick } ?? false
    lastPress = isSecond ? nil : (press, now)
    return isSecond
  }

  private func dropTypeahead() {
    typeahead = []
    isTypingAheadOfWrite = false
    isTypingAheadOfQuestion = false
    isTypingAheadOfReading = false
    isTypingAheadOfLook = false
  }

  // MARK: Effects

  private func perform(_ effects: Effects) {
    for effect in effects {
      switch effect {
      case let cancel as Cancel:
        for slot in tasks.keys where cancel.ends(slot) { tasks.removeValue(forKey: slot)?.cancel() }
      case let order as TerminalOrder: carryOut(order)
      case let effect as EditExternally: lendTerminal(to: effect)
      default: start(effect)
      }
    }
  }

  private func carryOut(_ order: TerminalOrder) {
    switch order {
    case .useTheme(let name): useTheme(name)
    case .copy(let text, let isSecret):
      send(
        terminal.copy(text) ? .copied(isSecret: isSecret) : .copyFailed(Self.whyNotCopied(text)))
    case .forgetCopy: terminal.forgetCopy()
    case .suspend: terminal.suspend()
    case .redraw: scheduleDrawing()
    case .quit: finish()
    }
  }

  /// Returns the reason why text could not be copied to the clipboard.
  private static func whyNotCopied(_ text: String) -> String {
    let count = text.utf8.count
    guard count > TerminalClipboard.capacity else {
      return Messages.noClipboard
    }
    return Messages.tooLargeToCopy(bytes: count, capacity: TerminalClipboard.capacity)
  }

  private func start(_ effect: some BrowserEffect) {
    let slot = effect.slot
    let isInBackground = slot?.isInBackground == true
    if !isInBackground { pending += 1 }
    effectCount += 1
    let number = effectCount
    let runner = runner
    let task = Task { [weak self] in
      await runner.run(effect) { [weak self] action in await self?.receive(reply: action) }
      if !isInBackground { self?.effectEnded(number) }
    }
    if effect.isWrite { writes[number] = task }
    if let slot { tasks.updateValue(task, forKey: slot)?.cancel() }
  }

  /// Releases the terminal to another program while an effect runs.
  private func lendTerminal(to effect: EditExternally) {
    pending += 1
    // Keys typed ahead were meant for that program, but cannot be passed on to it.
    typeahead = []
    terminal.stop()
    let runner = runner
    Task {
      await runner.run(effect) { [weak self] action in await self?.takeTerminalBack(action) }
      pending -= 1
      wakeIfIdle()
    }
  }

  private func takeTerminalBack(_ action: BrowserAction) {
    terminal.start { [weak self] event in self?.receive(event) }
    send(action)
  }

  /// Handles the reply of an effect, unless the effect was canceled.
  private func receive(reply action: BrowserAction) {
    guard !Task.isCancelled else { return }
    let tabCount = state.tabs.count
    send(action)
    // Keys typed for a tab that could not be opened must not reach another one.
    if state.tabs.count < tabCount { typeahead = [] }
    takeTypeahead()
  }

  private func effectEnded(_ number: Int) {
    writes[number] = nil
    pending -= 1
    wakeIfIdle()
  }

  /// Applies the theme that matches the terminal, unless the user has chosen one.
  private func suitTheme(to background: RGB) {
    guard let name = themes.suiting?(background), state.themes.shown == firstTheme,
      name != firstTheme
    else { return }
    useTheme(name)
  }

  private func useTheme(_ name: String) {
    pending += 1
    let themes = themes
    themeNumber += 1
    let number = themeNumber
    Task {
      // Reading a theme from a path can be slow.
      let loaded = await Task.detached { Result { try themes.load(name) } }.value
      switch loaded {
      case .success(let loaded) where number == themeNumber:
        theme = loaded.theme
        send(.themeChanged(name, warnings: loaded.warnings))
      // Another theme was requested since.
      case .success: break
      case .failure(let error):
        let sentence = ThemeSource.sentence(
          on: error, named: name, among: themes.names,
          otherwise: LarderBrowser.Messages.listed(by: state.settings.bindings.call("theme")))
        send(.notice(sentence, .error))
      }
      pending -= 1
      wakeIfIdle()
    }
  }

  private func finish() {
    if !state.forgetCopy().isEmpty { terminal.forgetCopy() }
    guard !endWaiters.isEmpty || !state.isFinished else { return }
    state.isFinished = true
    for waiter in endWaiters { waiter.resume() }
    endWaiters = []
  }

  // MARK: Drawing

  /// Schedules one drawing for all events that arrive before it.
  private func scheduleDrawing() {
    guard !isDrawing else { return }
    isDrawing = true
    Task {
      draw()
      isDrawing = false
      wakeIfIdle()
    }
  }

  private func draw() {
    guard !state.isFinished else { return }
    // A new layout can start reading rows that have become visible, which changes the state.
    for _ in 0..<3 {
      layout = BrowserLayout(state, size: terminal.size, after: layout)
      let viewport = layout.viewport(state)
      guard viewport != state.viewport else { break }
      perform(state.update(.viewportChanged(viewport)))
    }
    let shown = drawnState()
    let width = layout.valueWidth
    if rows.version != shown.value?.version ?? 0 || rows.width != width {
      rows = ValueRows(shown.value, width: width)
    }
    terminal.present(view(of: shown).render(terminal.size))
    isRefusalUnseen = false
    if case .editor = state.overlay {} else { editorRows.forget() }
  }

  /// The time for which the previous value stays on screen while the selected one is read.
  private static let patience = Duration.milliseconds(200)

  /// Returns the state to draw, in which the previous value stays until the selected one is read,
  /// unless that takes long.
  private func drawnState() -> BrowserState {
    guard let shown = state.withValueBefore else {
      readingSince = nil
      return state
    }
    let since = readingSince ?? clock.now
    guard clock.now - since < Self.patience else { return state }
    if readingSince == nil {
      readingSince = since
      Task { [weak self] in
        try? await Task.sleep(for: Self.patience)
        self?.scheduleDrawing()
      }
    }
    return shown
  }

  /// Returns the view of a state.
  private func view(of state: BrowserState) -> BrowserView {
    BrowserView(
      state: state, layout: layout, rows: rows, theme: theme, depth: terminal.colorDepth,
      editorRows: editorRows)
  }

  private func wakeIfIdle() {
    guard pending == 0, !isDrawing else { return }
    let waiters = idleWaiters
    idleWaiters = []
    for waiter in waiters { waiter.resume() }
  }
}
