package import LarderModel
package import LarderFormats

/// A value that is being typed, and where it will be written.
package struct EditorModel: Sendable, Equatable {
  /// Where the value will be written.
  package var store: StoreReference
  /// The key of the entry.
  package var key: EntryKey
  /// The key as it is shown.
  package var title: String
  /// The entry that is changed, or nil for a new one.
  package private(set) var base: Entry?
  /// What the store has to hold for the write, or nil: nothing under the key.
  package private(set) var expecting: Fingerprint?
  /// What of the value is edited.
  package private(set) var part: ValuePart
  /// Whether that is a member that is not there yet.
  package let isNewMember: Bool
  /// Whether somebody else changed the entry after it was read here.
  package private(set) var hasMetOthers = false
  /// The type that the text has to have.
  package private(set) var type: StoredType
  /// Whether the text is bytes, or text that is not UTF-8, in hexadecimal digits.
  package private(set) var isHex = false
  /// Whether that is so of what was read.
  private var beganAsHex = false
  /// The text.
  package var buffer: TextBuffer
  /// Why the text cannot be written, while it cannot.
  package var problem: String?
  /// The token of the check that is under way, while ``problem`` is of a text before.
  var checking: Int?
  /// Whether the user was told that leaving drops what was typed.
  package var isLeaving = false
  /// Whether the user was told that what is saved is no JSON any more.
  var isBreaking = false
  /// The token of the write that is under way.
  package var saving: Int?
  /// What another program has the text for, while it has it.
  package var outside: Outside?
  /// Whether what is typed is a secret, which is kept nowhere and given to no other program.
  var isSecret = false
  /// Whether the text is empty because the value is not shown, and not because it is empty.
  var isBlank = false
  /// Whether the key, or the name of the member, was typed, which is kept before the value is.
  var hasTypedName = false
  /// Whether null can take the place of the value.
  package var isNullable = false
  /// Under which id what is typed is kept, once it is.
  package var draft: String?

  /// Whether the text is worth keeping: something was typed.
  package let initialText: String

  /// What was typed before null was chosen, which has no text.
  private var textBeforeNull: TextBeforeNull?

  /// What of the value is no JSON any more, where it was; nil where nothing is.
  var brokenJSON: ValuePart? {
    let broken = (try? typed()).flatMap { ValueFormat.brokenJSON(in: $0, after: original) }
    return broken.map { $0.isWhole ? part : $0 }
  }

  private struct TextBeforeNull: Sendable, Equatable {
    var buffer: TextBuffer
    var isHex: Bool
  }

  /// An editor for the value of an entry that was read, or for one of its columns or members, which
  /// may be one that is not there yet.
  ///
  /// A value in the place of null begins with the type `valueType`, or as text. Where the store
  /// `keepsDigits`, numbers are written as they are typed; so they are in a value that is JSON. With
  /// `prefersHex`, bytes are in hexadecimal digits even where they are text.
  package init(
    store: StoreReference, entry: Entry, title: String, part: ValuePart = ValuePart(),
    isNewMember: Bool = false, valueType: StoredType? = nil, keepsDigits: Bool = false,
    prefersHex: Bool = false
  ) {
    self.store = store
    self.title = title
    key = entry.key
    base = entry
    expecting = entry.fingerprint
    self.part = part
    self.isNewMember = isNewMember
    self.keepsDigits = keepsDigits || entry.value.map(part.keepsDigits) == true
    original = isNewMember ? nil : entry.value.flatMap(part.value) ?? .null
    let value = original ?? .null
    type = value.type == .null ? valueType ?? .text : value.type
    if prefersHex, case .data(let bytes) = value {
      isHex = true
      initialText = ValueText.spacedHex(bytes)
    } else {
      isHex = ValueText.isHex(value)
      initialText = original.map(ValueText.text) ?? ""
    }
    beganAsHex = isHex
    buffer = TextBuffer(initialText)
  }

  /// An editor for a new entry.
  ///
  /// Its value begins with the type `valueType`, or as text.
  package init(
    store: StoreReference, newKey: EntryKey, title: String, valueType: StoredType? = nil,
    keepsDigits: Bool = false
  ) {
    self.store = store
    self.title = title
    self.keepsDigits = keepsDigits
    key = newKey
    part = ValuePart()
    isNewMember = false
    type = valueType ?? .text
    initialText = ""
    buffer = TextBuffer()
  }

  /// The maximum number of bytes that are edited on the screen.
  package static let maximumSize = 1 << 20

  /// Whether a number is written in the digits that are typed.
  private let keepsDigits: Bool

  /// Whether the value is another one even if the text is as it was: of another type, or over
  /// another entry.
  private var isOtherwiseChanged = false

  /// Whether what is edited is not there yet.
  package var isNew: Bool { base == nil || isNewMember }

  /// Whether something was typed or chosen that is not written yet.
  package var isChanged: Bool { isOtherwiseChanged || !buffer.text.hasBytes(of: initialText) }

  /// Whether Enter begins a new line rather than writing the value.
  package var hasLines: Bool { buffer.hasLines }

  /// The key that writes the value, as the hints name it.
  package var savingKey: String { hasLines ? "Ctrl-S" : "Enter" }

  /// Whether the type of the value can be changed.
  package var canChangeType: Bool {
    switch original?.type {
    case .record, .array, .dictionary: false
    default: true
    }
  }

  /// The value before the edit: of the column or member, or of the whole entry.
  private var original: StoredValue?

  /// Whether a member inside a value is edited.
  package var isMember: Bool { part.member != nil }

  /// The value to write, over what the store holds.
  ///
  /// - Parameter base: The entry to change: for a column or a member, the others are taken from it.
  /// - Returns: The whole value.
  /// - Throws: Why the text is not a value of its type.
  package func value(over base: Entry?) throws(ValueText.Failure) -> StoredValue {
    let edited = try typed()
    if isNewMember { return try part.adding(in: base?.value ?? .null, with: edited) }
    return part.isWhole ? edited : try part.replacing(in: base?.value ?? .null, with: edited)
  }

  /// The value that the text stands for.
  private func typed() throws(ValueText.Failure) -> StoredValue {
    do {
      return try ValueText.value(
        of: buffer.text, type: type, original: original, isHex: isHex, keepsDigits: keepsDigits)
    } catch {
      guard canChangeType, ValueText.looksLikeOther(buffer.text, than: type) else { throw error }
      throw ValueText.Failure("\(error.description); Ctrl-T changes the type")
    }
  }

  /// Goes on over what the store holds now, which is nil where the entry is gone: then the whole
  /// of it is written again, as it was read.
  package mutating func goOver(_ theirs: Entry?) {
    base = theirs ?? base
    if isNewMember {
      part = base?.value.map(part.free) ?? part
    } else {
      original = theirs?.value.flatMap(part.value) ?? original
    }
    expecting = theirs?.fingerprint
    isOtherwiseChanged = true
    hasMetOthers = true
  }

  /// Goes on with what was typed in a run that is over.
  mutating func resume(_ draft: Draft) {
    hasTypedName = base == nil || isNewMember
    expecting = draft.expecting
    type = draft.type
    isHex = draft.isHex
    buffer = TextBuffer(draft.text)
    isOtherwiseChanged = true
    check()
  }

  /// Takes a whole text in the place of what was typed, which can be undone.
  mutating func replaceText(with text: String) {
    buffer.replaceAll(with: text)
    isLeaving = false
    isBreaking = false
    check()
  }

  /// The maximum number of characters that are checked at every key; more are checked beside the
  /// keys.
  static let maximumQuickCount = 8_192

  /// Checks the text, so that a user sees while typing what is wrong with it.
  package mutating func check() {
    checking = nil
    do {
      _ = try typed()
      problem = nil
    } catch {
      problem = error.description
    }
  }

  /// A type, and how its text stands for a value.
  private struct Form: Equatable {
    var type: StoredType
    var isHex = false
  }

  /// Chooses the next of some types, and of the one that the value has had; new bytes are text first,
  /// then hexadecimal digits.
  ///
  /// What is typed keeps its meaning: digits that stand for bytes become the text that the bytes
  /// are, and text becomes the digits of its bytes.
  ///
  /// - Returns: Whether there is another type that can hold what is typed.
  package mutating func changeType(among types: [StoredType]) -> Bool {
    guard canChangeType else { return true }
    var forms = types.flatMap { type in
      guard type == .data else { return [Form(type: type)] }
      return base == nil
        ? [Form(type: type), Form(type: type, isHex: true)]
        : [Form(type: type, isHex: beganAsHex)]
    }
    if let original {
      let own = Form(type: original.type, isHex: beganAsHex)
      if !forms.contains(own) { forms.append(own) }
    }
    guard !forms.isEmpty else { return true }
    let current = Form(type: type, isHex: isHex)
    let place = forms.firstIndex(of: current) ?? -1
    if type == .null, buffer.count == 0, let before = textBeforeNull {
      (buffer, isHex) = (before.buffer, before.isHex)
    }
    for step in 1...forms.count {
      let form = forms[(place + step) % forms.count]
      guard form != current else { break }
      if form.type == .null {
        makeNull()
        return true
      }
      guard let text = text(as: form) else { continue }
      // What was typed before stands for something else then, and undo must not bring it back.
      if form.isHex != isHex { buffer = TextBuffer(text) }
      (type, isHex) = (form.type, form.isHex)
      isOtherwiseChanged = true
      check()
      return true
    }
    return forms.count == 1
  }

  /// Makes the value null, whatever is typed; another type brings the text back.
  mutating func makeNull() {
    textBeforeNull = TextBeforeNull(buffer: buffer, isHex: isHex)
    buffer = TextBuffer()
    (type, isHex) = (.null, false)
    isOtherwiseChanged = true
    // The user has said that it is to be no JSON any more.
    isBreaking = true
    check()
  }

  /// What is typed, as the text of another type; nil where that cannot hold it.
  private func text(as form: Form) -> String? {
    let typed = buffer.text
    guard form.isHex != isHex else { return typed }
    guard isHex else { return ValueText.spacedHex(Array(typed.utf8)) }
    // What is no digits stands for no bytes, and is text that was typed.
    guard let bytes = try? ValueText.bytes(typed) else { return typed }
    return form.type == .data ? bytes.plainText : String(validating: bytes, as: UTF8.self)
  }
}
