import Testing

@testable import Harmony

/// Selecting keys from an unsorted sequence.
@Suite struct KeyPickerTests {
  private func picked(_ selection: KeySelection, _ keys: [String]) -> [String] {
    var picker = KeyPicker(selection)
    for key in keys { picker.take(key) }
    return picker.takeAll()
  }

  @Test(arguments: [false, true], [nil, 0, 1, 7, 1_500])
  func `The result is the same as with a sorted list`(_ isDescending: Bool, _ limit: Int?) {
    var keys = (0..<4_000).map { "key \($0 * 7_919 % 4_000)" } + ["é", "e\u{301}"]
    keys += keys.prefix(100)
    let sorted = Set(keys.map { Array($0.utf8) })
      .sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
    for after in [nil, "key 2", "key 3999", "nothing"] {
      for range in [KeyRange.all, KeyRange(prefix: "key 1"), KeyRange(from: "key 5", upTo: "l")] {
        let selection = KeySelection(range, after: after, limit: limit, isDescending: isDescending)
        let wanted = selection.keys(of: sorted).map { Array($0.utf8) }
        #expect(picked(selection, keys).map { Array($0.utf8) } == wanted)
      }
    }
  }
}
