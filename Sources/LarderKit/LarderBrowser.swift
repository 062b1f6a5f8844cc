public import Foundation
public import Harmony
import HarmonyInspection
import LarderBrowser
import LarderStores
import LarderUI
import TerminalNcurses
import TerminalUI

/// A terminal browser for the live data sources of the current program.
///
/// ```swift
/// let browser = LarderBrowser("my app")
/// browser.show(sessions, as: "sessions", isWritable: true)
/// try await browser.run()
/// ```
///
/// Sources are shown in place, without copies or sockets, and the screen follows their changes. The
/// browser occupies the terminal until the user quits; anything that the program prints to standard
/// output or standard error in that time would corrupt the screen.
public final class LarderBrowser: Sendable {
  private let title: String
  private let sources = ExposedSources()

  /// Creates a browser without sources.
  ///
  /// - Parameter title: The title of the sources on screen.
  public init(_ title: String = "this program") {
    self.title = title
  }

  /// Shows a source of values of any type as JSON; for a timed cache, with the metadata of its
  /// entries.
  ///
  /// - Parameters:
  ///   - source: The source, which is retained while it is shown.
  ///   - name: The name of the source on screen. It replaces a source of the same name.
  ///   - isWritable: Whether the user can change entries.
  public func show<Source>(_ source: Source, as name: String, isWritable: Bool = false)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T: Codable {
    sources.expose(source, as: name, isWritable: isWritable)
  }

  /// Shows a source of strings; for a timed cache, with the metadata of its entries.
  ///
  /// - Parameters:
  ///   - source: The source, which is retained while it is shown.
  ///   - name: The name of the source on screen. It replaces a source of the same name.
  ///   - isWritable: Whether the user can change entries.
  public func show<Source>(_ source: Source, as name: String, isWritable: Bool = false)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T == String {
    sources.expose(source, as: name, isWritable: isWritable)
  }

  /// Shows a source of data; for a timed cache, with the metadata of its entries.
  ///
  /// - Parameters:
  ///   - source: The source, which is retained while it is shown.
  ///   - name: The name of the source on screen. It replaces a source of the same name.
  ///   - isWritable: Whether the user can change entries.
  public func show<Source>(_ source: Source, as name: String, isWritable: Bool = false)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T == Data {
    sources.expose(source, as: name, isWritable: isWritable)
  }

  /// Removes a source from the browser.
  ///
  /// - Parameter name: The name of the source on screen.
  public func hide(_ name: String) {
    sources.conceal(name)
  }

  /// Runs the browser on the terminal until the user quits.
  ///
  /// Other tasks of the program continue to run. The user can also open other stores. No changes
  /// are recorded in a journal, so the browser leaves no files behind.
  ///
  /// - Parameter theme: The name of a theme, or nil for the default that suits the terminal.
  /// - Throws: ``LarderBrowserError`` if there is no terminal or no such theme.
  @MainActor public func run(theme: String? = nil) async throws(LarderBrowserError) {
    let terminal: NcursesTerminal
    do {
      terminal = try NcursesTerminal()
    } catch {
      throw LarderBrowserError("\(error)")
    }
    let program = try program(on: terminal, theme: theme)
    await program.run(opening: [title])
  }

  /// Creates the browser program on a terminal.
  @MainActor func program(
    on terminal: any Terminal, theme name: String?
  ) throws(LarderBrowserError) -> Program {
    let depth = terminal.colorDepth
    let loader = ThemeLoader()
    let theme: Theme
    do {
      let wanted = name ?? (depth >= .indexed256 ? "larder-dark" : nil)
      theme = try wanted.map { try loader.load($0).theme.fitted(to: depth) } ?? .builtIn(for: depth)
    } catch {
      throw LarderBrowserError("\(error)")
    }
    let (title, sources) = (title, sources)
    var environment = EffectRunner.Environment(
      open: { text in
        text == title
          ? try await OwnSources.open(sources, named: title) : try await Stores.open(text)
      },
      sleep: { try await Task.sleep(for: $0) })
    environment.openWithPassword = { try await Stores.open($0, password: $1) }
    environment.paths = {
      await PathCompletions.paths(
        beginningWith: $0, limit: CompletionQuery.limit,
        environment: ProcessInfo.processInfo.environment)
    }
    let names = loader.available()
    return Program(
      state: BrowserState(theme: theme.name, themes: names), theme: theme,
      runner: EffectRunner(environment), terminal: terminal,
      themes: ThemeSource(
        names: names,
        load: { name in
          let (theme, warnings) = try loader.load(name)
          return (theme.fitted(to: depth), warnings)
        }))
  }
}

/// The reason that the browser could not be shown.
public struct LarderBrowserError: Error, Hashable, CustomStringConvertible {
  /// A description of the error and how to resolve it.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
