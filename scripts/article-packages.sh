#!/usr/bin/env bash
# Writes packages that compile the code of the articles of all libraries: article-packages.sh FOLDER
#
# An article with code has a paragraph such as "Product: `DuetGraphQL`. Traits: none (`traits: []`). Import: `DuetGraphQL`." Each article has a target with
# the products that it names, in a package with the traits that it names. So the code compiles only if a newcomer can compile it. An article that adds other
# packages has a package of its own. The script prints the folder of each package.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
checkout=$PWD
output=$1
documentation=Tests/DuetClientTests/Documentation

# add_target PACKAGE NAME KIND PRODUCTS FILE...: Adds a target with copies of the files. A single file without @main becomes main.swift.
add_target() {
    local package=$output/$1 name=$2 kind=$3 products=$4
    shift 4
    mkdir -p "$package/Sources/$name"
    if (($# == 1)) && [[ $kind == executableTarget ]]; then
        cp "$1" "$package/Sources/$name/main.swift"
    else
        cp "$@" "$package/Sources/$name/"
    fi
    printf '        .%s(name: "%s", dependencies: [%s], path: "Sources/%s"),\n' "$kind" "$name" "$products" "$name" >>"$package/targets"
}

# add_article ARTICLE: Adds the targets of an article with code.
add_article() {
    local article=$1 name requirements traits package products others number=0 program
    name=$(basename "$article" .md)
    requirements=$(awk '/^Products?: / { found = 1 } found && /^$/ { exit } found { printf "%s ", $0 }' "$article")
    products=$(grep -oE '`Duet[A-Za-z]+`' <<<"${requirements%%Trait*}" | sed -E 's/`(.*)`/.product(name: "\1", package: "duet")/')
    traits=$(grep -oE 'traits: \[[^]]*\]' <<<"$requirements" | head -n 1)
    if [[ -z $products || -z $traits ]]; then
        echo "error: $article must name its products, traits and imports in a paragraph that begins with \"Product:\"." >&2
        exit 1
    fi
    package=$(tr -cd 'A-Za-z' <<<"${traits#traits}" | tr 'A-Z' 'a-z')
    package=articles-${package:-plain}
    others=$(grep -E '^ *\.package\(url: "https' "$article" || true)
    if [[ -n $others ]]; then
        package+=-$name
        products+=$'\n'$(grep -oE '^ *\.product\(name: "[^"]+", package: "[^"]+"\)' "$article" | grep -v 'package: "duet"')
        grep -oE '\.package\(url: "https[^)]*\)' <<<"$others" >"$temporary/$package"
    fi
    echo "$traits" >"$temporary/$package-traits"
    products=$(paste -s -d ',' <<<"$products" | sed 's/),/), /g')
    mapfile -t programs < <(grep -oE '(Snippets|Examples)/[A-Za-z/-]+\.swift' "$article" | sort -u)
    case $article in
    */DuetClient.docc/Articles/GettingStarted.md)
        # The code of this article alone is a program, except for the values that it describes in words.
        {
            grep -oE 'Imports?: .*' <<<"$requirements" | grep -oE '`[A-Za-z]+`' | sed -E 's/`(.*)`/import \1/'
            echo 'let url = URL(string: "http://127.0.0.1:8080/graphql")!'
            echo 'let caches = FileManager.default.temporaryDirectory'
            echo 'func show(_ text: String) { print(text) }'
            awk '/^```swift/ { code = 1; next } /^```/ { code = 0 } code' "$article"
        } >"$temporary/main.swift"
        add_target "$package" "$name" executableTarget "$products" "$temporary/main.swift"
        ;;
    */DuetClient.docc/Articles/ValidatingDocuments.md)
        add_target "$package" "$name" testTarget "$products" Tests/DuetClientValidationTests/ArticleCode.swift
        ;;
    */DuetClient.docc/Articles/*)
        # These articles continue the first one.
        local files=("$documentation/ArticleCode.swift" "$documentation/GettingStarted.swift" "$documentation/$name.swift")
        [[ $name != GeneratedTypes ]] || files+=(Tests/DuetClientTests/Generated/EmployeesAPI.swift Tests/DuetClientTests/Generated/EpochDate.swift)
        add_target "$package" "$name" "$(grep -q '^import Testing' "${files[@]}" && echo testTarget || echo target)" "$products" "${files[@]}"
        ;;
    *)
        for program in "${programs[@]}"; do
            number=$((number + 1))
            add_target "$package" "$name$number" executableTarget "$products" "$program"
        done
        ;;
    esac
}

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
for article in Sources/*/*.docc/Articles/*.md; do
    if grep -q '^```swift' "$article"; then add_article "$article"; fi
done
# The tutorial names the product, and needs the trait of its library.
add_target articles-client OfflineListTutorial executableTarget '.product(name: "DuetClient", package: "duet")' Examples/offline-list/*.swift

for package in "$output"/articles-*; do
    name=$(basename "$package")
    {
        echo '// swift-tools-version: 6.2'
        echo 'import PackageDescription'
        echo
        echo 'let package = Package('
        echo "    name: \"$name\","
        echo '    platforms: [.macOS(.v15)],'
        echo '    dependencies: ['
        echo "        .package(name: \"duet\", path: \"$checkout\", $(<"$temporary/$name-traits")),"
        [[ ! -e $temporary/$name ]] || sed 's/^ */        /; s/$/,/' "$temporary/$name"
        echo '    ],'
        echo '    targets: ['
        cat "$package/targets"
        echo '    ]'
        echo ')'
    } >"$package/Package.swift"
    rm "$package/targets"
    echo "$package"
done
