// swift-tools-version: 6.2
import PackageDescription

/// True for `make build` and `make test`, which use the release configuration. Dependencies are optimized. The modules
/// of this package are not, except a few, and are compiled incrementally, as in the debug configuration
/// (docs/building.md).
let isTestBuild = Context.environment["DUET_TEST_BUILD"] != nil
let testable = ["-enable-testing", "-assert-config", "Debug"]
let unoptimized = ["-Onone", "-no-whole-module-optimization", "-incremental", "-enable-batch-mode"]

/// Upcoming features, in addition to Swift 6 mode, which is the default of the tools version. If the environment
/// variable `CI` is set, warnings are errors. Otherwise they are not, so that warnings of a newer compiler do not
/// prevent a build.
let language: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        // SwiftPM defines the name of each enabled trait for `#if`. These settings also define the names of the traits
        // that an enabled trait includes.
        .define("Client", .when(traits: ["All"])),
        .define("Crypto", .when(traits: ["All", "Client"])),
        .define("MariaDB", .when(traits: ["All"])),
    ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// A nonisolated async function runs on the executor of its caller, because a request calls many such functions, and
/// each change of the executor takes time. Tests do not use this feature.
let callerExecutor = SwiftSetting.enableUpcomingFeature("NonisolatedNonsendingByDefault")

/// The settings of tests.
let commonSettings = language + (isTestBuild ? [.unsafeFlags(testable + unoptimized)] : [])

/// The settings of all other targets.
let settings = commonSettings + [callerExecutor]

/// The settings of the modules in which unoptimized tests would spend most of their time. Of the modules of this
/// package, a build of the tests optimizes only these. They are compiled as whole modules: optimized files that are
/// compiled incrementally can refer to a specialization that another file no longer has.
let hotSettings = language + [callerExecutor] + (isTestBuild ? [.unsafeFlags(testable)] : [])

/// The packages of the server and of the client are dependencies only if a trait is enabled. A package that uses a
/// single library and no trait therefore does not fetch them. swift-nio, swift-collections and swift-http-types have no
/// condition, because libraries such as DuetGraphQL and DuetGraphQLHTTP use them.
///
/// No trait enables another one. SwiftPM passes the enabled traits to the compiler in random order. If several traits
/// were enabled, most builds would compile all targets again.
let server: TargetDependencyCondition? = .when(traits: ["All"])
let client: TargetDependencyCondition? = .when(traits: ["All", "Client"])
let clientOnLinux: TargetDependencyCondition? = .when(platforms: [.linux], traits: ["All", "Client"])
let crypto: TargetDependencyCondition? = .when(traits: ["All", "Client", "Crypto"])
let mariaDB: TargetDependencyCondition? = .when(traits: ["All", "MariaDB"])
let tracing: TargetDependencyCondition? = .when(traits: ["All", "Tracing"])

