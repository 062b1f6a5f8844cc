import LarderFormats
import LarderModel
import Testing

/// Text that Flutter's `shared_preferences` stores on Android, shown as the list or number it is.
@Suite struct FlutterFormatTests {
  private static let list = "VGhpcyBpcyB0aGUgcHJlZml4IGZvciBhIGxpc3Qu"
  private static let bigInteger = "VGhpcyBpcyB0aGUgcHJlZml4IGZvciBCaWdJbnRlZ2Vy"
  private static let double = "VGhpcyBpcyB0aGUgcHJlZml4IGZvciBEb3VibGUu"
  /// An `ArrayList` of “one”, “two” and “one”, by OpenJDK 17.0.15, with the line breaks of Android.
  private static let java =
    "rO0ABXNyABNqYXZhLnV0aWwuQXJyYXlMaXN0eIHSHZnHYZ0DAAFJAARzaXpleHAAAAADdwQAAAAD\n"
    + "dAADb25ldAADdHdvcQB+AAJ4\n"
  /// A `HashSet` of “a”, by OpenJDK 17.0.15.
  private static let set =
    "rO0ABXNyABFqYXZhLnV0aWwuSGFzaFNldLpEhZWWuLc0AwAAeHB3DAAAABA/QAAAAAAAAXQAAWF4"

  private func lines(_ text: String) -> [String] { FormatSample(.text(text)).lines }

  @Test func `Lists are shown as lists`() {
    let json = Self.list + "!" + #"["a \"b\"","ü"]"#
    #expect(
      lines(json) == ["flutter: a list of strings", "[", #"  "a \"b\"","#, #"  "ü""#, "]"])
    #expect(ValuePreview(.text(json)).text == #"["a \"b\"","ü"]"#)
    #expect(lines(Self.list + "![]") == ["flutter: a list of strings", "[]"])
    #expect(
      lines(Self.list + Self.java) == [
        "flutter: a list of strings, serialized by Java", "[", #"  "one","#, #"  "two","#,
        #"  "one""#, "]",
      ])
  }

  // The digits are those of Java's `BigInteger.toString(36)`.
  @Test(arguments: [
    ("zz", "1295"), ("-1y2p0ij32e8e7", "-9223372036854775807"),
    ("byw97um9s91dlz68tsi", "123456789012345678901234567890"), ("0", "0"),
  ])
  func `Big integers are shown in decimal`(_ digits: String, _ number: String) {
    #expect(lines(Self.bigInteger + digits) == ["flutter: a big integer", number])
  }

  @Test(arguments: [("1.5", "1.5"), ("-0.0", "-0.0"), ("1.0E10", "10000000000.0"), ("NaN", "nan")])
  func `Doubles are shown as numbers`(_ digits: String, _ number: String) {
    #expect(lines(Self.double + digits) == ["flutter: a double", number])
    #expect(ValuePreview(.text(Self.double + digits)).kind == "flutter")
  }

  @Test(arguments: [
    list, list + "!", list + "![1]", list + "!{}", list + "![\"a\"", list + set, list + "rO0ABQ==",
    bigInteger, bigInteger + "-", bigInteger + "1 2", bigInteger + "é", double, double + "1,5",
    bigInteger + String(repeating: "z", count: 5_000), "x" + double + "1.5", double + "\u{301}1.5",
  ])
  func `Anything else stays text`(_ text: String) {
    #expect(FormatSample(.text(text)).format != "flutter")
  }

  @Test func `Long lists are left for the background`() {
    let items = Array(repeating: "\"abc\"", count: 10_000).joined(separator: ",")
    #expect(ValueFormat.isSlowToRead(.text(Self.list + "![\(items)]")))
  }
}
