// swift-tools-version: 6.2
import PackageDescription

/// What every target of this package is compiled with.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .treatAllWarnings(as: .error),
]

/// The themes of `Themes/`, compiled in so that a copied binary still has them all.
///
/// A new theme is its file and its name here.
let themes = [
  "catppuccin-latte",
  "catppuccin-mocha",
  "colour-blind-dark",
  "colour-blind-light",
  "dracula",
  "gruvbox-dark",
  "gruvbox-light",
  "high-contrast",
  "high-contrast-light",
  "larder-dark",
  "larder-light",
  "monochrome",
  "nord",
  "solarized-dark",
  "solarized-light",
  "tokyo-night",
]

/// A target with the package's settings.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = [])
  -> Target
{
  .target(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

/// The tests of a target.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

let package = Package(
  name: "larder",
  products: [
    .executable(name: "larder", targets: ["larder"]),
    .library(name: "Harmony", targets: ["Harmony"]),
    .library(name: "HarmonySQLite", targets: ["HarmonySQLite"]),
    .library(name: "HarmonyInspection", targets: ["HarmonyInspection"]),
    .library(name: "HarmonyKeychain", targets: ["HarmonyKeychain"]),
    .library(name: "HarmonyRealm", targets: ["HarmonyRealm"]),
    .library(name: "HarmonyTesting", targets: ["HarmonyTesting"]),
    .library(name: "LarderKit", targets: ["LarderKit"]),
  ],
  traits: [
    .trait(
      name: "Keychain", description: "The keychain of the desktop, through libsecret if it is there"
    ),
    .default(enabledTraits: ["Keychain"]),
  ],
  targets: [
    .systemLibrary(name: "CDigest"),
    .systemLibrary(name: "CLibSecret"),
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(name: "CPreferences"),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CXattr"),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),

    module("Harmony", ["CDigest", "CPreferences"]),
    module("HarmonySQLite", ["Harmony", "CSQLite"]),
    module("HarmonyInspection", ["Harmony"]),
    module(
      "HarmonyKeychain",
      ["Harmony", .target(name: "CLibSecret", condition: .when(traits: ["Keychain"]))]),
    module("HarmonyRealm", ["Harmony"]),
    module("HarmonyTesting", ["Harmony"]),

    module("TerminalUI", resources: themes.map { .embedInCode("../../Themes/\($0).json") }),
    module("TerminalNcurses", ["TerminalUI", "CNcurses"]),

    // The files that larder keeps for itself.
    module("LarderFiles", ["Harmony"]),
    module("LarderCore", ["Harmony", "CZlib"]),
    module("LarderJournal", ["LarderCore", "HarmonySQLite", "Harmony", "LarderFiles"]),
    module(
      "LarderStores",
      [
        "LarderJournal", "LarderCore", "LarderFiles", "Harmony", "HarmonyInspection",
        "HarmonyKeychain", "HarmonyRealm", "HarmonySQLite", "CXattr",
      ]),
    module("LarderUI", ["LarderCore", "TerminalUI"]),
    module(
      "LarderKit",
      [
        "LarderUI", "LarderStores", "LarderCore", "TerminalNcurses", "TerminalUI",
        "HarmonyInspection", "Harmony",
      ]),

    .executableTarget(
      name: "larder",
      dependencies: [
        "LarderUI", "LarderStores", "LarderJournal", "LarderCore", "TerminalNcurses", "TerminalUI",
        "HarmonySQLite", "HarmonyInspection", "Harmony", "LarderFiles",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "larder-benchmarks",
      dependencies: [
        "HarmonyTesting", "HarmonyInspection", "HarmonyRealm", "HarmonySQLite", "Harmony",
        "RealmExercise",
      ],
      swiftSettings: settings,
      // Its `malloc` counts; the compiler does not let a function have that name.
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "--defsym=malloc=larder_malloc"], .when(platforms: [.linux]))
      ]),

    // Other programs that tests run.
    .target(name: "TestPrograms", path: "Tests/TestPrograms", swiftSettings: settings),
    // Processes for the tests to kill while they write.
    .executableTarget(
      name: "StoreWriter", dependencies: ["Harmony"], path: "Tests/StoreWriter",
      swiftSettings: settings),
    .executableTarget(
      name: "DocumentWriter",
      dependencies: ["LarderStores", "LarderJournal", "LarderCore", "HarmonySQLite", "Harmony"],
      path: "Tests/DocumentWriter", swiftSettings: settings),
    tests("LarderFilesTests", ["LarderFiles"]),
    tests("HarmonyTests", ["Harmony", "HarmonyTesting", "StoreWriter"]),
    tests(
      "HarmonySQLiteTests", ["HarmonySQLite", "HarmonyTesting", "Harmony", "TestPrograms"]),
    tests("HarmonyInspectionTests", ["HarmonyInspection", "HarmonyTesting", "Harmony"]),
    // A keychain that tests start for themselves.
    .target(
      name: "KeychainBench", dependencies: ["HarmonyKeychain", "Harmony", "TestPrograms"],
      path: "Tests/KeychainBench", exclude: ["prompter.c"], swiftSettings: settings),
    tests(
      "HarmonyKeychainTests",
      ["HarmonyKeychain", "HarmonyTesting", "Harmony", "KeychainBench", "TestPrograms"]),
    // What tests and the fuzzer do with a Realm file.
    .target(
      name: "RealmExercise", dependencies: ["HarmonyRealm"], path: "Tests/RealmExercise",
      swiftSettings: settings),
    .executableTarget(
      name: "RealmWriter", dependencies: ["RealmExercise"], path: "Tests/RealmWriter",
      swiftSettings: settings),
    tests(
      "HarmonyRealmTests",
      [
        "HarmonyRealm", "RealmExercise", "RealmWriter", "HarmonyTesting", "Harmony", "TestPrograms",
      ],
      exclude: ["Fixtures", "Corpus"]),
    tests("TerminalUITests", ["TerminalUI"]),
    tests(
      "TerminalNcursesTests", ["HarmonyTesting", "TerminalNcurses", "TerminalUI", "TestPrograms"]),
    // What tests and the fuzzer do with a document.
    .target(
      name: "DocumentExercise", dependencies: ["LarderCore"], path: "Tests/DocumentExercise",
      swiftSettings: settings),
    tests(
      "LarderCoreTests",
      ["LarderCore", "DocumentExercise", "HarmonyTesting", "Harmony", "TestPrograms"],
      exclude: ["Documents/Corpus"]),
    // What tests and the fuzzer say to both ends of the inspection protocol.
    .target(
      name: "InspectionExercise",
      dependencies: ["LarderStores", "LarderCore", "HarmonyInspection", "Harmony"],
      path: "Tests/InspectionExercise", swiftSettings: settings),
    // A kind of store in one file, with which all is tested that larder does with any store.
    .target(
      name: "TestKinds", dependencies: ["LarderStores", "LarderCore", "Harmony"],
      path: "Tests/TestKinds", swiftSettings: settings),
    tests(
      "LarderStoresTests",
      [
        "LarderStores", "LarderJournal", "LarderCore", "LarderFiles", "HarmonyInspection",
        "HarmonyRealm", "HarmonySQLite", "HarmonyTesting", "Harmony", "DocumentWriter",
        "InspectionExercise", "RealmExercise", "KeychainBench", "TestKinds", "TestPrograms",
      ], exclude: ["Live/Corpus"]),
    tests(
      "LarderUITests",
      [
        "LarderUI", "LarderStores", "LarderJournal", "LarderCore", "TerminalUI",
        "HarmonyInspection", "HarmonySQLite", "HarmonyTesting", "Harmony", "TestKinds",
      ],
      exclude: ["Snapshots"]),
    // A program that shows its own sources.
    .executableTarget(
      name: "EmbeddedBrowser", dependencies: ["LarderKit", "Harmony"],
      path: "Tests/EmbeddedBrowser", swiftSettings: settings),
    tests("LarderTests", ["larder", "EmbeddedBrowser", "KeychainBench"]),

    // Clients with the compiler's own settings: what others write has to compile unchanged.
    .testTarget(
      name: "HarmonySpecificationTests", dependencies: ["Harmony"],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // Swift 5 warns of classes that Swift 6 would refuse, which is what such a client is made of.
    .testTarget(
      name: "HarmonySwift5Tests", dependencies: ["Harmony"],
      swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])]),
  ],
  swiftLanguageModes: [.v6]
)

