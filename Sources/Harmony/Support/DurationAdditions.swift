extension Duration {
  /// The duration in seconds; exact for whole seconds.
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
