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
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CXattr"),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),

    module("Harmony", ["CDigest"]),
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
    // What all that is above has in common: keys, values, entries, stores.
    module("LarderModel", ["Harmony"]),
    // Files of several values, of which a change leaves all else as it is.
    module("LarderDocuments", ["LarderModel", "Harmony"]),
    // What a value is shown as.
    module("LarderFormats", ["LarderDocuments", "LarderModel", "Harmony", "CZlib"]),
    // What the browser and the command line do with entries of any store.
    module("LarderOperations", ["LarderFormats", "LarderDocuments", "LarderModel", "Harmony"]),
    // The browser without a screen.
    module(
      "LarderBrowser",
      [
        "LarderOperations", "LarderFormats", "LarderDocuments", "LarderModel", "LarderFiles",
        "Harmony",
      ]),
    module(
      "LarderJournal",
      [
        "LarderFormats", "LarderDocuments", "LarderModel", "HarmonySQLite", "Harmony",
        "LarderFiles",
      ]),
    module(
      "LarderStores",
      [
        "LarderJournal", "LarderFormats", "LarderDocuments", "LarderModel", "LarderFiles",
        "Harmony",
        "HarmonyInspection", "HarmonyKeychain", "HarmonyRealm", "HarmonySQLite", "CXattr",
      ]),
    module(
      "LarderUI",
      [
        "LarderBrowser", "LarderOperations", "LarderFormats", "LarderModel", "TerminalUI",
        "Harmony",
      ]),
    module(
      "LarderKit",
      [
        "LarderUI", "LarderStores", "LarderBrowser", "TerminalNcurses", "TerminalUI",
        "HarmonyInspection", "Harmony",
      ]),

    .executableTarget(
      name: "larder",
      dependencies: [
        "LarderUI", "LarderStores", "LarderJournal", "LarderBrowser", "LarderOperations",
        "LarderFormats", "LarderDocuments", "LarderModel", "TerminalNcurses", "TerminalUI",
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
      dependencies: ["LarderStores", "LarderJournal", "LarderModel", "HarmonySQLite", "Harmony"],
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
    // Keys and values for tests to try.
    .target(
      name: "TestSamples", dependencies: ["LarderModel", "HarmonyTesting"],
      path: "Tests/TestSamples", swiftSettings: settings),
    tests(
      "LarderModelTests", ["LarderModel", "LarderFormats", "TestSamples"]),
    // What tests and the fuzzer do with a document.
    .target(
      name: "DocumentExercise", dependencies: ["LarderFormats", "LarderDocuments", "LarderModel"],
      path: "Tests/DocumentExercise", swiftSettings: settings),
    tests(
      "LarderDocumentsTests",
      ["LarderDocuments", "LarderModel", "DocumentExercise", "TestPrograms", "TestSamples"],
      exclude: ["Corpus"]),
    tests(
      "LarderFormatsTests",
      ["LarderFormats", "LarderModel", "Harmony", "TestSamples"]),
    tests(
      "LarderOperationsTests", ["LarderOperations", "LarderFormats", "LarderModel", "Harmony"]),
    tests(
      "LarderBrowserTests",
      [
        "LarderBrowser", "LarderOperations", "LarderFormats", "LarderDocuments", "LarderModel",
        "HarmonyTesting",
        "Harmony",
        "TestPrograms", "TestSamples",
      ]),
    // What tests and the fuzzer say to both ends of the inspection protocol.
    .target(
      name: "InspectionExercise",
      dependencies: ["LarderStores", "LarderModel", "HarmonyInspection", "Harmony"],
      path: "Tests/InspectionExercise", swiftSettings: settings),
    // A kind of store in one file, with which all is tested that larder does with any store.
    .target(
      name: "TestKinds",
      dependencies: ["LarderStores", "LarderModel", "Harmony"],
      path: "Tests/TestKinds", swiftSettings: settings),
    tests(
      "LarderStoresTests",
      [
        "LarderStores", "LarderJournal", "LarderBrowser", "LarderOperations", "LarderFormats",
        "LarderDocuments", "LarderModel", "LarderFiles", "HarmonyInspection",
        "HarmonyRealm", "HarmonySQLite", "HarmonyTesting", "Harmony", "DocumentWriter",
        "InspectionExercise", "RealmExercise", "KeychainBench", "TestKinds", "TestPrograms",
      ], exclude: ["Live/Corpus"]),
    tests(
      "LarderUITests",
      [
        "LarderUI", "LarderStores", "LarderJournal", "LarderBrowser", "LarderOperations",
        "LarderFormats", "LarderModel",
        "TerminalUI", "HarmonyInspection", "HarmonySQLite", "HarmonyTesting", "Harmony",
        "TestKinds",
      ],
      exclude: ["Snapshots"]),
    // A program that shows its own sources.
    .executableTarget(
      name: "EmbeddedBrowser", dependencies: ["LarderKit", "Harmony"],
      path: "Tests/EmbeddedBrowser", swiftSettings: settings),
    tests("LarderTests", ["larder", "EmbeddedBrowser", "KeychainBench", "LarderFiles"]),

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
    "CDigest", "CSQLite", "CZlib", "Harmony", "HarmonyInspection", "HarmonyRealm",
    "HarmonySQLite", "HarmonyTesting", "LarderBrowser", "LarderOperations", "LarderFormats",
    "LarderDocuments", "LarderModel", "LarderFiles", "TestSamples",
    "StoreWriter", "TestPrograms", "DocumentExercise", "RealmExercise", "RealmWriter",
    "HarmonyTests",
    "HarmonyInspectionTests", "HarmonyRealmTests", "HarmonySQLiteTests", "LarderBrowserTests",
  ]
  package.targets.removeAll { !names.contains($0.name) }
  // Of the view models, which do their work on one thread, what works beside them.
  package.targets.first { $0.name == "LarderBrowserTests" }?.sources = [
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
