import Foundation
import LarderDocuments
import TerminalUI

/// Finds deviations from the JSON standard that larder accepts and other programs may not.
enum JSONExamination {
  /// Reports the deviations in a file that larder can read.
  static func run(_ path: String, _ subject: String, _ report: inout DoctorReport) {
    // A file that cannot be read is reported along with its entries.
    guard let contents = FileManager.default.contents(atPath: path) else { return }
    for found in JSONDeviations(of: Array(contents)).found {
      let (text, advice) = sentences(found)
      report.add(.finding, subject, text, advice: advice)
    }
  }

  private static func sentences(
    _ found: JSONDeviations.Found
  ) -> (text: String, advice: String) {
    let places = places(found)
    switch found.kind {
    case .byteOrderMark:
      return (
        "the file starts with a byte order mark, which JSON does not allow",
        "programs that refuse the file can read it without its first three bytes"
      )
    case .comment:
      return (
        "\(count(found, "a comment", "comments")), which JSON does not have, \(places)",
        "keep them if the file's own program accepts them; other programs reject the file"
      )
    case .comma:
      return (
        "\(count(found, "a comma", "commas")) before the end of a list, which JSON does not have, "
          + places,
        "remove them in a text editor, as most programs reject the file"
      )
    case .nonFinite:
      return (
        "\(count(found, "a number", "numbers")) that JSON does not have, NaN or Infinity, "
          + places,
        "replace the values with larder put, as most programs reject the file"
      )
    case .repeatedName:
      return (
        names(found),
        "larder ls lists each, the later ones as (name,null,1) and so on: delete the unwanted ones"
      )
    }
  }

  private static func count(_ found: JSONDeviations.Found, _ one: String, _ many: String) -> String
  {
    found.count == 1 ? one : "\(found.count) \(many)"
  }

  /// Returns the places of a deviation, as a phrase.
  private static func places(_ found: JSONDeviations.Found) -> String {
    let places = found.places.map { "line \($0.line), column \($0.column)" }
    let others = found.count - places.count
    return "at " + places.joined(separator: "; ") + (others > 0 ? "; and \(others) more" : "")
  }

  private static func names(_ found: JSONDeviations.Found) -> String {
    let names = found.places.map { place in
      let name = Sanitizer.display(String(decoding: place.name, as: UTF8.self))
      return "the name \"\(name)\" occurs \(place.count) times, the last time at line "
        + "\(place.line), column \(place.column)"
    }
    let others = found.count - names.count
    return names.joined(separator: "; ") + (others > 0 ? "; and \(others) more names" : "")
      + "; programs see the last"
  }
}
