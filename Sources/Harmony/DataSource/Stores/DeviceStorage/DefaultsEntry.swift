/// What an address holds since a change.
struct DefaultsEntry: Sendable {
  /// The value; nil if it was removed.
  let value: DefaultsValue?

  /// Whether the value was put as a list, which tells an empty one from a value that is an empty
  /// list; nil if nobody knows.
  let isList: Bool?

  /// The number of the change.
  let sequence: UInt64

  /// Whether the defaults in the memory of this process show it.
  var isShown = false

  init(value: DefaultsValue?, isList: Bool? = nil, sequence: UInt64 = 0) {
    self.value = value
    self.isList = isList
    self.sequence = sequence
  }

  /// Whether this is the same change in another journal, where numbers may have begun anew.
  func isSameChange(as other: DefaultsEntry) -> Bool {
    guard sequence == other.sequence, isList == other.isList else { return false }
    var (own, others) = (ByteWriter(), ByteWriter())
    value?.write(to: &own)
    other.value?.write(to: &others)
    return (value == nil) == (other.value == nil) && own.bytes == others.bytes
  }

  /// The bytes that a key and its value take in a journal, more or less.
  func cost(of address: DefaultsAddress) -> Int {
    40 + (address.root?.text.utf8.count ?? 0) + address.key.text.utf8.count + (value?.cost ?? 0)
  }
}
