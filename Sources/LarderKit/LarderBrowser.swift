public import Foundation
public import Harmony
import HarmonyInspection
import LarderBrowser
import LarderStores
import LarderUI
import TerminalNcurses
import TerminalUI

/// The browser of larder over the live sources of this program, on its own terminal.
///
/// ```swift
/// let browser = LarderBrowser("my app")
/// browser.show(sessions, as: "sessions", isWritable: true)
/// try await browser.run()
/// ```
///
/// Nothing is copied and no socket is made: what is on screen is what the sources hold, and follows
/// them. It has the terminal until the user quits; what the program prints meanwhile, on standard
/// output or error, would stand across the screen.
public final class LarderBrowser: Sendable {
  private let title: String
  private let sources = ExposedSources()

  /// Creates a browser that shows nothing yet.
  ///
  /// - Parameter title: What the sources are called on screen.
  public init(_ title: String = "this program") {
    self.title = title
  }

  /// Shows a source of values of any type, as JSON; a timed cache with what is known of its entries.
  ///
  /// - Parameters:
  ///   - source: The source, which is kept as long as it is shown.
  ///   - name: The name to show it under, in place of what had it before.
  ///   - isWritable: Whether it can be changed on screen.
  public func show<Source>(_ source: Source, as name: String, isWritable: Bool = false)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T: Codable {
    sources.expose(source, as: name, isWritable: isWritable)
  }

  /// Shows a source of texts; a timed cache with what is known of its entries.
  ///
  /// - Parameters:
  ///   - source: The source, which is kept as long as it is shown.
  ///   - name: The name to show it under, in place of what had it before.
  ///   - isWritable: Whether it can be changed on screen.
  public func show<Source>(_ source: Source, as name: String, isWritable: Bool = false)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T == String {
    sources.expose(source, as: name, isWritable: isWritable)
  }

  /// Shows a source of data; a timed cache with what is known of its entries.
  ///
  /// - Parameters:
  ///   - source: The source, which is kept as long as it is shown.
  ///   - name: The name to show it under, in place of what had it before.
  ///   - isWritable: Whether it can be changed on screen.
  public func show<Source>(_ source: Source, as name: String, isWritable: Bool = false)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T == Data {
    sources.expose(source, as: name, isWritable: isWritable)
  }

  /// Shows a source no longer.
  ///
  /// - Parameter name: The name that it was shown under.
  public func hide(_ name: String) {
    sources.conceal(name)
  }

  /// Takes the terminal, and gives it back once the user has quit.
  ///
  /// The tasks of the program go on meanwhile. Other stores can be opened beside its own; nothing is
  /// recorded of changes, so that nothing is left behind.
  ///
  /// - Parameter theme: The name of a theme of larder; nil for the one that suits the terminal.
  /// - Throws: ``LarderBrowserError`` where there is no terminal, or no such theme.
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

  /// The browser on any terminal.
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
    environment.paths = {
      await PathOffers.paths(
        beginningWith: $0, limit: OfferQuery.limit,
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

/// Why the browser could not be shown.
public struct LarderBrowserError: Error, Hashable, CustomStringConvertible {
  /// What happened and what to do.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
