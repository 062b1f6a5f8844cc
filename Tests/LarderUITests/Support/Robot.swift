import Foundation
import Harmony
import LarderModel
import LarderBrowser
import LarderUI
import TerminalUI
import Testing

/// A simulated user of the browser, on a terminal in memory, with expectations about the screen.
///
/// ```swift
/// await browser.press("/foo<Enter><Down>").settle().expect(row: 2, contains: "bob")
/// ```
@MainActor final class Robot {
  let terminal: InMemoryTerminal
  let program: Program
  let clock: ManualClock
  /// The date at which the clock starts.
  static let start = Date(timeIntervalSince1970: 1_790_000_000)
  private var actions: [String] = []
  /// The number of keys and mouse presses, without text of the user's own.
  private(set) var keyCount = 0

  /// Opens locations in a new browser, from the test's stores.
  init(
    _ locations: [String], stores: TestStores, size: Size = Size(width: 80, height: 24),
    isReadOnly: Bool = false, readsThroughCache: Bool = false, theme: String = "larder-dark",
    drafts: DraftStorage? = nil, bookmarks: BookmarkStorage? = nil, filters: FilterStorage? = nil,
    grids: GridStorage? = nil, files: FileWriter? = nil,
    editor: ExternalEditorService = .none, protected: [String] = [],
    resuming session: Session? = nil
  ) throws {
    let loader = ThemeLoader()
    let start = Self.start
    let loaded = try loader.load(theme).theme
    let clock = ManualClock()
    self.clock = clock
    terminal = InMemoryTerminal(size: size)
    var environment = EffectRunner.Environment(
      open: { try await stores.open($0, isReadOnly: isReadOnly) }, clock: clock,
      sleep: { await clock.sleep(for: $0) }, timeToLive: .seconds(100),
      readsThroughCache: readsThroughCache, drafts: drafts, bookmarks: bookmarks,
      files: files, editor: editor)
    environment.filters = filters
    environment.grids = grids
    environment.date = { start.addingTimeInterval(clock.now.inSeconds) }
    var settings = BrowserSettings()
    settings.isReadOnly = isReadOnly
    settings.protected = protected
    program = Program(
      state: BrowserState(
        theme: theme, themes: loader.available(), session: drafts?.session, settings: settings),
      theme: loaded,
      runner: EffectRunner(environment),
      terminal: terminal,
      themes: ThemeSource(
        names: loader.available(), load: { try loader.load($0) },
        suiting: { $0.luminance > 0.18 ? "larder-light" : "larder-dark" }),
      clock: clock)
    program.start(opening: locations, resuming: session)
  }

  isolated deinit {
    clock.stop()
  }

  var state: BrowserState { program.state }

  var screen: Screen { terminal.screen ?? Screen(size: terminal.size) }

  // MARK: Actions

