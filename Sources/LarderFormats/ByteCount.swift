/// Formats byte counts.
package enum ByteCount {
  /// Returns the count in the largest binary unit in which it is at least one.
  package static func text(_ count: Int) -> String {
    let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
    for (name, size) in units where count >= size {
      let tenths = (Double(count) / Double(size) * 10).rounded() / 10
      return "\(tenths) \(name)"
    }
    return "\(count) B"
  }

  /// Returns the count in at most six columns, without a fraction from 100 up.
  package static func short(_ count: Int) -> String {
    let units = [("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)]
    for (name, size) in units where count >= size {
      let number = Double(count) / Double(size)
      return number < 99.95
        ? "\((number * 10).rounded() / 10)\(name)" : "\(Int(number.rounded()))\(name)"
    }
    return "\(count) B"
  }
}
