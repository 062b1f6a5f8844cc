import LarderBrowser
import Foundation
import LarderStores
import LarderUI
import TerminalNcurses
import TerminalUI

/// Examines the terminal, the settings and the editor's scratch files.
struct SurroundingsExamination {
  private let arguments: Arguments
  private let environment = ProcessInfo.processInfo.environment

  init(_ arguments: Arguments) {
    self.arguments = arguments
  }

  func run(_ report: inout DoctorReport) {
    // The pager replaces standard output, so ask it for the terminal.
    if let terminal = Pager.terminal ?? (isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : nil) {
      examine(terminal: terminal, &report)
    }
    examineSettings(&report)
    examineEditor(&report)
  }

  // MARK: The terminal

  private func examine(terminal: Int32, _ report: inout DoctorReport) {
    let subject = "terminal"
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    let isUTF8 = locale.map { name in
      let name = name.lowercased()
      return name.contains("utf-8") || name.contains("utf8")
    }
    report.add(subject, .locale(locale, isUTF8: isUTF8 == true))
    do {
      let found = try TerminalReport(
        environment: environment, input: STDIN_FILENO, output: terminal)
      report.add(
        subject,
        .terminal(
          found.name, found.size, found.colorDepth,
          isWithoutColor: environment["NO_COLOR"]?.isEmpty == false))
      if let size = found.size, size.width < 40 || size.height < 10 {
        report.add(subject, .tooSmall(size))
      }
      report.add(subject, .mouse(isSupported: found.takesMouse))
      report.add(subject, .clipboard(found.clipboardProgram, hasSequence: found.takesClipboard))
      report.add(subject, .frames(isSupported: found.takesFrames))
    } catch {
      report.add(subject, .noTerminal(error))
    }
  }

  // MARK: The editor

  /// Reports the scratch files of killed processes, which contain values in plain text.
  private func examineEditor(_ report: inout DoctorReport) {
    let place = ExternalEditor(environment: environment).directory
    for (folder, isInUse) in ScratchFile.leftovers(in: place) {
      report.add("editor", isInUse ? .scratchInUse(folder) : .leftScratch(folder))
    }
  }

  // MARK: Settings

  private func examineSettings(_ report: inout DoctorReport) {
    let subject = "settings"
    for problem in arguments.problems { report.add(subject, .setting(problem)) }
    var problems = arguments.problems.count
    let loader = ThemeLoader.usual
    let themes = [(arguments[.theme], false), (arguments.file.configuration.theme, true)]
    for case (let theme?, let isOfFile) in themes {
      do {
        for warning in try loader.load(theme).warnings {
          problems += 1
          report.add(subject, .setting(warning))
        }
      } catch {
        problems += 1
        let sentence = ThemeSource.sentence(
          on: error, named: theme, among: loader.available(), otherwise: Messages.listsThemes)
        report.add(
          subject, .setting(isOfFile ? arguments.file.problem("theme", sentence) : sentence))
      }
    }
    guard problems == 0 else { return }
    report.add(subject, .validSettings)
  }
}
