import Foundation
import LarderModel
import LarderBrowser
import LarderStores
import LarderUI
import TerminalNcurses
import TerminalUI

/// The browser, configured by the command line, on any terminal.
@MainActor struct BrowserSession {
  let locations: [String]
  let arguments: Arguments
  private let loader = ThemeLoader.usual

  init(locations: [String], arguments: Arguments) {
    self.locations = locations
    self.arguments = arguments
  }

  /// Runs the browser on the user's terminal until the user quits.
  func run() async throws -> ExitCode {
    // Reports a mistake on the command line before the terminal is touched.
    _ = try theme(loader, depth: .trueColor)
    switch arguments[.color] {
    case "never": setenv("NO_COLOR", "1", 1)
    case "always": unsetenv("NO_COLOR")
    default: break
    }
    let terminal: NcursesTerminal
    do {
      terminal = try NcursesTerminal()
    } catch {
      throw Failure.noTerminal(error)
    }
    let drafts =
      arguments.has(.noJournal)
      ? nil : DraftStorage.inState(environment: ProcessInfo.processInfo.environment)
    let editor = ExternalEditor(environment: ProcessInfo.processInfo.environment)
    let program = try program(on: terminal, drafts: drafts, editor: editor.outside)
    let sessions =
      arguments.has(.noJournal)
      ? nil : SessionStorage.inState(environment: ProcessInfo.processInfo.environment)
    let resumed = arguments.has(.resume) ? sessions?.last : nil
    var locations = locations
    if arguments.has(.resume), resumed == nil {
      locations = await NearbyStores.stores()
      program.send(.notice(Messages.noSession, .warning))
    }
    await program.run(opening: locations, resuming: resumed.map(suited))
    if let sessions, let session = program.state.session, !arguments.has(.readOnly) {
      do {
        try sessions.keep(session)
      } catch {
        Output.complain(Messages.sessionNotSaved(StoreError(error)))
      }
    }
    for sentence in editor.finish() { Output.complain(sentence) }
    switch program.closeReason {
    case .signal(let number):
      let drafts = program.state.drafts
      Output.complain(Messages.ended(by: number, unsaved: drafts.kept?.title, drafts.problem))
      exit(128 + number)
    case .hangUp: exit(128 + SIGHUP)
    case nil: return .done
    }
  }

  /// Returns a session without its saved theme if another theme takes precedence.
  ///
  /// A theme given by option or setting takes precedence, and a saved default theme does not keep
  /// the browser from following the terminal's background.
  private func suited(_ session: Session) -> Session {
    var session = session
    let isFollowing = session.theme.map(Self.following.contains) ?? true
    if isFollowing || arguments[.theme] != nil || arguments.file.configuration.theme != nil {
      session.theme = nil
    }
    return session
  }

  /// The themes that follow the terminal's background.
  private static let following = ["larder-light", "larder-dark"]

