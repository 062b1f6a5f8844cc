import Foundation
import Harmony
import LarderModel
import LarderStores
import TerminalUI

extension Subcommand {
  static let doctor = Subcommand(
    name: "doctor", usage: [.optional(.word("LOCATION…", .location)), .optional(.json)],
    summary: "check stores, terminal, settings and journal",
    isPaged: true,
    examples: [Example("Check a backup before you restore it:", "larder doctor backup.db")]
  ) { arguments, output in
    var report = DoctorReport(isJSON: arguments.has(.json), output)
    for word in arguments.words {
      await StoreExamination(word, arguments).run(&report)
    }
    SurroundingsExamination(arguments).run(&report)
    await JournalExamination(arguments).run(&report)
    output.flush()
    return report.code
  }
}

/// The findings of `larder doctor` so far.
struct DoctorReport {
  /// The severity of a finding.
  enum State: String {
    /// No action is required.
    case fine
    /// Worth knowing, and possibly requires action.
    case finding
    /// The subject cannot be read at all.
    case failed
  }

  private let isJSON: Bool
  private let output: Output
  private var subject: String?
  private var states: Set<State> = []
  private var files: Set<String> = []

  init(isJSON: Bool, _ output: Output) {
    self.isJSON = isJSON
    self.output = output
  }

  /// The exit code for the most severe finding.
  var code: ExitCode {
    if states.contains(.failed) { return .store }
    return states.contains(.finding) ? .nothing : .done
  }

  /// Marks a file as reported.
  ///
  /// - Parameter path: The path of the file, which may contain symbolic links.
  /// - Returns: Whether the file had not been reported before.
  mutating func begin(file path: String) -> Bool {
    files.insert(URL(filePath: path).resolvingSymlinksInPath().path).inserted
  }

  /// Adds a finding and prints it.
  ///
  /// - Parameters:
  ///   - state: The severity.
  ///   - subject: The store or other object of the examination.
  ///   - text: The finding, as a sentence without its full stop.
  ///   - advice: The advice, likewise.
  mutating func add(
    _ state: State, _ subject: String, _ text: String, advice: String? = nil
  ) {
    states.insert(state)
    if isJSON {
      var fields: [StoredValue.Field] = [
        .init("subject", .text(subject)), .init("state", .text(state.rawValue)),
        .init("text", .text(text)),
      ]
      if let advice { fields.append(.init("advice", .text(advice))) }
      output.plainLine(JSONText.encode(.dictionary(fields)))
      return
    }
    if self.subject != subject {
      output.line(PathName(subject).description)
      self.subject = subject
    }
    let word = state.rawValue + String(repeating: " ", count: 9 - state.rawValue.count)
    output.line("  \(word)\(Sanitizer.display(text))")
    if let advice { output.line("           \(Sanitizer.display(advice))") }
  }
}
