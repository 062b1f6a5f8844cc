import LarderModel

/// A decoded value together with the format that suits its content.
struct DecodedValue {
  /// The heading above the content.
  let head: [ValueLine]
  /// The decoded content.
  let inner: StoredValue
  /// The format that displays the content.
  let format: ValueFormat

  /// Chooses a format for decoded bytes.
  ///
  /// - Parameters:
  ///   - name: The name of the decoding format.
  ///   - bytes: The decoded bytes.
  ///   - size: The description of their size; by default their count.
  ///   - count: The number of encoded bytes.
  ///   - problem: The reason why the input is damaged, if it is.
  ///   - closed: The formats to exclude, so that nested encodings are not decoded indefinitely.
  init(
    _ name: String, _ bytes: [UInt8], size: String? = nil, from count: Int, problem: String? = nil,
    except closed: Set<String>
  ) {
    inner = .data(bytes)
    format =
      ValueFormat.suitable(for: inner, among: ValueFormat.all.filter { !closed.contains($0.name) })
      .first ?? .hex
    let size = size ?? Self.bytes(bytes.count)
    let head = Messages.decoded(
      name, "\(size) from \(Thousands.text(count)), as \(format.name)", problem: problem,
      isCut: false)
    self.head = [ValueLine([.init(head, .note)])]
  }

  /// Wraps a structure that was built from the decoded content, or another value with its format.
  init(_ inner: StoredValue, head: String, as format: ValueFormat = .json) {
    self.inner = inner
    self.format = format
    self.head = [ValueLine([.init(head, .note)])]
  }

  /// Returns a byte count with its unit.
  static func bytes(_ count: Int) -> String {
    "\(Thousands.text(count)) \(count == 1 ? "byte" : "bytes")"
  }
}

extension ValueFormat {
  /// Returns a format that shows the decoded content of a value, and with `previewsContent` also in
  /// the previews of small values.
  static func opening(
    name: String, shows: String, suits: @escaping @Sendable (StoredValue) -> Int,
    previewsContent: Bool = false,
    preview: @escaping @Sendable (StoredValue) -> StoredValue = { $0 },
    _ open: @escaping @Sendable (StoredValue) -> DecodedValue
  ) -> ValueFormat {
    @Sendable func content(of value: StoredValue) -> StoredValue {
      guard value.storedSize <= maximumAtOnce, case let inner = open(value).inner,
        !inner.isLarger(than: maximumAtOnce * 4)
      else { return value }
      return inner
    }
    return ValueFormat(
      name: name, shows: shows, looksInside: true, suits: suits,
      lines: { value, limit, width in
        let opened = open(value)
        return opened.head + opened.format.lines(opened.inner, limit, width)
      },
      rows: { value, width in
        let opened = open(value)
        var content = opened.format.rows(opened.inner, width)
        content.head = opened.head + content.head
        return content
      },
      compared: { value in
        let opened = open(value)
        return .headed(opened.head, opened.format.compared(opened.inner))
      }, preview: previewsContent ? content : preview)
  }
}