  /// Creates a program that browses the locations on a terminal.
  ///
  /// - Parameters:
  ///   - terminal: The terminal to draw on.
  ///   - drafts: The store for unsaved text; nil to store none.
  ///   - editor: The external editor that values can be opened in.
  /// - Returns: The program.
  /// - Throws: `Failure` if the theme or an option is invalid.
  func program(
    on terminal: any Terminal, drafts: DraftStorage? = nil,
    editor: ExternalEditorService = .none
  ) throws -> Program {
    let (theme, warnings) = try theme(loader, depth: terminal.colorDepth)
    let loader = loader
    let depth = terminal.colorDepth
    let journal = arguments.journal
    let ttl = try arguments.duration(.ttl)
    var opening = arguments.openOptions
    opening.timeToLive = ttl
    let options = opening
    var environment = EffectRunner.Environment(
      open: { try await Stores.open($0, options: options, journal: journal) },
      sleep: { try await Task.sleep(for: $0) },
      timeToLive: ttl ?? .seconds(300), readsThroughCache: ttl != nil,
      drafts: drafts,
      bookmarks: drafts.map { _ in
        .inState(environment: ProcessInfo.processInfo.environment)
      }, files: .private, editor: editor)
    environment.openWithPassword = {
      try await Stores.open($0, options: options, journal: journal, password: $1)
    }
    environment.filters = drafts.map { _ in
      .inState(environment: ProcessInfo.processInfo.environment)
    }
    environment.grids = drafts.map { _ in
      .inState(environment: ProcessInfo.processInfo.environment)
    }
    environment.paths = {
      await PathCompletions.paths(
        beginningWith: $0, limit: CompletionQuery.limit,
        environment: ProcessInfo.processInfo.environment)
    }
    let names = loader.available()
    let configuration = arguments.file.configuration
    var settings = BrowserSettings()
    settings.isReadOnly = options.isReadOnly
    settings.readOnlyReason = arguments.readOnlyReason
    settings.delimiter = arguments[.delimiter]
    settings.bindings = configuration.bindings
    settings.protected = configuration.protected.flatMap(ProtectedPaths.forms)
    let state = BrowserState(
      theme: theme.name, themes: names, session: drafts?.session, settings: settings)
    let suiting: (@Sendable (RGB) -> String)? =
      isThemeOpen ? Self.name(suiting: depth) : nil
    let program = Program(
      state: state, theme: theme, runner: EffectRunner(environment), terminal: terminal,
      themes: ThemeSource(
        names: names,
        load: { try Self.load($0, loader, depth) },
        suiting: suiting))
    for warning in arguments.problems + warnings { program.send(.notice(warning, .warning)) }
    return program
  }

  /// Returns the chosen theme, or else the default theme for the terminal.
  private func theme(
    _ loader: ThemeLoader, depth: ColorDepth
  ) throws -> (theme: Theme, warnings: [String]) {
    if let name = arguments[.theme] {
      do {
        return try Self.load(name, loader, depth)
      } catch {
        throw Failure.theme(Self.sentence(on: error, named: name, loader))
      }
    }
    if let name = arguments.file.configuration.theme {
      do {
        return try Self.load(name, loader, depth)
      } catch {
        return (
          .builtIn(for: depth),
          [
            arguments.file.problem("theme", Self.sentence(on: error, named: name, loader))
          ]
        )
      }
    }
    guard depth >= .indexed256 else { return (.builtIn(for: depth), []) }
    return (try? loader.load("larder-dark")) ?? (.builtIn(for: depth), [])
  }

  /// Returns why a theme cannot be used, with a suggestion for a misspelled name.
  private static func sentence(
    on error: any Error, named name: String, _ loader: ThemeLoader
  ) -> String {
    ThemeSource.sentence(
      on: error, named: name, among: loader.available(), otherwise: Messages.listsThemes)
  }

  /// Loads a theme, reduced to the colors that a terminal can show.
  private nonisolated static func load(
    _ name: String, _ loader: ThemeLoader, _ depth: ColorDepth
  ) throws -> (theme: Theme, warnings: [String]) {
    let (theme, warnings) = try loader.load(name)
    return (theme.fitted(to: depth), warnings)
  }

  /// Returns a function from a background color to a theme name; nil for monochrome terminals.
  ///
  /// On a terminal with 16 colors, the user chooses what those look like, so the built-in themes
  /// are used.
  private nonisolated static func name(suiting depth: ColorDepth) -> (@Sendable (RGB) -> String)? {
    guard depth > .monochrome else { return nil }
    let (dark, light) =
      depth >= .indexed256 ? ("larder-dark", "larder-light") : ("default", "default-light")
    // The luminance above which black has more contrast than white.
    return { $0.luminance > 0.18 ? light : dark }
  }

  /// Whether neither an option nor a setting names a theme.
  private var isThemeOpen: Bool {
    arguments[.theme] == nil && arguments.file.configuration.theme == nil
  }
}
