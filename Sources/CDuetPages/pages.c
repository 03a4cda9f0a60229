#include "CDuetPages.h"
#include <stddef.h>

// Clang embeds a file with #embed (C23). The Swift compiler takes much longer for arrays of bytes (docs/building.md).
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char comparison_html[] = {
#embed "../DuetPages/Resources/comparison/page.html" suffix(, 0) if_empty(0)
};

static const CDuetPageFile comparison_files[] = {
    {"answer-view.js", (const char[]){
#embed "../DuetPages/Resources/comparison/answer-view.js" suffix(, 0) if_empty(0)
     }},
    {"cost-table.js", (const char[]){
#embed "../DuetPages/Resources/comparison/cost-table.js" suffix(, 0) if_empty(0)
     }},
    {"costs.js", (const char[]){
#embed "../DuetPages/Resources/comparison/costs.js" suffix(, 0) if_empty(0)
     }},
    {"counted.js", (const char[]){
#embed "../DuetPages/Resources/comparison/counted.js" suffix(, 0) if_empty(0)
     }},
    {"difference.js", (const char[]){
#embed "../DuetPages/Resources/comparison/difference.js" suffix(, 0) if_empty(0)
     }},
    {"exchange.js", (const char[]){
#embed "../DuetPages/Resources/comparison/exchange.js" suffix(, 0) if_empty(0)
     }},
    {"graphql-operations.js", (const char[]){
#embed "../DuetPages/Resources/comparison/graphql-operations.js" suffix(, 0) if_empty(0)
     }},
    {"graphql-side.js", (const char[]){
#embed "../DuetPages/Resources/comparison/graphql-side.js" suffix(, 0) if_empty(0)
     }},
    {"header-fields.js", (const char[]){
#embed "../DuetPages/Resources/comparison/header-fields.js" suffix(, 0) if_empty(0)
     }},
    {"headline.js", (const char[]){
#embed "../DuetPages/Resources/comparison/headline.js" suffix(, 0) if_empty(0)
     }},
    {"keys.js", (const char[]){
#embed "../DuetPages/Resources/comparison/keys.js" suffix(, 0) if_empty(0)
     }},
    {"known-answers.js", (const char[]){
#embed "../DuetPages/Resources/comparison/known-answers.js" suffix(, 0) if_empty(0)
     }},
    {"loading.js", (const char[]){
#embed "../DuetPages/Resources/comparison/loading.js" suffix(, 0) if_empty(0)
     }},
    {"marks.js", (const char[]){
#embed "../DuetPages/Resources/comparison/marks.js" suffix(, 0) if_empty(0)
     }},
    {"medians.js", (const char[]){
#embed "../DuetPages/Resources/comparison/medians.js" suffix(, 0) if_empty(0)
     }},
    {"next-page.js", (const char[]){
#embed "../DuetPages/Resources/comparison/next-page.js" suffix(, 0) if_empty(0)
     }},
    {"page.css", (const char[]){
#embed "../DuetPages/Resources/comparison/page.css" suffix(, 0) if_empty(0)
     }},
    {"page.js", (const char[]){
#embed "../DuetPages/Resources/comparison/page.js" suffix(, 0) if_empty(0)
     }},
    {"put-back.js", (const char[]){
#embed "../DuetPages/Resources/comparison/put-back.js" suffix(, 0) if_empty(0)
     }},
    {"repetition.js", (const char[]){
#embed "../DuetPages/Resources/comparison/repetition.js" suffix(, 0) if_empty(0)
     }},
    {"request-lines.js", (const char[]){
#embed "../DuetPages/Resources/comparison/request-lines.js" suffix(, 0) if_empty(0)
     }},
    {"resource-timing.js", (const char[]){
#embed "../DuetPages/Resources/comparison/resource-timing.js" suffix(, 0) if_empty(0)
     }},
    {"response-shape.js", (const char[]){
#embed "../DuetPages/Resources/comparison/response-shape.js" suffix(, 0) if_empty(0)
     }},
    {"rest-side.js", (const char[]){
#embed "../DuetPages/Resources/comparison/rest-side.js" suffix(, 0) if_empty(0)
     }},
    {"result-view.js", (const char[]){
#embed "../DuetPages/Resources/comparison/result-view.js" suffix(, 0) if_empty(0)
     }},
    {"routes.css", (const char[]){
#embed "../DuetPages/Resources/comparison/routes.css" suffix(, 0) if_empty(0)
     }},
    {"screen-list.js", (const char[]){
#embed "../DuetPages/Resources/comparison/screen-list.js" suffix(, 0) if_empty(0)
     }},
    {"screen-pages.js", (const char[]){
#embed "../DuetPages/Resources/comparison/screen-pages.js" suffix(, 0) if_empty(0)
     }},
    {"screen-view.js", (const char[]){
#embed "../DuetPages/Resources/comparison/screen-view.js" suffix(, 0) if_empty(0)
     }},
    {"side-view.js", (const char[]){
#embed "../DuetPages/Resources/comparison/side-view.js" suffix(, 0) if_empty(0)
     }},
    {"sql.js", (const char[]){
#embed "../DuetPages/Resources/comparison/sql.js" suffix(, 0) if_empty(0)
     }},
    {"state.js", (const char[]){
#embed "../DuetPages/Resources/comparison/state.js" suffix(, 0) if_empty(0)
     }},
    {"statements-view.js", (const char[]){
#embed "../DuetPages/Resources/comparison/statements-view.js" suffix(, 0) if_empty(0)
     }},
    {"task-run.js", (const char[]){
#embed "../DuetPages/Resources/comparison/task-run.js" suffix(, 0) if_empty(0)
     }},
    {"tasks.js", (const char[]){
#embed "../DuetPages/Resources/comparison/tasks.js" suffix(, 0) if_empty(0)
     }},
    {"time-difference.js", (const char[]){
#embed "../DuetPages/Resources/comparison/time-difference.js" suffix(, 0) if_empty(0)
     }},
    {"verdict-view.js", (const char[]){
#embed "../DuetPages/Resources/comparison/verdict-view.js" suffix(, 0) if_empty(0)
     }},
    {"waterfall.js", (const char[]){
#embed "../DuetPages/Resources/comparison/waterfall.js" suffix(, 0) if_empty(0)
     }},
    {NULL, NULL},
};

