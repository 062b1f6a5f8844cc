package import LarderModel
package import LarderFormats

/// An editor for a value, with the location to write it to.
package struct EditorModel: Sendable, Equatable {
  /// The store to write to.
  package var store: StoreReference
  /// The key of the entry.
  package var key: EntryKey
  /// The key as displayed.
  package var title: String
  /// The entry that is edited, or `nil` for a new one.
  package private(set) var base: Entry?
  /// The fingerprint that the store must still have, or `nil` if the key must be free.
  package private(set) var expecting: Fingerprint?
  /// The part of the value that is edited.
  package private(set) var part: ValuePart
  /// Whether `part` is a member that does not exist yet.
  package let isNewMember: Bool
  /// Whether another program changed the entry after it was read.
  package private(set) var wasChangedByOthers = false
  /// The type that the text is parsed as.
  package private(set) var type: StoredType
  /// The storage form that was chosen for a new entry, or `nil` for the usual one of its type.
  package private(set) var form: String?
  /// Whether the text is the hexadecimal form of bytes, or of text that is not UTF-8.
  package private(set) var isHex = false
  /// Whether the original value was shown in hexadecimal.
  private var beganAsHex = false
  /// The text.
  package var buffer: TextBuffer
  /// The reason that the text is not valid, or `nil`.
  package var problem: String?
  /// The token of the check in progress; until it ends, ``problem`` is about an earlier text.
  var checking: Int?
  /// Whether the user was warned that leaving discards the text.
  package var isLeaving = false
  /// Whether the user was warned that the text is not valid JSON.
  var isBreaking = false
  /// The token of the write in progress.
  package var saving: Int?
  /// The external edit in progress, or `nil`.
  package var outside: Outside?
  /// Whether the value is a secret, which has no draft and is not passed to other programs.
  var isSecret = false
  /// Whether the text is empty because the value is hidden, rather than empty itself.
  var isBlank = false
  /// Whether the key or the member name was typed, which is enough for a draft even without a
  /// value.
  var hasTypedName = false
  /// Whether null is allowed for the value.
  package var isNullable = false
  /// The id of the draft, once there is one.
  package var draft: String?

  /// The text at the beginning, for detecting changes.
  package let initialText: String

  /// The text before null was chosen, which is restored with the next type.
  private var textBeforeNull: TextBeforeNull?

  /// The part of the value that was valid JSON and no longer is, or `nil`.
  var brokenJSON: ValuePart? {
    let broken = (try? typed()).flatMap { ValueFormat.brokenJSON(in: $0, after: original) }
    return broken.map { $0.isWhole ? part : $0 }
  }

  private struct TextBeforeNull: Sendable, Equatable {
    var buffer: TextBuffer
    var isHex: Bool
  }

  /// Creates an editor for the value of an entry, or for one of its columns or members.
  ///
  /// - Parameters:
  ///   - store: The store to write to.
  ///   - entry: The entry as it was read.
  ///   - title: The key as displayed.
  ///   - part: The part of the value to edit.
  ///   - isNewMember: Whether `part` is a member that does not exist yet.
  ///   - valueType: The initial type if the value is null, or `nil` for text.
  ///   - keepsDigits: Whether the store preserves the exact digits of numbers. They are always
  ///     preserved in JSON.
  ///   - prefersHex: Whether bytes are shown in hexadecimal even if they are text.
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

  /// Creates an editor for a new entry.
  ///
  /// - Parameters:
  ///   - store: The store to write to.
  ///   - newKey: The key of the entry.
  ///   - title: The key as displayed.
  ///   - valueType: The initial type, or `nil` for text.
  ///   - keepsDigits: Whether the store preserves the exact digits of numbers.
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

  /// The maximum size in bytes of a value that can be edited on screen.
  package static let maximumSize = 1 << 20

  /// Whether the exact digits of a number are preserved.
  private let keepsDigits: Bool

  /// Whether the value changes even if the text does not: its type was changed, or the entry it is
  /// written over.
  private var isOtherwiseChanged = false

  /// Whether the entry or member does not exist yet.
  package var isNew: Bool { base == nil || isNewMember }

  /// Whether there are unsaved changes.
  package var isChanged: Bool { isOtherwiseChanged || !buffer.text.hasBytes(of: initialText) }

  /// Whether Enter inserts a line break instead of saving.
  package var hasLines: Bool { buffer.hasLines }

  /// The name of the key that saves, for hints.
  package var savingKey: String { hasLines ? "Ctrl-S" : "Enter" }

  /// Whether the type of the value can be changed.
  package var canChangeType: Bool {
    switch original?.type {
    case .record, .array, .dictionary: false
    default: true
    }
  }

  /// The original value of the edited part.
  private var original: StoredValue?

  /// Whether a member inside a value is edited.
  package var isMember: Bool { part.member != nil }

  /// Returns the whole value to write, with the edited part merged into an entry.
  ///
  /// - Parameter base: The entry that provides the other columns and members.
  /// - Returns: The whole value.
  /// - Throws: `ValueText.Failure` if the text is not valid for its type, or the part is not in
  ///   `base`.
  package func value(over base: Entry?) throws(ValueText.Failure) -> StoredValue {
    let edited = try typed()
    if isNewMember { return try part.adding(in: base?.value ?? .null, with: edited) }
    return part.isWhole ? edited : try part.replacing(in: base?.value ?? .null, with: edited)
  }

  /// Parses the text.
  private func typed() throws(ValueText.Failure) -> StoredValue {
    do {
      return try ValueText.value(
        of: buffer.text, type: type, original: original, isHex: isHex, keepsDigits: keepsDigits)
    } catch {
      guard canChangeType, ValueText.looksLikeAnotherType(buffer.text, than: type) else {
        throw error
      }
      throw ValueText.Failure(Messages.otherType(error.description))
    }
  }

  /// Rebases the editor onto the current entry of the store.
  ///
  /// If the entry was deleted (`nil`), saving restores the whole of it with the edit applied.
  package mutating func rebase(onto theirs: Entry?) {
    base = theirs ?? base
    if isNewMember {
      part = base?.value.map(part.free) ?? part
    } else {
      original = theirs?.value.flatMap(part.value) ?? original
    }
    expecting = theirs?.fingerprint
    isOtherwiseChanged = true
    wasChangedByOthers = true
  }

  /// Restores the text of a draft.
  mutating func resume(_ draft: Draft) {
    hasTypedName = base == nil || isNewMember
    expecting = draft.expecting
    type = draft.type
    form = draft.form
    isHex = draft.isHex
    buffer = TextBuffer(draft.text)
    isOtherwiseChanged = true
    check()
  }

  /// Replaces the whole text as a change that the user can undo.
  mutating func replaceText(with text: String) {
    buffer.replaceAll(with: text)
    isLeaving = false
    isBreaking = false
    check()
  }

  /// The maximum number of characters that are checked at every key press; longer texts are checked
  /// in the background.
  static let maximumQuickCount = 8_192

  /// Validates the text, so that errors show while the user types.
  package mutating func check() {
    checking = nil
    do {
      _ = try typed()
      problem = nil
    } catch {
      problem = error.description
    }
  }

  /// The name of the type, as the store has it.
  package var typeName: String {
    form ?? (part.isWhole && type == base?.type ? base?.typeName : nil) ?? type.rawValue
  }

  /// A type, the notation of its text, and the storage form that it is chosen by, if any.
  private struct Form: Equatable {
    var type: StoredType
    var isHex = false
    var name: String?
  }

  /// Switches to the next type that can hold the text, among the given types and the original one.
  ///
  /// New bytes can be typed as text or in hexadecimal. The text keeps its meaning: hexadecimal
  /// digits become the text that they encode, and text becomes the digits of its bytes.
  ///
  /// - Parameters:
  ///   - types: The types.
  ///   - newForms: The storage forms that new entries can have instead of some types.
  /// - Returns: Whether the type was changed, or there was no other type to try.
  package mutating func changeType(
    among types: [StoredType], newForms: [String: StoredType] = [:]
  ) -> Bool {
    guard canChangeType else { return true }
    var forms = types.flatMap { type in
      let names = base == nil ? newForms.filter { $0.value == type }.keys.sorted() : []
      if !names.isEmpty { return names.map { Form(type: type, name: $0) } }
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
    let current = Form(type: type, isHex: isHex, name: self.form)
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
      // Undo must not restore a text in the other notation.
      if form.isHex != isHex { buffer = TextBuffer(text) }
      (type, isHex, self.form) = (form.type, form.isHex, form.name)
      isOtherwiseChanged = true
      check()
      return true
    }
    return forms.count == 1
  }

  /// Makes the value null; the next change of type restores the text.
  mutating func makeNull() {
    textBeforeNull = TextBeforeNull(buffer: buffer, isHex: isHex)
    buffer = TextBuffer()
    (type, isHex, form) = (.null, false, nil)
    isOtherwiseChanged = true
    // Choosing null confirms that the value is not JSON any more.
    isBreaking = true
    check()
  }

  /// Returns the text in another notation, or `nil` if it cannot be converted.
  private func text(as form: Form) -> String? {
    let typed = buffer.text
    guard form.isHex != isHex else { return typed }
    guard isHex else { return ValueText.spacedHex(Array(typed.utf8)) }
    // Without valid digits there are no bytes to decode; the text is as typed.
    guard let bytes = try? ValueText.bytes(typed) else { return typed }
    return form.type == .data ? bytes.plainText : String(validating: bytes, as: UTF8.self)
  }
}
