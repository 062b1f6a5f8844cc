extension ValueModel {
  /// The value, where it is text that has to be looked at for the structure that it may hold; nil
  /// where it is none, or was looked at.
  var unreadStructure: StoredValue? {
    guard !hasReadStructure, let value = entry.value?.value,
      ValueFormat.mayHoldLargeStructure(value)
    else { return nil }
    return value
  }

  /// The formats that can show the value, the best first.
  func formats(of value: StoredValue) -> [String] {
    let names = ValueFormat.suitable(for: value).map(\.name)
    return structure == nil ? names : [ValueFormat.json.name] + names
  }
}
