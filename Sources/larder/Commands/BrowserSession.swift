import Foundation
import LarderCore
import LarderStores
import LarderUI
import TerminalNcurses
import TerminalUI

/// The browser as the command line wants it, on whatever terminal it is given.
@MainActor struct BrowserSession {
  let locations: [String]
  let arguments: Arguments

  /// Draws on the person's terminal until they quit.
  func run() async throws -> ExitCode {
    let terminal: NcursesTerminal
    do {
      terminal = try NcursesTerminal()
    } catch {
      throw Failure(.usage, "\(error)")
    }
    let program = try program(on: terminal)
    await program.run(opening: locations)
    if case .signal(let number) = program.closeReason {
      Output.complain("ended by signal \(number)")
      exit(128 + number)
    }
    return .done
  }

  /// A program that browses the locations on a terminal.
  func program(on terminal: any Terminal) throws -> Program {
    let loader = ThemeLoader(environment: ProcessInfo.processInfo.environment)
    let (theme, warnings) = try self.theme(loader, depth: terminal.colorDepth)
    let options = arguments.openOptions
    let ttl = try arguments.duration(.ttl)
    let environment = EffectRunner.Environment(
      open: { try await Stores.open($0, options: options) },
      sleep: { try await Task.sleep(for: $0) },
      timeToLive: ttl ?? .seconds(300), readsThroughCache: ttl != nil)
    let state = BrowserState(theme: theme.name, isReadOnly: options.isReadOnly)
    let program = Program(
      state: state, theme: theme, runner: EffectRunner(environment), terminal: terminal,
      themes: ThemeSource(
        names: loader.available(), load: { try loader.load($0) }))
    for warning in warnings { program.send(.notice(warning)) }
    return program
  }

  /// The theme that was asked for, else the plain one that suits the terminal.
  private func theme(
    _ loader: ThemeLoader, depth: ColorDepth
  ) throws -> (theme: Theme, warnings: [String]) {
    if let name = arguments[.theme] {
      do {
        return try loader.load(name)
      } catch {
        let names = loader.available().joined(separator: ", ")
        throw Failure.usage("\(error); the themes are \(names)")
      }
    }
    guard depth != .monochrome else { return (.monochrome, []) }
    return (try? loader.load("larder-dark")) ?? (.default, [])
  }
}
