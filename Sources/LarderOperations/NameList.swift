package import LarderModel
import LarderFormats

/// The names of entries in a message, shortened to the first few and the number of the others.
package struct NameList: CustomStringConvertible, Sendable, Equatable {
  /// The number of names added.
  package private(set) var count = 0
  private var names: [String] = []
  private static let maximum = 5

  package init(_ names: some Sequence<String> = []) {
    for name in names { add(name) }
  }

  package mutating func add(_ name: String) {
    count += 1
    if names.count < Self.maximum { names.append(name) }
  }

  package var description: String {
    names.joined(separator: ", ") + Self.others(count - names.count)
  }
}

extension NameList {
  /// Adds an entry that cannot be read, with the reason.
  package mutating func add(unreadable key: EntryKey, _ style: KeyStyle, _ reason: StoreError) {
    var message = reason.message
    // The name already precedes the message.
    let name = key.spoken + " "
    if message.hasPrefix(name) { message.removeFirst(name.count) }
    add(key.notation(style), because: message)
  }

  /// Adds a name with a reason in parentheses.
  mutating func add(_ name: String, because reason: String) { add("\(name) (\(reason))") }
}
