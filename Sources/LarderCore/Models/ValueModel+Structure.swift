extension ValueModel {
  /// The value, where it is text that has to be looked at for the structure that it may hold; nil
  /// where it is none, or was looked at.
  var unreadStructure: StoredValue? {
    guard !hasReadStructure, let value = innerValue,
      ValueFormat.mayHoldLargeStructure(value)
    else { return nil }
    return value
  }
}
