/// Room in a future for its value, of whatever type.
///
/// An optional of the value would do the same. But the code that destroys a future is not compiled
/// for each type of value, and the runtime would have to look up the type of the optional each time:
/// a search in a table, which takes longer than all the rest of a future's life.
@usableFromInline
struct FutureRoom: Sendable {
  // Values of up to 32 bytes lie here, others are referred to from here.
  @usableFromInline var words: (UInt, UInt, UInt, UInt) = (0, 0, 0, 0)

  @inlinable
  init() {}

  /// Whether values of a type lie in the room itself.
  @inlinable
  static func holds<T>(_ type: T.Type) -> Bool {
    MemoryLayout<T>.size <= MemoryLayout<FutureRoom>.size
      && MemoryLayout<T>.alignment <= MemoryLayout<FutureRoom>.alignment
  }

  /// Puts a value into the room, which must be empty.
  @inlinable
  mutating func fill<T>(_ value: T) {
    guard Self.holds(T.self) else {
      let place = UnsafeMutablePointer<T>.allocate(capacity: 1)
      place.initialize(to: value)
      words.0 = UInt(bitPattern: place)
      return
    }
    withUnsafeMutablePointer(to: &words) { words in
      _ = UnsafeMutableRawPointer(words).initializeMemory(as: T.self, to: value)
    }
  }

  /// The value that the room was filled with.
  @inlinable
  func value<T>(as type: T.Type) -> T {
    if !Self.holds(T.self), let place = UnsafePointer<T>(bitPattern: words.0) {
      return place.pointee
    }
    return withUnsafePointer(to: words) { words in
      UnsafeRawPointer(words).assumingMemoryBound(to: T.self).pointee
    }
  }

  /// Destroys the value that the room was filled with.
  @inlinable
  mutating func empty<T>(of type: T.Type) {
    if !Self.holds(T.self), let place = UnsafeMutablePointer<T>(bitPattern: words.0) {
      place.deinitialize(count: 1)
      place.deallocate()
      return
    }
    guard !_isPOD(T.self) else { return }
    withUnsafeMutablePointer(to: &words) { words in
      _ = UnsafeMutableRawPointer(words).assumingMemoryBound(to: T.self).deinitialize(count: 1)
    }
  }
}
