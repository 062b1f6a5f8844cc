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

  /// What a source may still set in its place, latest first; nil for what a source has put.
  ///
  /// Who changes the property list itself records it when the list holds it already, only against
  /// the values that it replaced. What the list holds beside these was set by somebody later.
  var rivals: [DefaultsValue?]?

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

  /// Whether the property list holds something that was set after this was recorded.
  func isOvertaken(by held: DefaultsValue?) -> Bool {
    guard let rivals else { return false }
    return !([value] + rivals).contains { Self.isMirrored($0, by: held) }
  }

  /// Whether what the property list holds is a value, as far as it can show it, or neither is there.
  static func isMirrored(_ value: DefaultsValue?, by held: DefaultsValue?) -> Bool {
    guard let held else { return value == nil }
    return value?.isMirrored(by: held) ?? false
  }

  /// The changes that make a table know this one and its rivals, one after the other.
  var steps: [DefaultsEntry] {
    guard let rivals else { return [self] }
    var steps = rivals.reversed().map { DefaultsEntry(value: $0, sequence: sequence) }
    for place in steps.indices.dropFirst() { steps[place].rivals = [] }
    var last = self
    last.rivals = []
    return steps + [last]
  }

  /// The bytes that a key and its value take in a journal, more or less.
  func cost(of address: DefaultsAddress) -> Int {
    let own = 40 + (address.root?.text.utf8.count ?? 0) + address.key.text.utf8.count
    return (rivals ?? []).reduce(own + (value?.cost ?? 0)) { $0 + own + ($1?.cost ?? 0) }
  }
}