// The library and what it is tested with: the thread sanitizer need not build the rest.
if Context.environment["LARDER_LIBRARY"] != nil {
  let names: Set = [
    "CDigest", "CPreferences", "CSQLite", "CZlib", "Harmony", "HarmonyInspection", "HarmonyRealm",
    "HarmonySQLite", "HarmonyTesting", "LarderCore",
    "StoreWriter", "TestPrograms", "DocumentExercise", "RealmExercise", "RealmWriter",
    "HarmonyTests",
    "HarmonyInspectionTests", "HarmonyRealmTests", "HarmonySQLiteTests", "LarderCoreTests",
  ]
  package.targets.removeAll { !names.contains($0.name) }
  // Of the view models, which do their work on one thread, what works beside them.
  package.targets.first { $0.name == "LarderCoreTests" }?.sources = [
    "Drafts", "Effects", "State/WorkTests.swift", "Support", "Watching",
  ]
  // What GLib does on its threads is not seen by the sanitizer, which would take it for races.
  package.products.removeAll { ["larder", "LarderKit", "HarmonyKeychain"].contains($0.name) }
}

// For `.ci/fuzz`: only with its sanitizer can this be linked.
if Context.environment["LARDER_FUZZER"] != nil {
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tests/CFuzzer"),
    .executableTarget(
      name: "DocumentFuzzer", dependencies: ["DocumentExercise", "RealmExercise", "CFuzzer"],
      path: "Tests/DocumentFuzzer", swiftSettings: settings),
    .executableTarget(
      name: "InspectionFuzzer", dependencies: ["InspectionExercise", "CFuzzer"],
      path: "Tests/InspectionFuzzer", swiftSettings: settings),
  ]
}
