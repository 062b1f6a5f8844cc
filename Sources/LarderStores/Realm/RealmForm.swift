import Foundation
import HarmonyRealm
import LarderModel

/// The form of an entry, with the distinctions of Realm types that stored values do not make.
///
/// Each such value is represented by a word and its path, as in `float /ratio; objectId /id; set
/// /tags`. An embedded object has its class name, as in `embedded:Address /home`, and a timestamp
/// that `Date` cannot represent exactly the seconds since 1970, as in `date:1700000000.123456789
/// /when`.
struct RealmForm {
  private var marks: [String] = []
  private var steps: [String] = []

  /// Returns the form of an object, or nil if the object does not need one.
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

  /// Returns a path component with the separators of components, entries and words escaped.
  private static func escaped(_ step: String) -> String {
    step.replacing("~", with: "~0").replacing("/", with: "~1").replacing(";", with: "~2")
      .replacing(" ", with: "~3")
  }
}

extension RealmValue {
  /// Whether the value, or one nested inside, may require a form.
  fileprivate var mayHaveForm: Bool {
    switch self {
    case .float, .decimal, .objectID, .timestamp, .set, .list, .embedded, .dictionary: true
    default: false
    }
  }
}

extension RealmTimestamp {
  /// The seconds since 1970 with all digits, or nil if the date's text is exact.
  fileprivate var exactText: String? {
    // A negative fraction is counted from the previous second.
    let isBefore = nanoseconds < 0
    let (second, overflows) = seconds.subtractingReportingOverflow(isBefore ? 1 : 0)
    let billionths = Int(nanoseconds) + (isBefore ? 1_000_000_000 : 0)
    let digits = Self.digits(billionths)
    if !overflows, second.magnitude < 1 << 50 {
      if digits.isEmpty { return nil }
      let whole = Timestamp.text(of: RealmTimestamp(seconds: second, nanoseconds: 0).date)
      if Timestamp.text(of: date) == "\(whole.dropLast()).\(digits)Z" { return nil }
    }
    // The sign applies to the whole number, including the fraction.
    let sign = seconds < 0 || nanoseconds < 0 ? "-" : ""
    let rest = Self.digits(Int(nanoseconds.magnitude))
    return "\(sign)\(seconds.magnitude)\(rest.isEmpty ? "" : ".")\(rest)"
  }

  /// Returns nanoseconds as the digits after the decimal point, without trailing zeros.
  private static func digits(_ billionths: Int) -> String {
    var digits = String(String(billionths + 1_000_000_000).dropFirst())
    while digits.hasSuffix("0") { digits.removeLast() }
    return digits
  }
}
