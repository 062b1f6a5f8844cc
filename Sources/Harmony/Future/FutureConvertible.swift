public import Foundation

/// A value that ``toFuture()`` converts to a future.
///
/// The conforming Foundation types are those of upstream, except the ones that are not `Sendable`:
/// predicates, sort descriptors, ordered and counted sets, `NSAttributedString` and
/// `ISO8601DateFormatter`.
public protocol FutureConvertible: Sendable {}

extension FutureConvertible {
  /// Returns a future that already has this value.
  ///
  /// - Returns: The complete future.
  @inlinable
  public func toFuture() -> Future<Self> {
    Future(self)
  }
}

extension Bool: FutureConvertible {}
extension Int: FutureConvertible {}
extension Int8: FutureConvertible {}
extension Int16: FutureConvertible {}
extension Int32: FutureConvertible {}
extension Int64: FutureConvertible {}
extension UInt: FutureConvertible {}
extension UInt8: FutureConvertible {}
extension UInt16: FutureConvertible {}
extension UInt32: FutureConvertible {}
extension UInt64: FutureConvertible {}
extension Float: FutureConvertible {}
extension Double: FutureConvertible {}
extension Decimal: FutureConvertible {}
extension Character: FutureConvertible {}
extension String: FutureConvertible {}
extension Data: FutureConvertible {}
extension Date: FutureConvertible {}
extension DateComponents: FutureConvertible {}
extension DateInterval: FutureConvertible {}
extension Calendar: FutureConvertible {}
extension TimeZone: FutureConvertible {}
extension Locale: FutureConvertible {}
extension UUID: FutureConvertible {}
extension URL: FutureConvertible {}
extension URLComponents: FutureConvertible {}
extension IndexPath: FutureConvertible {}
extension IndexSet: FutureConvertible {}
extension CharacterSet: FutureConvertible {}
extension Notification.Name: FutureConvertible {}

extension CGFloat: FutureConvertible {}
extension CGPoint: FutureConvertible {}
extension CGSize: FutureConvertible {}
extension CGRect: FutureConvertible {}
extension AffineTransform: FutureConvertible {}
extension NSRange: FutureConvertible {}
extension NSNull: FutureConvertible {}
extension NSNumber: FutureConvertible {}
extension URLQueryItem: FutureConvertible {}
extension AttributedString: FutureConvertible {}
extension NumberFormatter: FutureConvertible {}
extension DateFormatter: FutureConvertible {}
extension DateIntervalFormatter: FutureConvertible {}

extension Optional where Wrapped: Sendable {
  /// Returns a future that already has this value.
  ///
  /// - Returns: The complete future.
  @inlinable
  public func toFuture() -> Future<Self> {
    Future(self)
  }
}

extension Array where Element: Sendable {
  /// Returns a future that already has this value.
  ///
  /// - Returns: The complete future.
  @inlinable
  public func toFuture() -> Future<Self> {
    Future(self)
  }
}

extension Set where Element: Sendable {
  /// Returns a future that already has this value.
  ///
  /// - Returns: The complete future.
  @inlinable
  public func toFuture() -> Future<Self> {
    Future(self)
  }
}

extension Dictionary where Key: Sendable, Value: Sendable {
  /// Returns a future that already has this value.
  ///
  /// - Returns: The complete future.
  @inlinable
  public func toFuture() -> Future<Self> {
    Future(self)
  }
}
