/// The encryption of one connection, which neither reads nor writes the socket.
///
/// OpenSSL gets and returns encrypted bytes in memory, because its own writes to a closed socket
/// would end the process with a signal. A session must be used by one thread.
final class TLSSession {
  private let context: Context
  private let session: OpaquePointer
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer
  private let address: RedisAddress
  /// Whether the server is known to be the right one.
  private(set) var isReady = false

  private var library: OpenSSL { context.library }

  private enum Constant {
    static let verificationOfPeer: Int32 = 1
    static let serverName: Int32 = 55
    static let wantsRead: Int32 = 2
    static let wantsWrite: Int32 = 3
    static let closed: Int32 = 6
  }

  /// The settings of a session in OpenSSL's form.
  private final class Context {
    let library: OpenSSL
    let pointer: OpaquePointer

    init(_ settings: RedisTLS) throws(RedisError) {
      guard let library = OpenSSL.shared else { throw .noOpenSSL }
      library.clearErrors()
      guard let pointer = library.newContext(library.clientMethod()) else {
        throw library.failure(.setup)
      }
      self.library = library
      self.pointer = pointer
      let (setMinimumVersion, version12, pem): (Int32, Int, Int32) = (123, 0x0303, 1)
      _ = library.controlContext(pointer, setMinimumVersion, version12, nil)
      library.setVerification(pointer, Constant.verificationOfPeer, nil)
      let isTrusted =
        settings.authorityFile.map { library.trust(pointer, $0, nil) }
        ?? library.trustSystem(pointer)
      guard isTrusted == 1 else {
        throw library.failure(.noAuthorities(file: settings.authorityFile))
      }
      if let file = settings.certificateFile {
        guard library.useCertificate(pointer, file) == 1 else {
          throw library.failure(.noCertificate(file: file))
        }
      }
      if let file = settings.keyFile {
        guard library.useKey(pointer, file, pem) == 1 else {
          throw library.failure(.noKey(file: file))
        }
      }
    }

    deinit {
      library.freeContext(pointer)
    }
  }

  /// Creates a session.
  ///
  /// - Throws: ``RedisError`` if OpenSSL is missing or a file cannot be used.
  init(_ settings: RedisTLS, to address: RedisAddress) throws(RedisError) {
    let context = try Context(settings)
    let library = context.library
    guard let session = library.new(context.pointer) else {
      throw library.failure(.setup)
    }
    guard let incoming = library.newBuffer(library.memory()),
      let outgoing = library.newBuffer(library.memory())
    else {
      library.free(session)
      throw library.failure(.setup)
    }
    library.setBuffers(session, incoming, outgoing)
    (self.context, self.session, self.address) = (context, session, address)
    (self.incoming, self.outgoing) = (incoming, outgoing)
    guard let name = settings.serverName ?? address.host, !name.isEmpty, !name.utf8.contains(0)
    else {
      throw RedisError.noServerName(address)
    }
    // Sets the name only if it is an IP address.
    if library.setAddress(library.parameters(session), name) != 1 {
      var text = Array(name.utf8CString)
      guard library.setHost(session, name) == 1,
        library.control(session, Constant.serverName, 0, &text) == 1
      else { throw library.failure(.notServerName(name)) }
    }
    library.beginAsClient(session)
  }

  deinit {
    // Frees the buffers too.
    library.free(session)
  }

  /// Continues the handshake as far as possible.
  func shakeHands() throws(RedisError) {
    guard !isReady else { return }
    library.clearErrors()
    let result = library.handshake(session)
    isReady = result == 1
    if !isReady { try check(result) }
  }

  /// Adds encrypted bytes of the server, and passes what they contain to a closure.
  ///
  /// - Returns: Whether the server may send more.
  func receive(
    _ bytes: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>) -> Void
  ) throws(RedisError) -> Bool {
    library.clearErrors()
    let count = bytes.withUnsafeBytes { bytes in
      library.writeBuffer(incoming, bytes.baseAddress, Int32(bytes.count))
    }
    guard count == bytes.count else {
      throw library.failure(.outOfMemory(address))
    }
    try shakeHands()
    guard isReady else { return true }
    var plain = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = library.read(session, &plain, Int32(plain.count))
      guard count > 0 else { return try check(count) }
      body(plain[..<Int(count)])
    }
  }

  /// Encrypts bytes for the server; the handshake must be complete.
  func send(_ bytes: [UInt8]) throws(RedisError) {
    library.clearErrors()
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        library.write(session, bytes.baseAddress, Int32(min(bytes.count, 1 << 20)))
      }
      guard count > 0 else { throw library.failure(.encryption(address)) }
      rest = rest.dropFirst(Int(count))
    }
  }

  /// Moves the encrypted bytes that are to be sent to an array.
  func takeOutgoing(into bytes: inout [UInt8]) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = library.readBuffer(outgoing, &buffer, Int32(buffer.count))
      guard count > 0 else { return }
      bytes += buffer[..<Int(count)]
    }
  }

  /// Returns whether the server may send more after a call that did not succeed.
  @discardableResult
  private func check(_ result: Int32) throws(RedisError) -> Bool {
    switch library.error(session, result) {
    case Constant.wantsRead, Constant.wantsWrite: return true
    case Constant.closed: return false
    default:
      let verification = library.verification(session)
      guard verification == 0, !isReady else {
        let reason = library.verificationText(verification).map { String(cString: $0) } ?? ""
        throw RedisError.untrusted(address, reason)
      }
      throw library.failure(.handshake(address))
    }
  }
}

extension OpenSSL {
  /// Returns the error for a problem, with the reason that the library gives.
  fileprivate func failure(_ problem: EncryptionProblem) -> RedisError {
    .insecure(problem, errorText(lastError()).map { String(cString: $0) })
  }
}
