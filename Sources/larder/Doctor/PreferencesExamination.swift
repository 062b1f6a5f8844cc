import Foundation
import LarderDocuments
import TerminalUI

/// Finds elements of Android preferences that larder shows and Android does not read.
enum PreferencesExamination {
  /// The maximum number of names to report.
  private static let maximumCount = 5

  /// Reports such elements of a file that larder can read.
  static func run(_ path: String, _ subject: String, _ report: inout DoctorReport) {
    // A file that cannot be read is reported along with its entries.
    guard let contents = FileManager.default.contents(atPath: path),
      let document = try? PreferencesDocument(parsing: Array(contents))
    else { return }
    var unread: [String] = []
    var repeated: [String] = []
    for case .name(let name, let repetition) in document.members {
      if document.refusedByAndroid(.name(name, repetition: repetition)) { unread.append(name) }
      // Reports each name only once, however often it is repeated.
      if repetition == 1 { repeated.append(name) }
    }
    if !unread.isEmpty {
      let (what, verb) = unread.count == 1 ? ("the element", "is") : ("the elements", "are")
      report.add(
        .finding, subject,
        "\(what) of \(list(unread)) \(verb) of no type that Android has, or no value of that type: "
          + "Android reads nothing of the whole file, and writes it again without it",
        advice: "mend or take out \(what) in a text editor before the app is started")
    }
    if !repeated.isEmpty {
      report.add(
        .finding, subject,
        "\(list(repeated)) \(repeated.count == 1 ? "occurs" : "occur") more than once; Android sees the last",
        advice: "larder ls lists each, the later ones as (name,null,1) and so on: delete the "
          + "unwanted ones")
    }
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(maximumCount).map { "\"\(Sanitizer.display($0))\"" }
    let others = names.count - shown.count
    return shown.joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
  }
}
