/// The storage of a future for a value of any type, or an error.
///
/// An optional of the value would do, but the code that destroys a future is not specialized for
/// each type of value. The runtime would have to look up the type of the optional in a table each
/// time, which takes longer than everything else that a future does.
@usableFromInline
struct FutureStorage: Sendable {
  /// Whether the stored content is an error.
  @usableFromInline var holdsError = false

  /// Whether the stored content has to be destroyed, unlike a trivial value or an empty room.
  ///
  /// It is set when the room is filled, so that releasing a trivial value does not need its type.
  // Set without a branch: if a future on the stack ends on one of two paths, Swift 6.3 frees memory
  // that was never allocated.
  @usableFromInline var needsEmptying = false

  // Values of up to 32 bytes are stored inline, larger ones behind a pointer.
  @usableFromInline var words: (UInt, UInt, UInt, UInt) = (0, 0, 0, 0)

  @inlinable
  init() {}

  /// Returns whether values of a type are stored inline.
  @inlinable
  static func holds<T>(_ type: T.Type) -> Bool {
    MemoryLayout<T>.size <= MemoryLayout<(UInt, UInt, UInt, UInt)>.size
      && MemoryLayout<T>.alignment <= MemoryLayout<UInt>.alignment
  }

  /// Stores a value in the room, which must be empty.
  @inlinable
  mutating func fill<T>(value: T) {
    guard Self.holds(T.self) else {
      let place = UnsafeMutablePointer<T>.allocate(capacity: 1)
      place.initialize(to: value)
      words.0 = UInt(bitPattern: place)
      needsEmptying = true
      return
    }
    put(value, as: T.self)
    needsEmptying = !_isPOD(T.self)
  }

  /// Stores an error in the room, which must be empty.
  @inlinable
  mutating func fill(error: any Error) {
    put(error, as: (any Error).self)
    holdsError = true
    needsEmptying = true
  }

  /// The stored error; nil if a value is stored.
  @inlinable
  var error: (any Error)? {
    holdsError ? content(as: (any Error).self) : nil
  }

  /// Returns the stored value.
  @inlinable
  func value<T>(as type: T.Type) -> T {
    if !Self.holds(T.self), let place = UnsafePointer<T>(bitPattern: words.0) {
      return place.pointee
    }
    return content(as: T.self)
  }

  /// Destroys the stored content.
  @inlinable
  mutating func empty<T>(of type: T.Type) {
    if holdsError { return destroyContent(as: (any Error).self) }
    if !Self.holds(T.self), let place = UnsafeMutablePointer<T>(bitPattern: words.0) {
      place.deinitialize(count: 1)
      place.deallocate()
      return
    }
    destroyContent(as: T.self)
  }

  @inlinable
  mutating func put<Content>(_ content: Content, as type: Content.Type) {
    withUnsafeMutablePointer(to: &words) { words in
      _ = UnsafeMutableRawPointer(words).initializeMemory(as: type, to: content)
    }
  }

  @inlinable
  func content<Content>(as type: Content.Type) -> Content {
    withUnsafePointer(to: words) { words in
      UnsafeRawPointer(words).assumingMemoryBound(to: type).pointee
    }
  }

  @inlinable
  mutating func destroyContent<Content>(as type: Content.Type) {
    withUnsafeMutablePointer(to: &words) { words in
      _ = UnsafeMutableRawPointer(words).assumingMemoryBound(to: type).deinitialize(count: 1)
    }
  }
}
