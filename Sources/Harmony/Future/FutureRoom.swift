/// Room in a future for its value, of whatever type, or its error.
///
/// An optional of the value would do the same. But the code that destroys a future is not compiled
/// for each type of value, and the runtime would have to look up the type of the optional each time:
/// a search in a table, which takes longer than all the rest of a future's life.
@usableFromInline
struct FutureRoom: Sendable {
  /// Whether an error is in the room, and not a value.
  @usableFromInline var holdsError = false

  /// Whether what is in the room has to be destroyed: not if it is a number, nor if there is nothing.
  ///
  /// It is known when the room is filled, so that the end of a number needs no look at its type.
  // Set without a branch: where a future on the stack ends on one of two paths, Swift 6.3 frees
  // memory that was never allocated.
  @usableFromInline var needsEmptying = false

  // Values of up to 32 bytes lie here, others are referred to from here.
  @usableFromInline var words: (UInt, UInt, UInt, UInt) = (0, 0, 0, 0)

  @inlinable
  init() {}

  /// Whether values of a type lie in the room itself.
  @inlinable
  static func holds<T>(_ type: T.Type) -> Bool {
    MemoryLayout<T>.size <= MemoryLayout<(UInt, UInt, UInt, UInt)>.size
      && MemoryLayout<T>.alignment <= MemoryLayout<UInt>.alignment
  }

  /// Puts a value into the room, which must be empty.
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

  /// Puts an error into the room, which must be empty.
  @inlinable
  mutating func fill(error: any Error) {
    put(error, as: (any Error).self)
    holdsError = true
    needsEmptying = true
  }

  /// The error that the room was filled with; nil if it was a value.
  @inlinable
  var error: (any Error)? {
    holdsError ? content(as: (any Error).self) : nil
  }

  /// The value that the room was filled with.
  @inlinable
  func value<T>(as type: T.Type) -> T {
    if !Self.holds(T.self), let place = UnsafePointer<T>(bitPattern: words.0) {
      return place.pointee
    }
    return content(as: T.self)
  }

  /// Destroys what the room was filled with.
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
