// swift-tools-version: 6.2
import PackageDescription

/// Builds the client and its tests without the server, which shortens a build with the thread sanitizer. The tests
/// start the program that the environment variable `DUET_PROGRAM` names.
let testSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // Traits of the main package.
    .define("Client"), .define("Crypto"),
]
let settings = testSettings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
    name: "duet-client-threads",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .target(name: "CMutexAnnotations", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .systemLibrary(name: "CDuetSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "DuetBoundedCache", swiftSettings: settings),
        .target(name: "DuetJSON", swiftSettings: settings),
        .target(
            name: "DuetHTTPSemantics", dependencies: [.product(name: "HTTPTypes", package: "swift-http-types")],
            swiftSettings: settings),
        .target(name: "DuetGraphQLLanguage", dependencies: ["DuetJSON"], swiftSettings: settings),
        .target(
            name: "DuetPersistedDocuments",
            dependencies: ["DuetBoundedCache", "DuetJSON", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings),
        .target(
            name: "DuetClient",
            dependencies: [
                "DuetBoundedCache", "CDuetSQLite", "DuetGraphQLLanguage", "DuetHTTPSemantics", "DuetJSON",
                "DuetPersistedDocuments",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HTTPTypesFoundation", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .target(
            name: "DuetClientPublishers",
            dependencies: ["DuetClient", .product(name: "OpenCombine", package: "OpenCombine")],
            swiftSettings: settings + [.swiftLanguageMode(.v5)]),
        .target(
            name: "DuetGraphQL",
            dependencies: [
                "DuetBoundedCache", "DuetGraphQLLanguage", "DuetJSON",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .target(
            name: "DuetClientValidation", dependencies: ["DuetClient", "DuetGraphQL", "DuetJSON"],
            swiftSettings: settings),
        .target(
            name: "ProcessTesting",
            dependencies: [
                "DuetJSON", .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Tests/ProcessTesting", swiftSettings: testSettings),
        .target(name: "SeededTesting", path: "Tests/SeededTesting", swiftSettings: testSettings),
        .testTarget(
            name: "DuetClientTests",
            dependencies: [
                "CMutexAnnotations", "DuetClient", "DuetJSON", "DuetPersistedDocuments", "ProcessTesting",
                "SeededTesting",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DuetClientValidationTests",
            dependencies: ["DuetClient", "DuetClientValidation", "DuetJSON", "ProcessTesting"],
            swiftSettings: testSettings),
        .testTarget(
            name: "DuetClientPublishersTests",
            dependencies: [
                "DuetClient", "DuetClientPublishers", "DuetJSON", "ProcessTesting",
                .product(name: "OpenCombine", package: "OpenCombine"),
            ],
            swiftSettings: testSettings + [.swiftLanguageMode(.v5)]),
    ]
)
