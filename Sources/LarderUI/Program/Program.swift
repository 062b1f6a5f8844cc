import Foundation
package import Harmony
import LarderModel
package import LarderBrowser
package import TerminalUI

/// The loop: what arrives changes the state, the state is drawn, effects are carried out.
///
/// Everything arrives on the main actor, in order: keys and resizes from the terminal, replies from
/// effects. Nothing here blocks: effects run elsewhere and come back as actions.
@MainActor package final class Program {
  /// What is shown.
  package private(set) var state: BrowserState
  /// The theme it is shown in.
  package private(set) var theme: Theme
  /// What was drawn last.
  package private(set) var layout: BrowserLayout
  /// Why the program ended without being told to by the user, if it did.
  package private(set) var closeReason: TerminalEvent.CloseReason?

  private let runner: EffectRunner
  private let terminal: any Terminal
  private let themes: ThemeSource
  private let firstTheme: String
  private let keyMap: KeyMap
  private let clock: any CacheClock
  private var rows = ValueRows(nil, width: 0)
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
  /// Whether what is typed ahead came while the state read what a question is about.
  private var isTypingAheadOfReading = false
  private var isTypingAheadOfLook = false
  /// Whether a command was refused and that is not on the screen yet: nobody types on knowing it.
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

  /// Takes the terminal, opens the locations or what was open, and returns once the user has
  /// quit.
  package func run(opening locations: [String], resuming session: Session? = nil) async {
    start(opening: locations, resuming: session)
    if !state.isFinished {
      await withCheckedContinuation { endWaiters.append($0) }
    }
    for task in tasks.values { task.cancel() }
    terminal.stop()
    // What was on its way to a store gets there before the process ends. What was typed is kept
    // before that, as a store may keep it waiting, and after it, as it may have been refused.
    for _ in 0..<2 {
      perform(state.keepTyped(at: Date()))
      for task in writes.values { await task.value }
    }
  }

  /// Takes the terminal and opens the locations, and what was open.
  package func start(opening locations: [String], resuming session: Session? = nil) {
    terminal.start { [weak self] event in self?.receive(event) }
    draw()
    for location in locations { perform(state.open(location)) }
    if let session { perform(state.resume(session)) }
    scheduleDrawing()
  }

  /// Returns when nothing is on its way: no message, no effect but the clock, no drawing.
  package func settle() async {
    guard pending > 0 || isDrawing else { return }
    await withCheckedContinuation { idleWaiters.append($0) }
  }

  /// Applies an action, carries out its effects and draws.
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
      // Escape is for whoever does not want to wait.
      if event == .key(.escape) { typeahead = [event] }
      takeTypeahead()
    case .mouse(let mouse): receive(mouse)
    case .resized: scheduleDrawing()
    case .background(let colour): suitTheme(to: colour)
    case .closed(let reason):
      closeReason = reason
      finish()
    }
  }

  /// The keys that wait for nothing.
  private static let urgent: [Key] = [.escape, .control("c"), .control("z")]

  /// Takes what was typed, in order, up to a key that has to wait for what is being read.
  private func takeTypeahead() {
    if isTypingAheadOfWrite, !state.isWriting {
      isTypingAheadOfWrite = false
      // What is still open was refused, and nothing that was meant for afterwards answers it.
      if state.overlay != nil { typeahead = [] }
    }
    if isTypingAheadOfReading, state.keys?.asking == nil {
      isTypingAheadOfReading = false
      // Nobody has answered a question that was not there to be read.
      if case .confirm = state.overlay { typeahead = [] }
    }
    if isTypingAheadOfQuestion {
      isTypingAheadOfQuestion = false
      // The answer to a question that is not asked after all is no command for the list.
      if state.overlay == nil { typeahead = [] }
    }
    if isTypingAheadOfLook, !state.isLooking {
      isTypingAheadOfLook = false
      // What was meant for the value belongs to no line, and to no list.
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
    if mouse.action == .press(.left), let hint = view.hint(at: mouse.position) {
      return click(hint)
    }
    guard let action = InputMap.action(for: mouse, in: state, layout: layout) else { return }
    // What was typed before a click, and waits, was not meant for what is clicked on.
    if case .press = mouse.action { dropTypeahead() }
    if case .click(let pane, let row, _) = action, isSecondPress(at: mouse.position, on: pane, row)
    {
      // The first press has opened or closed the branch, or opened the store and gone on to its keys.
      let isBranch = state.overlay == nil && pane == .keys && state.keys?.selectedBranch != nil
      if state.focus == pane, !isBranch { receive(.key(.enter)) }
      return
    }
    send(action)
  }

  /// Does what a hint names: a key, or a command by its name.
  private func click(_ hint: HintLine.Hint) {
    if let key = Key(hint.key) { return receive(.key(key)) }
    guard hint.key.hasPrefix(":") else { return }
    dropTypeahead()
    send(.command(String(hint.key.dropFirst())))
  }

  /// Where a button went down, and what was there.
  private struct Press: Equatable {
    var place: Point
    var pane: BrowserState.Focus
    var row: Int
  }

  /// The time in which two presses on one place are a double click.
  private static let doubleClick = Duration.milliseconds(400)

  /// Whether a press makes a double click with the one before.
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
    isTypingAheadOfLook = false
  }

  // MARK: Effects

  private func perform(_ effects: Effects) {
    for effect in effects {
      switch effect {
      case let cancel as Cancel:
        for slot in tasks.keys where cancel.ends(slot) { tasks.removeValue(forKey: slot)?.cancel() }
      case let order as TerminalOrder: carryOut(order)
      case let effect as EditOutside: lendTerminal(to: effect)
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

  /// Why a text did not get on the clipboard.
  private static func whyNotCopied(_ text: String) -> String {
    let count = text.utf8.count
    guard count > TerminalClipboard.capacity else {
      return "the terminal does not take copied text"
    }
    return "not copied: \(Thousands.text(count)) bytes are more than the "
      + "\(Thousands.text(TerminalClipboard.capacity)) that terminals take. :export FILE writes them "
      + "to a file, and larder get prints them"
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

  /// Leaves the terminal to another program for as long as an effect takes.
  private func lendTerminal(to effect: EditOutside) {
    pending += 1
    // What was typed ahead was meant for that program, which cannot be given it any more.
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

  /// Takes what an effect answers, unless another effect has taken its place meanwhile.
  private func receive(reply action: BrowserAction) {
    guard !Task.isCancelled else { return }
    let tabCount = state.tabs.count
    send(action)
    // What was typed for a tab that could not be opened is not meant for another one.
    if state.tabs.count < tabCount { typeahead = [] }
    takeTypeahead()
  }

  private func effectEnded(_ number: Int) {
    writes[number] = nil
    pending -= 1
    wakeIfIdle()
  }

  /// Takes the theme that suits the terminal, unless the user has chosen one meanwhile.
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
      // A theme may be a path, and a path may be slow.
      let loaded = await Task.detached { Result { try themes.load(name) } }.value
      switch loaded {
      case .success(let loaded) where number == themeNumber:
        theme = loaded.theme
        send(.themeChanged(name, warnings: loaded.warnings))
      // Another one was wanted meanwhile.
      case .success: break
      case .failure(let error):
        let sentence = ThemeSource.sentence(
          on: error, named: name, among: themes.names,
          otherwise: "\(state.settings.bindings.call("theme")) lists them")
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

  /// Draws once for all the messages that have arrived by then.
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
    // Laying out can start the reading of rows that have come into view, which changes the state.
    for _ in 0..<3 {
      layout = BrowserLayout(state, size: terminal.size, after: layout)
      let width = layout.valueWidth
      if rows.version != state.value?.version ?? 0 || rows.width != width {
        rows = ValueRows(state.value, width: width)
      }
      let viewport = layout.viewport(state)
      guard viewport != state.viewport else { break }
      perform(state.update(.viewportChanged(viewport)))
    }
    terminal.present(view.render(terminal.size))
    isRefusalUnseen = false
    if case .editor = state.overlay {} else { editorRows.forget() }
  }

  /// The state as it is drawn.
  private var view: BrowserView {
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
