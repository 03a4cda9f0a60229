package import NIOCore

/// The files of the explorer, a page that GraphQL queries are written and run on. They are compiled in as they are: nothing
/// is bundled, nothing is loaded from elsewhere.
package struct ExplorerAssets: Sendable {
    package struct Asset: Sendable {
        package let mediaType: String
        package let body: ByteBuffer

        fileprivate init(_ mediaType: String, _ bytes: [UInt8]) {
            self.mediaType = mediaType
            body = ByteBuffer(bytes: bytes)
        }
    }

    /// The page itself.
    package let page: Asset
    /// What the page loads, by its name below `/explorer/`.
    package let files: [String: Asset]

    package init() {
        page = Asset("text/html; charset=utf-8", PackageResources.index_html)
        var files = Self.modules.mapValues { Asset("text/javascript; charset=utf-8", $0) }
        files["explorer.css"] = Asset("text/css; charset=utf-8", PackageResources.explorer_css)
        self.files = files
    }

    private static let modules: [String: [UInt8]] = [
        "clipboard.js": PackageResources.clipboard_js,
        "completion-list.js": PackageResources.completion_list_js,
        "completion.js": PackageResources.completion_js,
        "curl.js": PackageResources.curl_js,
        "cursor.js": PackageResources.cursor_js,
        "docs.js": PackageResources.docs_js,
        "editor.js": PackageResources.editor_js,
        "element.js": PackageResources.element_js,
        "examples.js": PackageResources.examples_js,
        "highlight.js": PackageResources.highlight_js,
        "history-view.js": PackageResources.history_view_js,
        "history.js": PackageResources.history_js,
        "incremental.js": PackageResources.incremental_js,
        "json.js": PackageResources.json_js,
        "link.js": PackageResources.link_js,
        "main.js": PackageResources.main_js,
        "multipart.js": PackageResources.multipart_js,
        "operation-picker.js": PackageResources.operation_picker_js,
        "parser.js": PackageResources.parser_js,
        "prettify.js": PackageResources.prettify_js,
        "problem-list.js": PackageResources.problem_list_js,
        "request.js": PackageResources.request_js,
        "response-view.js": PackageResources.response_view_js,
        "schema.js": PackageResources.schema_js,
        "syntax-tree.js": PackageResources.syntax_tree_js,
        "tabs.js": PackageResources.tabs_js,
        "timing.js": PackageResources.timing_js,
        "tokens.js": PackageResources.tokens_js,
        "typing.js": PackageResources.typing_js,
        "validation.js": PackageResources.validation_js,
    ]
}
