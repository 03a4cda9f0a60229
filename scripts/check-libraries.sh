#!/usr/bin/env bash
# Checks that other packages can use the libraries: check-libraries.sh
#
# Compares the numbers of packages in docs/libraries.md and README.md with those that SwiftPM resolves for these traits. Then builds and runs the
# packages in Tests/Consumers, each of which uses one part of the libraries and no trait. Compiles the code of all articles with the products and traits
# that they name (article-packages.sh). Finally runs the plugin.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
checkout=$PWD
# All packages share a build folder, so their dependencies are compiled once.
scratch=$checkout/.build/consumers
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
failures=0

fail() {
    echo "error: $*" >&2
    failures=$((failures + 1))
}

# Runs a command and prints its output only if it fails.
quietly() {
    "$@" >"$temporary/log" 2>&1 || {
        cat "$temporary/log" >&2
        return 1
    }
}

# Prints the names of the packages in a Package.resolved, on one line.
pins() { sed -nE 's/^ *"identity" : "(.*)",$/\1/p' "$1" | tr '\n' ' '; }

consumer=$temporary/consumer
# create_consumer PRODUCT TRAITS: Creates a package that uses the product. TRAITS are as in a manifest, or empty for the default traits.
create_consumer() {
    rm -rf "$consumer"
    mkdir -p "$consumer/Sources/consumer"
    touch "$consumer/Sources/consumer/empty.swift"
    cat >"$consumer/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "duet", path: "$checkout"${2:+, traits: $2})],
    targets: [.target(name: "consumer", dependencies: [.product(name: "$1", package: "duet")])]
)
MANIFEST
}

# check_packages PRODUCT TRAITS NUMBER: Checks the number of packages that SwiftPM resolves for a package that uses the product.
check_packages() {
    local resolved
    create_consumer "$1" "$2"
    if ! quietly swift package --package-path "$consumer" --scratch-path "$scratch-resolved" resolve; then
        fail "SwiftPM does not resolve a package that uses $1 with the traits ${2:-of the default}."
        return
    fi
    read -ra resolved <<<"$(pins "$consumer/Package.resolved")"
    if ((${#resolved[@]} == $3)); then
        echo "traits ${2:-of the default}: ${#resolved[@]} packages"
    else
        fail "docs/libraries.md says that $1 with the traits ${2:-of the default} needs $3 packages; SwiftPM resolves" \
            "${#resolved[@]}: ${resolved[*]}. Give a new dependency in Package.swift the condition of a trait, or correct docs/libraries.md" \
            "(\"Add a library to a package\")."
    fi
}

# check_consumer FOLDER PROGRAM OUTPUT: Builds the package in Tests/Consumers/FOLDER, and checks the output of its program.
check_consumer() {
    local output started=$SECONDS
    if ! quietly swift build --package-path "Tests/Consumers/$1" --scratch-path "$scratch" --jobs "${JOBS:-2}"; then
        fail "Tests/Consumers/$1 does not build. A library has a dependency without a trait's condition, or its interface has changed:" \
            "if so, change the package, too."
        return
    fi
    output=$("$scratch/debug/$2" 2>&1) || true
    if [[ $output == "$3" ]]; then
        echo "Tests/Consumers/$1 built and run in $((SECONDS - started)) s"
    else
        fail "Tests/Consumers/$1 prints: $output"$'\n'"expected: $3"
    fi
}

# Compiles the code of the articles. A build folder has one set of traits, so that its modules are not compiled again.
check_articles() {
    local package name folder started
    while read -r package; do
        name=$(basename "$package") started=$SECONDS folder=$scratch
        [[ $name == articles-plain* ]] || folder+=${name#articles}
        if quietly swift build --build-tests --package-path "$package" --scratch-path "$folder" --jobs "${JOBS:-2}"; then
            echo "the code of the articles in $name: compiled in $((SECONDS - started)) s"
        else
            fail "The code of an article does not compile with the products, traits and imports that the article names ($name)."
        fi
    done < <(scripts/article-packages.sh "$temporary/articles")
}

# Runs the plugin in a package that uses DuetClient.
check_plugin() {
    create_consumer DuetClient '["Client"]'
    echo 'type Query { greeting: String! }' >"$consumer/schema.graphql"
    echo 'query Greeting { greeting }' >"$consumer/greeting.graphql"
    if ! quietly env -u DUET_WITHOUT_PLUGIN swift package --package-path "$consumer" --scratch-path "$scratch-plugin" --jobs "${JOBS:-2}" \
        --allow-writing-to-package-directory generate-duet-client --schema schema.graphql greeting.graphql --output API.swift; then
        fail 'The plugin does not run. Correct Plugins/GenerateDuetClient, or its entry at the end of Package.swift.'
    elif ! grep -q 'struct GreetingQuery' "$consumer/API.swift"; then
        fail 'The plugin does not write the Swift type of an operation.'
    else
        echo 'the plugin generate-duet-client: a Swift type'
    fi
}

# The rows of the table: the product, its traits, the number of packages. Products with the same traits need the same packages.
rows=$(sed -nE 's/^\| `(Duet[A-Za-z]+)` \|.*\| `(\[.*\])` \| ([0-9]+) \|$/\1;\2;\3/p' docs/libraries.md)
for product in DuetGraphQL DuetJSON DuetResultSetJSON DuetSQLDatabase DuetPersistedQueries DuetClient; do
    grep -q "^$product;" <<<"$rows" || fail "The table of products in docs/libraries.md has no row for $product."
done
while IFS=';' read -r product traits number; do
    check_packages "$product" "$traits" "$number"
done < <(sort -t ';' -u -k 2,3 <<<"$rows")
# README.md names the number for the engine and for the adapter.
number=$(sed -nE 's/^\| use the GraphQL engine.* they need ([0-9]+) packages besides Duet \|$/\1/p' README.md)
for product in DuetGraphQL DuetResultSetJSON; do
    grep -qE "^$product;.*;${number:-none}$" <<<"$rows" ||
        fail "README.md (\"Next steps\") says that they need ${number:-an unknown number of} packages. docs/libraries.md has another number" \
            "for $product: correct README.md."
done
all=$(sed -nE 's/.* SwiftPM then fetches ([0-9]+) packages\..*/\1/p' docs/libraries.md)
check_packages DuetGraphQL '' "${all:-0}"

check_consumer Engine engine '{"data":{"greeting":"hello"}}'
check_consumer Adapter adapter \
    '[{"number":1,"name":"Development","employees":[{"name":"Ada"},{"name":"Grace"}]},{"number":2,"name":"Research","employees":[]}]'
if grep -q '"MariaDB"' Package.swift; then
    if ldd "$scratch/debug/adapter" | grep -q libmariadb; then
        fail 'The adapter links libmariadb without the trait MariaDB. Give CDuetMariaDB the condition of this trait in Package.swift.'
    fi
fi
check_consumer Neighbour neighbour $'1 array([DuetJSON.JSONValue.integer(1)]) other GraphQL other JSON\nown Comparison own Employees own TestSupport'
check_articles
check_plugin

if ((failures > 0)); then
    echo "$failures of the checks of the libraries failed." >&2
    exit 1
fi
echo 'The libraries are used as docs/libraries.md says.'
