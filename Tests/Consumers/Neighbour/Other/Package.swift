// swift-tools-version: 6.2
import PackageDescription

/// A package whose modules have names that are common in packages for GraphQL and JSON.
let package = Package(
    name: "Other",
    products: [.library(name: "GraphQL", targets: ["GraphQL"]), .library(name: "JSON", targets: ["JSON"])],
    targets: [.target(name: "GraphQL"), .target(name: "JSON")]
)
