// swift-tools-version: 6.2
import PackageDescription

/// A package with the module names that packages for GraphQL and JSON often have.
let package = Package(
    name: "Other",
    products: [.library(name: "GraphQL", targets: ["GraphQL"]), .library(name: "JSON", targets: ["JSON"])],
    targets: [.target(name: "GraphQL"), .target(name: "JSON")]
)