CDuetPage CDuetComparisonPage(void) { return (CDuetPage){comparison_html, comparison_files}; }

static const char explorer_html[] = {
#embed "../DuetPages/Resources/explorer/index.html" suffix(, 0) if_empty(0)
};

static const CDuetPageFile explorer_files[] = {
    {"clipboard.js", (const char[]){
#embed "../DuetPages/Resources/explorer/clipboard.js" suffix(, 0) if_empty(0)
     }},
    {"completion-list.js", (const char[]){
#embed "../DuetPages/Resources/explorer/completion-list.js" suffix(, 0) if_empty(0)
     }},
    {"completion.js", (const char[]){
#embed "../DuetPages/Resources/explorer/completion.js" suffix(, 0) if_empty(0)
     }},
    {"curl.js", (const char[]){
#embed "../DuetPages/Resources/explorer/curl.js" suffix(, 0) if_empty(0)
     }},
    {"cursor.js", (const char[]){
#embed "../DuetPages/Resources/explorer/cursor.js" suffix(, 0) if_empty(0)
     }},
    {"docs.js", (const char[]){
#embed "../DuetPages/Resources/explorer/docs.js" suffix(, 0) if_empty(0)
     }},
    {"editor.js", (const char[]){
#embed "../DuetPages/Resources/explorer/editor.js" suffix(, 0) if_empty(0)
     }},
    {"element.js", (const char[]){
#embed "../DuetPages/Resources/explorer/element.js" suffix(, 0) if_empty(0)
     }},
    {"examples.js", (const char[]){
#embed "../DuetPages/Resources/explorer/examples.js" suffix(, 0) if_empty(0)
     }},
    {"explorer.css", (const char[]){
#embed "../DuetPages/Resources/explorer/explorer.css" suffix(, 0) if_empty(0)
     }},
    {"highlight.js", (const char[]){
#embed "../DuetPages/Resources/explorer/highlight.js" suffix(, 0) if_empty(0)
     }},
    {"history-view.js", (const char[]){
#embed "../DuetPages/Resources/explorer/history-view.js" suffix(, 0) if_empty(0)
     }},
    {"history.js", (const char[]){
#embed "../DuetPages/Resources/explorer/history.js" suffix(, 0) if_empty(0)
     }},
    {"incremental.js", (const char[]){
#embed "../DuetPages/Resources/explorer/incremental.js" suffix(, 0) if_empty(0)
     }},
    {"json.js", (const char[]){
#embed "../DuetPages/Resources/explorer/json.js" suffix(, 0) if_empty(0)
     }},
    {"link.js", (const char[]){
#embed "../DuetPages/Resources/explorer/link.js" suffix(, 0) if_empty(0)
     }},
    {"main.js", (const char[]){
#embed "../DuetPages/Resources/explorer/main.js" suffix(, 0) if_empty(0)
     }},
    {"multipart.js", (const char[]){
#embed "../DuetPages/Resources/explorer/multipart.js" suffix(, 0) if_empty(0)
     }},
    {"operation-picker.js", (const char[]){
#embed "../DuetPages/Resources/explorer/operation-picker.js" suffix(, 0) if_empty(0)
     }},
    {"parser.js", (const char[]){
#embed "../DuetPages/Resources/explorer/parser.js" suffix(, 0) if_empty(0)
     }},
    {"prettify.js", (const char[]){
#embed "../DuetPages/Resources/explorer/prettify.js" suffix(, 0) if_empty(0)
     }},
    {"problem-list.js", (const char[]){
#embed "../DuetPages/Resources/explorer/problem-list.js" suffix(, 0) if_empty(0)
     }},
    {"request.js", (const char[]){
#embed "../DuetPages/Resources/explorer/request.js" suffix(, 0) if_empty(0)
     }},
    {"response-view.js", (const char[]){
#embed "../DuetPages/Resources/explorer/response-view.js" suffix(, 0) if_empty(0)
     }},
    {"schema.js", (const char[]){
#embed "../DuetPages/Resources/explorer/schema.js" suffix(, 0) if_empty(0)
     }},
    {"syntax-tree.js", (const char[]){
#embed "../DuetPages/Resources/explorer/syntax-tree.js" suffix(, 0) if_empty(0)
     }},
    {"tabs.js", (const char[]){
#embed "../DuetPages/Resources/explorer/tabs.js" suffix(, 0) if_empty(0)
     }},
    {"timing.js", (const char[]){
#embed "../DuetPages/Resources/explorer/timing.js" suffix(, 0) if_empty(0)
     }},
    {"tokens.js", (const char[]){
#embed "../DuetPages/Resources/explorer/tokens.js" suffix(, 0) if_empty(0)
     }},
    {"typing.js", (const char[]){
#embed "../DuetPages/Resources/explorer/typing.js" suffix(, 0) if_empty(0)
     }},
    {"validation.js", (const char[]){
#embed "../DuetPages/Resources/explorer/validation.js" suffix(, 0) if_empty(0)
     }},
    {NULL, NULL},
};

CDuetPage CDuetExplorerPage(void) { return (CDuetPage){explorer_html, explorer_files}; }
