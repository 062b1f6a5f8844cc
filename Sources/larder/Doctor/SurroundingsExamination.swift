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
    if isUTF8 == true {
      report.add(.fine, subject, "text is UTF-8")
    } else {
      report.add(
        .finding, subject,
        "the locale is \(locale ?? "not set"), so text may not be UTF-8",
        advice: "set LC_ALL or LANG, for example to C.UTF-8")
    }
    do {
      let found = try TerminalReport(
        environment: environment, input: STDIN_FILENO, output: terminal)
      report.add(
        .fine, subject,
        "\(found.name) \(found.size.map { "of \($0.width) columns and \($0.height) rows " } ?? "")"
          + "shows \(colours(found.colorDepth))",
        advice: found.colorDepth == .indexed256
          ? "if the terminal supports true colour, set COLORTERM=truecolor"
          : nil)
      if let size = found.size, size.width < 40 || size.height < 10 {
        report.add(
          .finding, subject, "\(size.width) columns and \(size.height) rows are too few",
          advice: "the browser needs 40 columns and 10 rows")
      }
      report.add(
        .fine, subject,
        found.takesMouse ? "mouse supported" : "mouse not supported")
      let program = found.clipboardProgram.map { "by \($0)" }
      let sequence = found.takesClipboard ? "by OSC 52, where the terminal allows it" : nil
      let ways = [program, sequence].compactMap(\.self)
      if ways.isEmpty {
        report.add(
          .finding, subject, "copying to the clipboard is not possible",
          advice: "install wl-copy, xclip or xsel, or use a terminal that has OSC 52")
      } else {
        report.add(
          .fine, subject, "copying to the clipboard works \(ways.joined(separator: ", and "))"
        )
      }
      let frames =
        switch found.takesFrames {
        case true?: "synchronized output (mode 2026)"
        case false?: "no synchronized output (mode 2026)"
        case nil: "the terminal does not answer queries"
        }
      report.add(.fine, subject, frames)
    } catch {
      report.add(.finding, subject, "\(error)")
    }
  }

  private func colours(_ depth: ColorDepth) -> String {
    switch depth {
    case .monochrome:
      environment["NO_COLOR"]?.isEmpty == false ? "no colours, as NO_COLOR is set" : "no colours"
    case .ansi8: "8 colours"
    case .ansi16: "16 colours"
    case .indexed256: "256 colours"
    case .trueColor: "true colour"
    }
  }

  // MARK: The editor

  /// Reports the scratch files of killed processes, which contain values in plain text.
  private func examineEditor(_ report: inout DoctorReport) {
    let place = ExternalEditor(environment: environment).directory
    for (folder, isInUse) in ScratchFile.leftovers(in: place) {
      if isInUse {
        report.add(
          .fine, "editor",
          "\(folder) holds a value that a running larder, its editor, or a program that the editor "
            + "has started is using")
      } else {
        let quoted = folder.replacing("'", with: #"'\''"#)
        report.add(
          .finding, "editor", "\(folder) holds a value that a killed larder left behind",
          advice: "open the store again and press Ctrl-E to restore the text, or run rm -r "
            + "'\(quoted)'")
      }
    }
  }

  // MARK: Settings

  private func examineSettings(_ report: inout DoctorReport) {
    let subject = "settings"
    for problem in arguments.problems { report.add(.finding, subject, problem) }
    var problems = arguments.problems.count
    let loader = ThemeLoader.usual
    let themes = [(arguments[.theme], false), (arguments.file.configuration.theme, true)]
    for case (let theme?, let isOfFile) in themes {
      do {
        for warning in try loader.load(theme).warnings {
          problems += 1
          report.add(.finding, subject, warning)
        }
      } catch {
        problems += 1
        let sentence = ThemeSource.sentence(
          on: error, named: theme, among: loader.available(), otherwise: "larder themes lists them")
        report.add(
          .finding, subject, isOfFile ? arguments.file.problem("theme", sentence) : sentence)
      }
    }
    guard problems == 0 else { return }
    report.add(.fine, subject, "no problems")
  }
}
