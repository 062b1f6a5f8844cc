import Foundation
import LarderDocuments

/// Finds deviations from the JSON standard that larder accepts and other programs may not.
enum JSONExamination {
  /// Reports the deviations in a file that larder can read.
  static func run(_ path: String, _ subject: String, _ report: inout DoctorReport) {
    // A file that cannot be read is reported along with its entries.
    guard let contents = FileManager.default.contents(atPath: path) else { return }
    for found in JSONDeviations(of: Array(contents)).found {
      report.add(subject, .deviation(found))
    }
  }
}
