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

/// A result of an examination by `larder doctor`.
struct Finding {
  /// The severity of a finding.
  enum State: String {
    /// No action is required.
    case fine
    /// Worth knowing, and possibly requires action.
    case finding
    /// The subject cannot be read at all.
    case failed
  }

  let state: State
  /// The finding, as a sentence without its full stop.
  let text: String
  /// The advice, likewise.
  let advice: String?

  init(_ state: State, _ text: String, advice: String? = nil) {
    self.state = state
    self.text = text
    self.advice = advice
  }
}

/// The findings of `larder doctor` so far.
struct DoctorReport {
  private let isJSON: Bool
  private let output: Output
  private var subject: String?
  private var states: Set<Finding.State> = []
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
  ///   - subject: The store or other object of the examination.
  ///   - finding: The finding.
  mutating func add(_ subject: String, _ finding: Finding) {
    states.insert(finding.state)
    if isJSON {
      var fields: [StoredValue.Field] = [
        .init("subject", .text(subject)), .init("state", .text(finding.state.rawValue)),
        .init("text", .text(finding.text)),
      ]
      if let advice = finding.advice { fields.append(.init("advice", .text(advice))) }
      output.plainLine(JSONText.encode(.dictionary(fields)))
      return
    }
    if self.subject != subject {
      output.line(PathName(subject).description)
      self.subject = subject
    }
    let word = finding.state.rawValue.padded(to: 9)
    output.line("  \(word)\(Sanitizer.display(finding.text))")
    if let advice = finding.advice { output.line("           \(Sanitizer.display(advice))") }
  }
}
