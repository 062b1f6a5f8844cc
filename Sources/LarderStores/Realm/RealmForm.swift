import Foundation
import HarmonyRealm
import LarderModel

/// What a Realm tells apart and a value of the browser does not, as the form of an entry.
///
/// For each such value a word with its place: `float /ratio; objectId /id; set /tags`. An embedded
/// object has the name of its class, `embedded:Address /home`, and a moment that no `Date` gives
/// again its seconds since 1970, `date:1700000000.123456789 /when`.
struct RealmForm {
  private var marks: [String] = []
  private var steps: [String] = []

  /// The form of an object; nil where nothing needs one.
  static func text(of object: RealmObject) -> String? {
    var form = RealmForm()
    form.visit(object.fields)
    return form.marks.isEmpty ? nil : form.marks.joined(separator: "; ")
  }

  private mutating func visit(_ fields: [RealmObject.Field]) {
    for field in fields { visit(field.value, at: field.name) }
  }

  private mutating func visit(_ values: [RealmValue]) {
    for (index, value) in values.enumerated() where value.mayHaveForm {
      visit(value, at: String(index))
    }
  }

  private mutating func visit(_ value: RealmValue, at step: String) {
    guard value.mayHaveForm else { return }
    steps.append(step)
    defer { steps.removeLast() }
    switch value {
    case .float: mark("float")
    case .decimal: mark("decimal128")
    case .objectID: mark("objectId")
    case .timestamp(let moment):
      if let exact = moment.exactText { mark("date:" + exact) }
    case .set(let values):
      mark("set")
      visit(values)
    case .list(let values): visit(values)
    case .embedded(let object):
      mark("embedded:" + Self.escaped(object.className))
      visit(object.fields)
    case .dictionary(let entries):
      if case .int = entries.first?.key { mark("integerKeys") }
      for entry in entries { visit(entry.value, at: entry.key.name) }
    default: break
    }
  }

  private mutating func mark(_ word: String) {
    marks.append(word + " " + steps.map { "/" + Self.escaped($0) }.joined())
  }

  /// A step without what separates steps, marks and words.
  private static func escaped(_ step: String) -> String {
    step.replacing("~", with: "~0").replacing("/", with: "~1").replacing(";", with: "~2")
      .replacing(" ", with: "~3")
  }
}

extension RealmValue {
  /// Whether something may have to be said of the value or of one inside.
  fileprivate var mayHaveForm: Bool {
    switch self {
    case .float, .decimal, .objectID, .timestamp, .set, .list, .embedded, .dictionary: true
    default: false
    }
  }
}

extension RealmTimestamp {
  /// The seconds since 1970 with all of their digits, where the text of the date has others.
  fileprivate var exactText: String? {
    // The fraction counts from the second before.
    let isBefore = nanoseconds < 0
    let (second, overflows) = seconds.subtractingReportingOverflow(isBefore ? 1 : 0)
    let billionths = Int(nanoseconds) + (isBefore ? 1_000_000_000 : 0)
    let digits = Self.digits(billionths)
    if !overflows, second.magnitude < 1 << 50 {
      if digits.isEmpty { return nil }
      let whole = Timestamp.text(of: RealmTimestamp(seconds: second, nanoseconds: 0).date)
      if Timestamp.text(of: date) == "\(whole.dropLast()).\(digits)Z" { return nil }
    }
    // With the sign before all of it, as numbers have it.
    let sign = seconds < 0 || nanoseconds < 0 ? "-" : ""
    let rest = Self.digits(Int(nanoseconds.magnitude))
    return "\(sign)\(seconds.magnitude)\(rest.isEmpty ? "" : ".")\(rest)"
  }

  /// Billionths of a second as they stand behind the point, without zeros at the end.
  private static func digits(_ billionths: Int) -> String {
    var digits = String(String(billionths + 1_000_000_000).dropFirst())
    while digits.hasSuffix("0") { digits.removeLast() }
    return digits
  }
}
