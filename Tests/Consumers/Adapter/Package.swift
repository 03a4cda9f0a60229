// swift-tools-version: 6.2
import PackageDescription

/// A package that uses the adapter with SQLite, without the dependencies of the server and the client.
let package = Package(
    name: "consumer-adapter",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "duet", path: "../../..", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "adapter",
            dependencies: [
                .product(name: "DuetResultSetJSON", package: "duet"),
                .product(name: "DuetSQLDatabase", package: "duet"),
            ])
    ]
)
