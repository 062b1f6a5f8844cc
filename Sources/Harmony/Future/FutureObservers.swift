/// A callback that receives the completed future; or nil and an error, if there will be no result.
@usableFromInline
typealias FutureObserver = @Sendable (AnyObject?, (any Error)?, inout Cascade) -> Void

/// The observers of a future, in the order in which they were added.
///
/// Most futures have a single one, which needs no array.
struct FutureObservers {
  private var first: FutureObserver?
  private var others: [FutureObserver] = []

  var isEmpty: Bool { first == nil }

  mutating func append(_ observer: @escaping FutureObserver) {
    if first == nil { first = observer } else { others.append(observer) }
  }

  func notify(_ future: AnyObject?, _ error: (any Error)?, _ cascade: inout Cascade) {
    first?(future, error, &cascade)
    for observer in others { observer(future, error, &cascade) }
  }
}
