extension WebPage {
    /// The page that compares REST and GraphQL side by side with the same tasks. The page that lists the routes has the
    /// same address, so `routes.css`, the style sheet of that page, is one of the files. The server itself creates two
    /// more files: `tasks.json` with the tasks, and `keys.json` with the keys of the resources.
    package static let comparison = WebPage(
        folder: "comparison", address: "/", html: PackageResources.page_html,
        styles: ["page.css": PackageResources.page_css, "routes.css": PackageResources.routes_css],
        modules: [
            "answer-view.js": PackageResources.answer_view_js,
            "cost-table.js": PackageResources.cost_table_js,
            "costs.js": PackageResources.costs_js,
            "counted.js": PackageResources.counted_js,
            "difference.js": PackageResources.difference_js,
            "exchange.js": PackageResources.exchange_js,
            "graphql-operations.js": PackageResources.graphql_operations_js,
            "graphql-side.js": PackageResources.graphql_side_js,
            "header-fields.js": PackageResources.header_fields_js,
            "headline.js": PackageResources.headline_js,
            "keys.js": PackageResources.keys_js,
            "known-answers.js": PackageResources.known_answers_js,
            "loading.js": PackageResources.loading_js,
            "marks.js": PackageResources.marks_js,
            "medians.js": PackageResources.medians_js,
            "next-page.js": PackageResources.next_page_js,
            "page.js": PackageResources.page_js,
            "put-back.js": PackageResources.put_back_js,
            "repetition.js": PackageResources.repetition_js,
            "request-lines.js": PackageResources.request_lines_js,
            "resource-timing.js": PackageResources.resource_timing_js,
            "rest-side.js": PackageResources.rest_side_js,
            "result-view.js": PackageResources.result_view_js,
            "screen-list.js": PackageResources.screen_list_js,
            "screen-pages.js": PackageResources.screen_pages_js,
            "screen-view.js": PackageResources.screen_view_js,
            "side-view.js": PackageResources.side_view_js,
            "sql.js": PackageResources.sql_js,
            "state.js": PackageResources.state_js,
            "statements-view.js": PackageResources.statements_view_js,
            "task-run.js": PackageResources.task_run_js,
            "tasks.js": PackageResources.tasks_js,
            "verdict-view.js": PackageResources.verdict_view_js,
            "waterfall.js": PackageResources.waterfall_js,
        ])
}
