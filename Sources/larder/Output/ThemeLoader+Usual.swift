import LarderFiles
import Foundation
import LarderStores
import TerminalUI

extension ThemeLoader {
  /// A loader for built-in themes and those in the user's configuration folder.
  static var usual: ThemeLoader {
    let environment = ProcessInfo.processInfo.environment
    return ThemeLoader(
      environment: environment, configuration: HomePath.larder(.configuration, environment))
  }
}
