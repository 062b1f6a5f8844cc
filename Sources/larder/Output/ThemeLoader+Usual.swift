import LarderFiles
import Foundation
import LarderStores
import TerminalUI

extension ThemeLoader {
  /// A loader that looks where the user keeps themes.
  static var usual: ThemeLoader {
    let environment = ProcessInfo.processInfo.environment
    return ThemeLoader(
      environment: environment, configuration: HomePath.larder(.configuration, environment))
  }
}