  /// Presses the keys of a script one after the other, without waiting in between.
  @discardableResult
  func press(
    _ script: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Robot {
    actions.append("press \(script)")
    do {
      let keys = try KeyScript.parse(script)
      keyCount += keys.count
      terminal.press(keys)
    } catch {
      Issue.record("\(script): \(error)", sourceLocation: sourceLocation)
    }
    return self
  }

  /// Presses the keys of a script, waiting after each until it has taken effect.
  @discardableResult
  func pressEach(
    _ script: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Robot {
    actions.append("press each of \(script)")
    do {
      for key in try KeyScript.parse(script) {
        keyCount += 1
        terminal.press(key)
        await program.settle()
      }
    } catch {
      Issue.record("\(script): \(error)", sourceLocation: sourceLocation)
    }
    return self
  }

  /// Types text of the user's own, which is not counted as keys.
  @discardableResult
  func type(_ text: String) async -> Robot {
    actions.append("type \(text)")
    for character in text {
      terminal.press(Key(.character(character)))
      await program.settle()
    }
    return self
  }

  /// Pastes text.
  @discardableResult
  func paste(_ text: String) -> Robot {
    actions.append("paste \(text)")
    terminal.send(.paste(text))
    return self
  }

  /// Sends a mouse event.
  @discardableResult
  func mouse(_ action: MouseEvent.Action, x: Int, y: Int) -> Robot {
    actions.append("\(action) at \(x), \(y)")
    if case .press = action { keyCount += 1 }
    terminal.send(.mouse(MouseEvent(action, at: Point(x: x, y: y))))
    return self
  }

  /// Resizes the terminal.
  @discardableResult
  func resize(_ width: Int, _ height: Int) -> Robot {
    actions.append("resize to \(width)×\(height)")
    terminal.resize(to: Size(width: width, height: height))
    return self
  }

  /// Waits until no work is pending.
  @discardableResult
  func settle() async -> Robot {
    await program.settle()
    return self
  }

  /// Waits until the screen is redrawn, even if reads are still pending.
  @discardableResult
  func draw() async -> Robot {
    let count = terminal.presentCount
    terminal.resize(to: terminal.size)
    await turnWhile { terminal.presentCount == count }
    return self
  }

  /// Advances the clock, and waits until the browser has noticed.
  @discardableResult
  func wait(_ duration: Duration) async -> Robot {
    actions.append("wait \(duration)")
    await turnWhile { state.clock.isTicking && !clock.hasSleeper }
    if clock.advance(by: duration) {
      await turnWhile { state.cache?.now != clock.now }
    }
    return await settle()
  }

  // MARK: Expectations

  /// Expects a row of the screen to contain a text, optionally selected or not.
  @discardableResult
  func expect(
    row: Int, contains text: String, isSelected: Bool? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Robot {
    let line = screen.row(row)
    #expect(line.contains(text), "\(report)", sourceLocation: sourceLocation)
    if let isSelected, let place = line.firstRange(of: text) {
      let x = TextWidth.of(line[..<place.lowerBound])
      let style = screen[Point(x: x, y: row)]?.style
      let theme = program.theme
      let selected = [theme[.listRowSelected], theme[.listRowSelectedUnfocused]].contains {
        style?.background == $0.background && style?.foreground == $0.foreground
      }
      #expect(selected == isSelected, "\(report)", sourceLocation: sourceLocation)
    }
    return self
  }

  /// Expects the screen to contain a text.
  @discardableResult
  func expect(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Robot {
    let isThere = screen.rows.contains { $0.contains(text) }
    #expect(isThere, "“\(text)” is missing\n\(report)", sourceLocation: sourceLocation)
    return self
  }

  /// Expects a row of the screen to contain texts in order.
  @discardableResult
  func expectRow(
    _ texts: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) -> Robot {
    #expect(hasRow(texts), "no row has \(texts)\n\(report)", sourceLocation: sourceLocation)
    return self
  }

  /// Whether a row of the screen contains texts in order.
  func hasRow(_ texts: [String]) -> Bool {
    screen.rows.contains { row in
      var rest = row[...]
      return texts.allSatisfy { text in
        guard let place = rest.firstRange(of: text) else { return false }
        rest = rest[place.upperBound...]
        return true
      }
    }
  }

  /// The text of the value pane, without the panes beside it.
  var valueText: String {
    let pane = program.layout.body(.value)
    return (pane.y..<pane.maxY).map { y in
      (pane.x..<pane.maxX).compactMap { screen[Point(x: $0, y: y)]?.text }.joined()
    }.joined(separator: "\n")
  }

  /// Expects the screen not to contain a text.
  @discardableResult
  func expectNot(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Robot {
    let isThere = screen.rows.contains { $0.contains(text) }
    #expect(!isThere, "“\(text)” is there\n\(report)", sourceLocation: sourceLocation)
    return self
  }

  /// Expects a key to be selected.
  @discardableResult
  func expect(
    selected key: EntryKey?, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Robot {
    let selected = state.keys?.selected?.key
    #expect(selected == key, "\(report)", sourceLocation: sourceLocation)
    return self
  }

  /// The screen and the last actions, for the message of a failure.
  var report: String {
    "\(screen)\nafter: \(actions.suffix(10).joined(separator: "; "))"
  }
}

/// Yields to other tasks while a condition holds, up to a limit of many seconds even on a busy
/// machine.
@MainActor func turnWhile(_ condition: @MainActor () -> Bool) async {
  var turns = 20_000_000
  while turns > 0, condition() {
    turns -= 1
    await Task.yield()
  }
}
