import Foundation
import LarderDocuments

/// Finds elements of Android preferences that larder shows and Android does not read.
enum PreferencesExamination {
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
    if !unread.isEmpty { report.add(subject, .notOfAndroid(unread)) }
    if !repeated.isEmpty { report.add(subject, .repeated(repeated)) }
  }
}
