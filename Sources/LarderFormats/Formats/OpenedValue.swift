import LarderModel

/// What a format found inside a value, in the format that suits that.
struct OpenedValue {
  /// What is said above it.
  let head: [ValueLine]
  /// What is inside.
  let inner: StoredValue
  /// How that is shown.
  let format: ValueFormat

  /// Chooses a format for what is inside.
  ///
  /// - Parameters:
  ///   - name: The format that opened it.
  ///   - bytes: What is inside.
  ///   - size: How many bytes these are, in words.
  ///   - count: How many bytes they were made from.
  ///   - problem: What is wrong with those; nil where nothing is.
  ///   - closed: The formats that do not open it once more: that could go on for long.
  init(
    _ name: String, _ bytes: [UInt8], size: String? = nil, from count: Int, problem: String? = nil,
    except closed: Set<String>
  ) {
    inner = .data(bytes)
    format =
      ValueFormat.suitable(for: inner, among: ValueFormat.all.filter { !closed.contains($0.name) })
      .first ?? .hex
    let size = size ?? Self.bytes(bytes.count)
    var head = "\(name): \(size) from \(count), as \(format.name)"
    if let problem { head += "; damaged: \(problem)" }
    self.head = [ValueLine([.init(head, .note)])]
  }

  /// A structure that was put together of what is inside.
  init(_ structure: StoredValue, head: String) {
    inner = structure
    format = .json
    self.head = [ValueLine([.init(head, .note)])]
  }

  /// A number of bytes in words.
  static func bytes(_ count: Int) -> String { "\(count) \(count == 1 ? "byte" : "bytes")" }
}

extension ValueFormat {
  /// A format that shows what it finds inside a value.
  static func opening(
    name: String, shows: String, suits: @escaping @Sendable (StoredValue) -> Int,
    _ open: @escaping @Sendable (StoredValue) -> OpenedValue
  ) -> ValueFormat {
    ValueFormat(
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
      })
  }
}