let package = Package(
    name: "duet",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .executable(name: "duet", targets: ["duet"]),
        .library(name: "DuetClient", targets: ["DuetClient"]),
        .library(name: "DuetClientPublishers", targets: ["DuetClientPublishers"]),
        .library(name: "DuetClientValidation", targets: ["DuetClientValidation"]),
        .library(name: "DuetGraphQL", targets: ["DuetGraphQL"]),
        .library(name: "DuetGraphQLHTTP", targets: ["DuetGraphQLHTTP"]),
        .library(name: "DuetGraphQLLanguage", targets: ["DuetGraphQLLanguage"]),
        .library(name: "DuetJSON", targets: ["DuetJSON"]),
        .library(name: "DuetPersistedDocuments", targets: ["DuetPersistedDocuments"]),
        .library(name: "DuetPersistedQueries", targets: ["DuetPersistedQueries"]),
        .library(name: "DuetResourceService", targets: ["DuetResourceService"]),
        .library(name: "DuetSQLDatabase", targets: ["DuetSQLDatabase"]),
        .library(name: "DuetResultSetJSON", targets: ["DuetResultSetJSON"]),
        .library(name: "DuetTokens", targets: ["DuetTokens"]),
    ],
    traits: [
        .trait(
            name: "All", description: "The program duet with its server, and everything that the other traits enable."),
        .trait(name: "Client", description: "DuetClient, DuetClientPublishers and DuetClientValidation."),
        .trait(
            name: "Crypto",
            description: "DuetPersistedDocuments, DuetPersistedQueries, DuetResourceService and DuetTokens."),
        .trait(name: "MariaDB", description: "MariaDB beside SQLite. Without it, libmariadb is not linked."),
        .trait(name: "Tracing", description: "Spans of the statements of DuetSQLDatabase."),
        .default(enabledTraits: ["All"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(name: "CDuetSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CDuetMariaDB", pkgConfig: "libmariadb", providers: [.apt(["libmariadb-dev"])]),
        .systemLibrary(name: "CDuetZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "DuetJSON", swiftSettings: hotSettings),
        .target(name: "DuetBoundedCache", swiftSettings: settings),
        .target(
            name: "DuetHTTPSemantics", dependencies: [.product(name: "HTTPTypes", package: "swift-http-types")],
            swiftSettings: settings),
        .target(
            name: "DuetHTTPServer",
            dependencies: [
                "CDuetZlib", "DuetHTTPSemantics",
                .product(name: "Crypto", package: "swift-crypto", condition: crypto),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2", condition: server),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: server),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: server),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras", condition: server),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
                .product(name: "NIOTLS", package: "swift-nio", condition: server),
            ],
            swiftSettings: settings),
        .target(name: "DuetGraphQLLanguage", dependencies: ["DuetJSON"], swiftSettings: hotSettings),
        .target(
            name: "DuetGraphQL",
            dependencies: [
                "DuetBoundedCache", "DuetGraphQLLanguage", "DuetJSON",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: hotSettings),
        .target(
            name: "DuetGraphQLHTTP",
            dependencies: [
                "DuetGraphQL", "DuetHTTPSemantics", "DuetJSON",
                .target(name: "DuetPersistedDocuments", condition: crypto),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .target(
            name: "DuetSQLDatabase",
            dependencies: [
                "DuetBoundedCache", "CDuetSQLite",
                .target(name: "CDuetMariaDB", condition: mariaDB),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: tracing),
            ],
            swiftSettings: hotSettings + [.define("Tracing", .when(traits: ["All"]))]),
        .target(
            name: "DuetResultSetJSON",
            dependencies: ["DuetJSON", "DuetSQLDatabase", .product(name: "NIOCore", package: "swift-nio")],
            swiftSettings: hotSettings),
        .target(
            name: "DuetPersistedDocuments",
            dependencies: [
                "DuetBoundedCache", "DuetJSON",
                .product(name: "Crypto", package: "swift-crypto", condition: crypto),
            ],
            swiftSettings: settings),
        .target(
            name: "DuetPersistedQueries",
            dependencies: ["DuetBoundedCache", "DuetJSON", "DuetPersistedDocuments", "DuetSQLDatabase"],
            resources: [.embedInCode("SQL")],
            swiftSettings: settings),
        .target(
            name: "DuetTokens",
            dependencies: [
                "DuetBoundedCache", "DuetJSON",
                .product(name: "Crypto", package: "swift-crypto", condition: crypto),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: crypto),
            ],
            swiftSettings: settings),
        .target(
            name: "DuetResourceService",
            dependencies: [
                "DuetBoundedCache", "DuetGraphQL", "DuetJSON", "DuetResultSetJSON", "DuetSQLDatabase",
                .product(name: "Crypto", package: "swift-crypto", condition: crypto),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: hotSettings),
        .target(
            name: "DuetAPIDescription",
            dependencies: [
                "DuetGraphQL", "DuetJSON", "DuetResourceService", "DuetResultSetJSON", "DuetSQLDatabase",
                .product(name: "Yams", package: "Yams", condition: server),
            ],
            swiftSettings: settings),
        .target(
            name: "DuetEmployees",
            dependencies: [
                "DuetAPIDescription", "DuetResourceService", "DuetResultSetJSON", "DuetSQLDatabase",
                .product(name: "Crypto", package: "swift-crypto", condition: crypto),
            ],
            resources: [.embedInCode("Schema/SQL"), .embedInCode("employees.yaml")],
            swiftSettings: settings),
        // C has #embed. Swift has only arrays of bytes (`embedInCode`), for which the compiler needs 0.1 ms a byte.
        .target(name: "CDuetPages"),
        .target(
            name: "DuetServer",
            dependencies: [
                "CDuetPages", "DuetBoundedCache", "DuetGraphQL", "DuetGraphQLHTTP", "DuetHTTPSemantics",
                "DuetHTTPServer", "DuetJSON", "DuetPersistedDocuments", "DuetPersistedQueries", "DuetResourceService",
                "DuetResultSetJSON", "DuetSQLDatabase", "DuetTokens",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: server),
                .product(name: "Crypto", package: "swift-crypto", condition: crypto),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: tracing),
                .product(name: "Yams", package: "Yams", condition: server),
            ],
            exclude: ["Pages/Explorer"], resources: [.embedInCode("Resources")],
            swiftSettings: settings),
        .target(
            name: "DuetComparison",
            dependencies: [
                "DuetGraphQL", "DuetHTTPSemantics", "DuetJSON", "DuetResourceService", "DuetResultSetJSON",
                "DuetSQLDatabase",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server),
                .product(name: "Histogram", package: "hdrhistogram-swift", condition: server),
                .product(name: "Crypto", package: "swift-crypto", condition: crypto),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras", condition: server),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            exclude: ["Page"], resources: [.embedInCode("Tasks/tasks.json")],
            swiftSettings: settings),
        .target(
            name: "DuetClient",
            dependencies: [
                "DuetBoundedCache", "CDuetSQLite", "DuetGraphQLLanguage", "DuetHTTPSemantics", "DuetJSON",
                "DuetPersistedDocuments",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: clientOnLinux),
                .product(name: "Crypto", package: "swift-crypto", condition: crypto),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: client),
                .product(name: "HTTPTypesFoundation", package: "swift-http-types", condition: client),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(platforms: [.linux])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(platforms: [.linux])),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras", condition: clientOnLinux),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(platforms: [.linux])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: clientOnLinux),
                .product(name: "NIOWebSocket", package: "swift-nio", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings),
        // This target uses Swift 5 mode, because the protocols of Combine and OpenCombine are not declared for the
        // concurrency checks of Swift 6.
        .target(
            name: "DuetClientPublishers",
            dependencies: [
                "DuetClient",
                .product(name: "OpenCombine", package: "OpenCombine", condition: clientOnLinux),
            ],
            swiftSettings: settings + [.swiftLanguageMode(.v5)]),
        .target(
            name: "DuetOperationGenerator",
            dependencies: [
                "DuetGraphQL", "DuetJSON", "DuetPersistedDocuments",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: client),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "duet-generate",
            dependencies: [
                "DuetOperationGenerator",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: client),
            ],
            swiftSettings: settings),
        .target(
            name: "DuetClientValidation", dependencies: ["DuetClient", "DuetGraphQL", "DuetJSON"],
            swiftSettings: settings),
        .executableTarget(
            name: "duet",
            dependencies: [
                "DuetAPIDescription", "DuetComparison", "DuetEmployees", "DuetGraphQL", "DuetHTTPSemantics",
                "DuetHTTPServer", "DuetJSON", "DuetOperationGenerator", "DuetPersistedDocuments",
                "DuetPersistedQueries", "DuetResourceService", "DuetResultSetJSON", "DuetServer", "DuetSQLDatabase",
                "DuetTokens",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: client),
                .product(name: "Configuration", package: "swift-configuration", condition: server),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: tracing),
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: server),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "duet-bench",
            dependencies: [
                "CDuetSQLite", "CDuetMariaDB", "DuetGraphQL", "DuetPersistedDocuments", "DuetSQLDatabase", "DuetTokens",
                "ProcessTesting", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: client),
                .product(name: "Crypto", package: "swift-crypto", condition: crypto),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: crypto),
                .product(name: "Hummingbird", package: "hummingbird", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Benchmarks/duet-bench", swiftSettings: settings),
        .executableTarget(
            name: "request-cost",
            dependencies: [
                "DuetEmployees", "DuetHTTPServer", "DuetResourceService", "DuetResultSetJSON", "DuetServer",
                "DuetSQLDatabase",
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: tracing),
            ],
            path: "Benchmarks/request-cost", swiftSettings: settings),
        .executableTarget(
            name: "operation-cost", dependencies: ["DuetGraphQL"],
            path: "Benchmarks/operation-cost", swiftSettings: settings),
        .executableTarget(
            name: "import-cost",
            dependencies: [
                "CDuetSQLite", "DuetAPIDescription", "DuetResourceService", "DuetResultSetJSON", "DuetSQLDatabase",
            ],
            path: "Benchmarks/import-cost", swiftSettings: settings),
        .executableTarget(
            name: "client-bench",
            dependencies: [
                "DuetClient", "DuetJSON", .product(name: "HTTPTypes", package: "swift-http-types", condition: client),
            ],
            path: "Benchmarks/client-bench", swiftSettings: settings),
        .executableTarget(
            name: "behind-hummingbird",
            dependencies: [
                "DuetGraphQL", "DuetGraphQLHTTP",
                .product(name: "Hummingbird", package: "hummingbird", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            path: "Examples/behind-hummingbird", swiftSettings: settings),
        .executableTarget(
            name: "employee-browser",
            dependencies: [
                "DuetClient", .product(name: "ArgumentParser", package: "swift-argument-parser", condition: client),
            ],
            path: "Examples/employee-browser", swiftSettings: settings),
        .executableTarget(
            name: "offline-list", dependencies: ["DuetClient"],
            path: "Examples/offline-list", swiftSettings: settings),
        .executableTarget(
            name: "same-screen",
            dependencies: [
                "DuetClient", .product(name: "HTTPTypes", package: "swift-http-types", condition: client),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Examples/same-screen", swiftSettings: settings),
        .executableTarget(
            name: "watcher", dependencies: ["DuetClient"],
            path: "Examples/watcher", swiftSettings: settings),
        .executableTarget(
            name: "websocket-echo",
            dependencies: [
                "DuetHTTPServer",
                .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/websocket-echo", swiftSettings: commonSettings),
        .target(name: "SeededTesting", path: "Tests/SeededTesting", swiftSettings: commonSettings),
        .target(
            name: "ProcessTesting",
            dependencies: [
                "DuetJSON", .product(name: "AsyncHTTPClient", package: "async-http-client", condition: client),
                .product(name: "Crypto", package: "swift-crypto", condition: crypto),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/ProcessTesting", swiftSettings: commonSettings),
        .target(
            name: "TestSupport", dependencies: ["DuetEmployees", "ProcessTesting", "DuetSQLDatabase"],
            path: "Tests/TestSupport", swiftSettings: commonSettings),
        .target(
            name: "ServerTestSupport",
            dependencies: [
                "DuetComparison", "DuetEmployees", "DuetResourceService", "DuetResultSetJSON", "DuetServer",
                "DuetSQLDatabase", "ProcessTesting", "TestSupport",
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
            ],
            path: "Tests/ServerTestSupport", swiftSettings: commonSettings),
        .testTarget(
            name: "DuetBoundedCacheTests", dependencies: ["DuetBoundedCache", "SeededTesting"],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetHTTPSemanticsTests",
            dependencies: ["DuetHTTPSemantics", .product(name: "HTTPTypes", package: "swift-http-types")],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetGraphQLHTTPTests",
            dependencies: [
                "DuetGraphQL", "DuetGraphQLHTTP", "DuetJSON", "DuetPersistedDocuments",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetHTTPServerTests",
            dependencies: [
                "CDuetZlib", "DuetHTTPSemantics", "DuetHTTPServer", "ProcessTesting",
                .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2", condition: server),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: server),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetJSONTests",
            dependencies: ["DuetJSON", "SeededTesting"],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetGraphQLLanguageTests",
            dependencies: ["DuetGraphQLLanguage", "SeededTesting"],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetGraphQLTests",
            dependencies: [
                "DuetGraphQL", "DuetGraphQLLanguage", "DuetJSON", "SeededTesting",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: commonSettings),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["DuetGraphQL", "DuetJSON", .product(name: "NIOCore", package: "swift-nio")],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetSQLDatabaseTests",
            dependencies: [
                "DuetSQLDatabase", "ProcessTesting", "SeededTesting", "TestSupport",
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: tracing),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: tracing),
            ],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetResultSetJSONTests",
            dependencies: [
                "DuetJSON", "DuetResultSetJSON", "DuetSQLDatabase", "ProcessTesting", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetPersistedDocumentsTests", dependencies: ["DuetJSON", "DuetPersistedDocuments"],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetPersistedQueriesTests",
            dependencies: [
                "DuetEmployees", "DuetResourceService", "DuetJSON", "DuetPersistedDocuments", "DuetPersistedQueries",
                "DuetSQLDatabase",
                "SeededTesting",
                "TestSupport",
            ],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetTokensTests",
            dependencies: [
                "DuetJSON", "DuetTokens",
                .product(name: "Crypto", package: "swift-crypto", condition: crypto),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: crypto),
            ],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetResourceServiceTests",
            dependencies: [
                "DuetGraphQL", "DuetJSON", "DuetResourceService", "DuetResultSetJSON", "DuetSQLDatabase",
                "SeededTesting",
                "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetAPIDescriptionTests",
            dependencies: [
                "DuetAPIDescription", "DuetGraphQL", "DuetJSON", "DuetResourceService", "DuetResultSetJSON",
                "DuetServer", "DuetSQLDatabase", "DuetTokens", "ProcessTesting", "SeededTesting", "ServerTestSupport",
                "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetEmployeesTests",
            dependencies: [
                "DuetAPIDescription", "DuetEmployees", "DuetJSON", "DuetResultSetJSON", "DuetSQLDatabase",
                "ProcessTesting",
                "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetServerTests",
            dependencies: [
                "CDuetZlib", "DuetComparison", "DuetEmployees", "DuetGraphQL", "DuetGraphQLHTTP", "DuetHTTPServer",
                "DuetJSON", "DuetPersistedDocuments", "DuetPersistedQueries", "DuetResourceService",
                "DuetResultSetJSON", "DuetServer", "DuetSQLDatabase", "DuetTokens", "ProcessTesting",
                "SeededTesting", "ServerTestSupport", "TestSupport",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: server),
                .product(name: "Crypto", package: "swift-crypto", condition: crypto),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: tracing),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: tracing),
                .product(name: "Yams", package: "Yams", condition: server),
            ],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetClientTests",
            dependencies: [
                "DuetClient", "DuetJSON", "DuetPersistedDocuments", "ProcessTesting", "SeededTesting", "duet",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: client),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: client),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: client),
            ],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetClientPublishersTests",
            dependencies: [
                "DuetClient", "DuetClientPublishers", "DuetJSON", "ProcessTesting", "duet",
                .product(name: "OpenCombine", package: "OpenCombine", condition: clientOnLinux),
            ],
            swiftSettings: commonSettings + [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "DuetOperationGeneratorTests",
            dependencies: [
                "DuetGraphQL", "DuetJSON", "DuetOperationGenerator", "DuetPersistedDocuments",
            ],
            exclude: ["Samples"], swiftSettings: commonSettings),
        .testTarget(
            name: "DuetClientValidationTests",
            dependencies: ["DuetClient", "DuetClientValidation", "DuetJSON", "ProcessTesting"],
            swiftSettings: commonSettings),
        .testTarget(
            name: "BrowserTests",
            dependencies: [
                "DuetComparison", "DuetServer", "DuetJSON", "ProcessTesting", "DuetSQLDatabase", "ServerTestSupport",
                "TestSupport", "duet",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DuetComparisonTests",
            dependencies: [
                "DuetComparison", "DuetResourceService", "DuetServer", "DuetJSON", "DuetSQLDatabase", "ProcessTesting",
                "ServerTestSupport", "TestSupport", "duet",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            exclude: ["Expectations"], swiftSettings: commonSettings),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "DuetJSON", "DuetPersistedDocuments", "ProcessTesting", "DuetResultSetJSON", "DuetSQLDatabase",
                "SeededTesting", "TestSupport",
                "behind-hummingbird", "duet", "employee-browser", "offline-list", "same-screen", "watcher",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: server),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
                .product(name: "Yams", package: "Yams", condition: server),
            ],
            swiftSettings: commonSettings),
    ]
)

// The plugin for `scripts/build-docs.sh`. The environment variable prevents users of the libraries from fetching the
// plugin. A trait would not be sufficient, because SwiftPM always fetches a package that no target uses.
if Context.environment["DUET_DOCUMENTATION"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// The plugin `generate-duet-client` and its product. SwiftPM compiles the dependencies of a plugin a second time in
// each build of all targets. The environment variable prevents this.
if Context.environment["DUET_WITHOUT_PLUGIN"] == nil {
    package.products.append(.plugin(name: "GenerateDuetClient", targets: ["GenerateDuetClient"]))
    package.targets.append(
        .plugin(
            name: "GenerateDuetClient",
            capability: .command(
                intent: .custom(
                    verb: "generate-duet-client", description: "Writes Swift types for GraphQL documents."),
                permissions: [.writeToPackageDirectory(reason: "The generated Swift file is part of the package.")]),
            dependencies: ["duet-generate"]))
}

// The test targets that have the tests of `make test FILTER=…`. Their build omits the other ones.
if let names = Context.environment["DUET_TEST_TARGETS"]?.split(separator: ",") {
    package.targets.removeAll { $0.type == .test && !names.contains($0.name[...]) }
}
