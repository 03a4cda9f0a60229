// swift-tools-version: 6.2
import PackageDescription

/// Uses the engine in another package, without the dependencies of the server and of the client.
let package = Package(
    name: "consumer-engine",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "duet", path: "../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "engine",
            dependencies: [.product(name: "DuetGraphQL", package: "duet")])
    ]
)
