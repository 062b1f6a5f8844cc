import Foundation

/// The functions of OpenSSL 3, which is loaded when the first encrypted connection is made, so that
/// programs also run where it is not installed.
struct OpenSSL: @unchecked Sendable {
  // Invariant: immutable after initialization; OpenSSL's functions may be called by any thread.
  typealias Object = OpaquePointer
  typealias Text = UnsafePointer<CChar>

  let clientMethod: @convention(c) () -> Object?
  let newContext: @convention(c) (Object?) -> Object?
  let freeContext: @convention(c) (Object?) -> Void
  let controlContext: @convention(c) (Object?, Int32, Int, UnsafeMutableRawPointer?) -> Int
  let trustSystem: @convention(c) (Object?) -> Int32
  let trust: @convention(c) (Object?, Text?, Text?) -> Int32
  let useCertificate: @convention(c) (Object?, Text?) -> Int32
  let useKey: @convention(c) (Object?, Text?, Int32) -> Int32
  let setVerification: @convention(c) (Object?, Int32, UnsafeRawPointer?) -> Void
  let new: @convention(c) (Object?) -> Object?
  let free: @convention(c) (Object?) -> Void
  let control: @convention(c) (Object?, Int32, Int, UnsafeMutableRawPointer?) -> Int
  let setHost: @convention(c) (Object?, Text?) -> Int32
  let parameters: @convention(c) (Object?) -> Object?
  let setAddress: @convention(c) (Object?, Text?) -> Int32
  let beginAsClient: @convention(c) (Object?) -> Void
  let setBuffers: @convention(c) (Object?, Object?, Object?) -> Void
  let handshake: @convention(c) (Object?) -> Int32
  let read: @convention(c) (Object?, UnsafeMutableRawPointer?, Int32) -> Int32
  let write: @convention(c) (Object?, UnsafeRawPointer?, Int32) -> Int32
  let error: @convention(c) (Object?, Int32) -> Int32
  let verification: @convention(c) (Object?) -> Int
  let memory: @convention(c) () -> Object?
  let newBuffer: @convention(c) (Object?) -> Object?
  let readBuffer: @convention(c) (Object?, UnsafeMutableRawPointer?, Int32) -> Int32
  let writeBuffer: @convention(c) (Object?, UnsafeRawPointer?, Int32) -> Int32
  let verificationText: @convention(c) (Int) -> Text?
  let lastError: @convention(c) () -> UInt
  let errorText: @convention(c) (UInt) -> Text?
  let clearErrors: @convention(c) () -> Void

  /// The library; nil if it is not installed or lacks a function.
  static let shared = OpenSSL()

  private init?() {
    // Functions of libcrypto, on which libssl depends, are found through the same handle.
    guard let library = dlopen("libssl.so.3", RTLD_NOW | RTLD_LOCAL) else { return nil }
    func find<Function>(_ name: String, _: Function.Type = Function.self) throws -> Function {
      guard let symbol = dlsym(library, name) else { throw RedisError.noOpenSSL }
      return unsafeBitCast(symbol, to: Function.self)
    }
    do {
      clientMethod = try find("TLS_client_method")
      newContext = try find("SSL_CTX_new")
      freeContext = try find("SSL_CTX_free")
      controlContext = try find("SSL_CTX_ctrl")
      trustSystem = try find("SSL_CTX_set_default_verify_paths")
      trust = try find("SSL_CTX_load_verify_locations")
      useCertificate = try find("SSL_CTX_use_certificate_chain_file")
      useKey = try find("SSL_CTX_use_PrivateKey_file")
      setVerification = try find("SSL_CTX_set_verify")
      new = try find("SSL_new")
      free = try find("SSL_free")
      control = try find("SSL_ctrl")
      setHost = try find("SSL_set1_host")
      parameters = try find("SSL_get0_param")
      setAddress = try find("X509_VERIFY_PARAM_set1_ip_asc")
      beginAsClient = try find("SSL_set_connect_state")
      setBuffers = try find("SSL_set_bio")
      handshake = try find("SSL_do_handshake")
      read = try find("SSL_read")
      write = try find("SSL_write")
      error = try find("SSL_get_error")
      verification = try find("SSL_get_verify_result")
      memory = try find("BIO_s_mem")
      newBuffer = try find("BIO_new")
      readBuffer = try find("BIO_read")
      writeBuffer = try find("BIO_write")
      verificationText = try find("X509_verify_cert_error_string")
      lastError = try find("ERR_get_error")
      errorText = try find("ERR_reason_error_string")
      clearErrors = try find("ERR_clear_error")
    } catch {
      return nil
    }
  }
}
