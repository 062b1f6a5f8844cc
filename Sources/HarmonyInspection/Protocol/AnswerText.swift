import Foundation

/// A writer of the JSON of answers that list entries or keys.
///
/// Clients list all entries to sort them or add them up. Foundation's encoder takes ten times as
/// long, in a process with other work to do.
struct AnswerText {
  private(set) var bytes: [UInt8] = []

  /// Creates the same JSON as an encoder; nil if the answer has content that this does not support.
  init?(_ answer: InspectionAnswer) {
    var rest = answer
    (rest.id, rest.keys, rest.entries, rest.isCut) = (0, nil, nil, nil)
    guard answer.entries != nil || answer.keys != nil, rest == InspectionAnswer() else {
      return nil
    }
    bytes.reserveCapacity((answer.entries?.count ?? 0) * 192 + 64)
    add("{\"id\":")
    add(String(answer.id))
    if let isCut = answer.isCut { add(isCut ? ",\"isCut\":true" : ",\"isCut\":false") }
    if let keys = answer.keys {
      add(",\"keys\":")
      guard
        addList(
          keys,
          { text, key in
            text.addText(key)
            return true
          })
      else { return nil }
    }
    if let entries = answer.entries {
      add(",\"entries\":")
      guard addList(entries, { $0.add($1) }) else { return nil }
    }
    add("}")
  }

  private mutating func add(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func add(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func addList<Element>(
    _ list: [Element], _ add: (inout Self, Element) -> Bool
  ) -> Bool {
    bytes.append(UInt8(ascii: "["))
    for (place, element) in list.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      guard add(&self, element) else { return false }
    }
    bytes.append(UInt8(ascii: "]"))
    return true
  }

  private mutating func add(_ entry: InspectedEntry) -> Bool {
    add("{\"key\":")
    addText(entry.key)
    add(",\"size\":")
    add(String(entry.size))
    if let value = entry.value {
      add(",\"value\":")
      guard add(value) else { return false }
    }
    if let cached = entry.cached {
      // JSON cannot represent these numbers; the encoder reports the error.
      guard cached.age.isFinite, cached.timeToLive.isFinite, cached.lastUsed.isFinite,
        cached.stored?.isFinite != false, cached.expires?.isFinite != false
      else { return false }
      add(",\"cached\":{\"age\":")
      add(cached.age.description)
      add(",\"timeToLive\":")
      add(cached.timeToLive.description)
      add(",\"hits\":")
      add(String(cached.hits))
      add(",\"lastUsed\":")
      add(cached.lastUsed.description)
      add(",\"cost\":")
      add(String(cached.cost))
      if let stored = cached.stored {
        add(",\"stored\":")
        add(stored.description)
      }
      if let expires = cached.expires {
        add(",\"expires\":")
        add(expires.description)
      }
      add("}")
    }
    add("}")
    return true
  }

  private mutating func add(_ value: InspectedValue) -> Bool {
    switch value {
    case .text(let text):
      add("{\"text\":")
      addText(text)
    case .json(let text):
      add("{\"json\":")
      addText(text)
    case .data(let data):
      add("{\"data\":\"")
      bytes.append(contentsOf: data.base64EncodedData())
      add("\"")
    case .list(let values):
      add("{\"list\":")
      guard addList(values, { $0.add($1) }) else { return false }
    }
    add("}")
    return true
  }

  private mutating func addText(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      for place in utf8.indices {
        let byte = utf8[place]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
          continue
        }
        bytes.append(contentsOf: utf8[start..<place])
        start = place + 1
        if byte < 0x20 {
          add("\\u00")
          bytes.append(Self.digits[Int(byte >> 4)])
          bytes.append(Self.digits[Int(byte & 0xF)])
        } else {
          bytes.append(UInt8(ascii: "\\"))
          bytes.append(byte)
        }
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
