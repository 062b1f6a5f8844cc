import LarderModel

/// A list of names for a message, which is shortened to remain readable.
struct NameList: CustomStringConvertible {
  /// The number of names added.
  private(set) var count = 0
  private var names: [String] = []
  private static let maximum = 5

  init(_ names: some Sequence<String> = []) {
    for name in names { add(name) }
  }

  mutating func add(_ name: String) {
    count += 1
    if names.count < Self.maximum { names.append(name) }
  }

  var description: String {
    names.joined(separator: ", ") + Messages.others(count - names.count)
  }
}

extension NameList {
  /// Adds an entry that cannot be read, with the reason.
  mutating func add(unreadable key: EntryKey, _ style: KeyStyle, _ reason: StoreError) {
    var message = reason.message
    // The name already precedes the message.
    let name = key.spoken + " "
    if message.hasPrefix(name) { message.removeFirst(name.count) }
    add(Messages.unreadable(key.notation(style), message))
  }
}
