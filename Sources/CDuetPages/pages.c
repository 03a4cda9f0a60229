#include "CDuetPages.h"
#include <stddef.h>

// Clang embeds a file with #embed (C23). The Swift compiler takes much longer for arrays of bytes (docs/building.md).
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char comparison_html[] = {
#embed "../DuetComparison/Page/page.html" suffix(, 0) if_empty(0)
};

static const CDuetPageFile comparison_files[] = {
    {"answer-view.js", (const char[]){
#embed "../DuetComparison/Page/answer-view.js" suffix(, 0) if_empty(0)
     }},
    {"cost-table.js", (const char[]){
#embed "../DuetComparison/Page/cost-table.js" suffix(, 0) if_empty(0)
     }},
    {"costs.js", (const char[]){
#embed "../DuetComparison/Page/costs.js" suffix(, 0) if_empty(0)
     }},
    {"counted.js", (const char[]){
#embed "../DuetComparison/Page/counted.js" suffix(, 0) if_empty(0)
     }},
    {"difference.js", (const char[]){
#embed "../DuetComparison/Page/difference.js" suffix(, 0) if_empty(0)
     }},
    {"event-stream.js", (const char[]){
#embed "../DuetComparison/Page/event-stream.js" suffix(, 0) if_empty(0)
     }},
    {"exchange.js", (const char[]){
#embed "../DuetComparison/Page/exchange.js" suffix(, 0) if_empty(0)
     }},
    {"graphql-operations.js", (const char[]){
#embed "../DuetComparison/Page/graphql-operations.js" suffix(, 0) if_empty(0)
     }},
    {"graphql-side.js", (const char[]){
#embed "../DuetComparison/Page/graphql-side.js" suffix(, 0) if_empty(0)
     }},
    {"groups-view.js", (const char[]){
#embed "../DuetComparison/Page/groups-view.js" suffix(, 0) if_empty(0)
     }},
    {"groups.js", (const char[]){
#embed "../DuetComparison/Page/groups.js" suffix(, 0) if_empty(0)
     }},
    {"header-fields.js", (const char[]){
#embed "../DuetComparison/Page/header-fields.js" suffix(, 0) if_empty(0)
     }},
    {"headline.js", (const char[]){
#embed "../DuetComparison/Page/headline.js" suffix(, 0) if_empty(0)
     }},
    {"keys.js", (const char[]){
#embed "../DuetComparison/Page/keys.js" suffix(, 0) if_empty(0)
     }},
    {"known-answers.js", (const char[]){
#embed "../DuetComparison/Page/known-answers.js" suffix(, 0) if_empty(0)
     }},
    {"live-answer.js", (const char[]){
#embed "../DuetComparison/Page/live-answer.js" suffix(, 0) if_empty(0)
     }},
    {"live-operations.js", (const char[]){
#embed "../DuetComparison/Page/live-operations.js" suffix(, 0) if_empty(0)
     }},
    {"live-run.js", (const char[]){
#embed "../DuetComparison/Page/live-run.js" suffix(, 0) if_empty(0)
     }},
    {"loading.js", (const char[]){
#embed "../DuetComparison/Page/loading.js" suffix(, 0) if_empty(0)
     }},
    {"marks.js", (const char[]){
#embed "../DuetComparison/Page/marks.js" suffix(, 0) if_empty(0)
     }},
    {"medians.js", (const char[]){
#embed "../DuetComparison/Page/medians.js" suffix(, 0) if_empty(0)
     }},
    {"next-page.js", (const char[]){
#embed "../DuetComparison/Page/next-page.js" suffix(, 0) if_empty(0)
     }},
    {"page.css", (const char[]){
#embed "../DuetComparison/Page/page.css" suffix(, 0) if_empty(0)
     }},
    {"page.js", (const char[]){
#embed "../DuetComparison/Page/page.js" suffix(, 0) if_empty(0)
     }},
    {"put-back.js", (const char[]){
#embed "../DuetComparison/Page/put-back.js" suffix(, 0) if_empty(0)
     }},
    {"repetition.js", (const char[]){
#embed "../DuetComparison/Page/repetition.js" suffix(, 0) if_empty(0)
     }},
    {"request-lines.js", (const char[]){
#embed "../DuetComparison/Page/request-lines.js" suffix(, 0) if_empty(0)
     }},
    {"resource-timing.js", (const char[]){
#embed "../DuetComparison/Page/resource-timing.js" suffix(, 0) if_empty(0)
     }},
    {"response-shape.js", (const char[]){
#embed "../DuetComparison/Page/response-shape.js" suffix(, 0) if_empty(0)
     }},
    {"rest-side.js", (const char[]){
#embed "../DuetComparison/Page/rest-side.js" suffix(, 0) if_empty(0)
     }},
    {"result-view.js", (const char[]){
#embed "../DuetComparison/Page/result-view.js" suffix(, 0) if_empty(0)
     }},
    {"routes.css", (const char[]){
#embed "../DuetComparison/Page/routes.css" suffix(, 0) if_empty(0)
     }},
    {"screen-list.js", (const char[]){
#embed "../DuetComparison/Page/screen-list.js" suffix(, 0) if_empty(0)
     }},
    {"screen-pages.js", (const char[]){
#embed "../DuetComparison/Page/screen-pages.js" suffix(, 0) if_empty(0)
     }},
    {"screen-view.js", (const char[]){
#embed "../DuetComparison/Page/screen-view.js" suffix(, 0) if_empty(0)
     }},
    {"side-view.js", (const char[]){
#embed "../DuetComparison/Page/side-view.js" suffix(, 0) if_empty(0)
     }},
    {"sql.js", (const char[]){
#embed "../DuetComparison/Page/sql.js" suffix(, 0) if_empty(0)
     }},
    {"state.js", (const char[]){
#embed "../DuetComparison/Page/state.js" suffix(, 0) if_empty(0)
     }},
    {"statements-view.js", (const char[]){
#embed "../DuetComparison/Page/statements-view.js" suffix(, 0) if_empty(0)
     }},
    {"task-run.js", (const char[]){
#embed "../DuetComparison/Page/task-run.js" suffix(, 0) if_empty(0)
     }},
    {"tasks.js", (const char[]){
#embed "../DuetComparison/Page/tasks.js" suffix(, 0) if_empty(0)
     }},
    {"time-difference.js", (const char[]){
#embed "../DuetComparison/Page/time-difference.js" suffix(, 0) if_empty(0)
     }},
    {"undone.js", (const char[]){
#embed "../DuetComparison/Page/undone.js" suffix(, 0) if_empty(0)
     }},
    {"verdict-view.js", (const char[]){
#embed "../DuetComparison/Page/verdict-view.js" suffix(, 0) if_empty(0)
     }},
    {"waterfall.js", (const char[]){
#embed "../DuetComparison/Page/waterfall.js" suffix(, 0) if_empty(0)
     }},
    {"write-trial.js", (const char[]){
#embed "../DuetComparison/Page/write-trial.js" suffix(, 0) if_empty(0)
     }},
    {NULL, NULL},
};

CDuetPage CDuetComparisonPage(void) { return (CDuetPage){comparison_html, comparison_files}; }

static const char explorer_html[] = {
#embed "../DuetServer/Pages/Explorer/index.html" suffix(, 0) if_empty(0)
};

static const CDuetPageFile explorer_files[] = {
    {"access-token.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/access-token.js" suffix(, 0) if_empty(0)
     }},
    {"access-view.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/access-view.js" suffix(, 0) if_empty(0)
     }},
    {"clipboard.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/clipboard.js" suffix(, 0) if_empty(0)
     }},
    {"completion-list.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/completion-list.js" suffix(, 0) if_empty(0)
     }},
    {"completion.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/completion.js" suffix(, 0) if_empty(0)
     }},
    {"curl.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/curl.js" suffix(, 0) if_empty(0)
     }},
    {"cursor.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/cursor.js" suffix(, 0) if_empty(0)
     }},
    {"docs.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/docs.js" suffix(, 0) if_empty(0)
     }},
    {"editor.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/editor.js" suffix(, 0) if_empty(0)
     }},
    {"element.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/element.js" suffix(, 0) if_empty(0)
     }},
    {"examples.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/examples.js" suffix(, 0) if_empty(0)
     }},
    {"explorer.css", (const char[]){
#embed "../DuetServer/Pages/Explorer/explorer.css" suffix(, 0) if_empty(0)
     }},
    {"highlight.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/highlight.js" suffix(, 0) if_empty(0)
     }},
    {"history-view.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/history-view.js" suffix(, 0) if_empty(0)
     }},
    {"history.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/history.js" suffix(, 0) if_empty(0)
     }},
    {"incremental.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/incremental.js" suffix(, 0) if_empty(0)
     }},
    {"json.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/json.js" suffix(, 0) if_empty(0)
     }},
    {"link.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/link.js" suffix(, 0) if_empty(0)
     }},
    {"main.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/main.js" suffix(, 0) if_empty(0)
     }},
    {"multipart.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/multipart.js" suffix(, 0) if_empty(0)
     }},
    {"operation-picker.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/operation-picker.js" suffix(, 0) if_empty(0)
     }},
    {"parser.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/parser.js" suffix(, 0) if_empty(0)
     }},
    {"prettify.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/prettify.js" suffix(, 0) if_empty(0)
     }},
    {"problem-list.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/problem-list.js" suffix(, 0) if_empty(0)
     }},
    {"request.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/request.js" suffix(, 0) if_empty(0)
     }},
    {"response-view.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/response-view.js" suffix(, 0) if_empty(0)
     }},
    {"schema.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/schema.js" suffix(, 0) if_empty(0)
     }},
    {"syntax-tree.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/syntax-tree.js" suffix(, 0) if_empty(0)
     }},
    {"tabs.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/tabs.js" suffix(, 0) if_empty(0)
     }},
    {"timing.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/timing.js" suffix(, 0) if_empty(0)
     }},
    {"tokens.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/tokens.js" suffix(, 0) if_empty(0)
     }},
    {"typing.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/typing.js" suffix(, 0) if_empty(0)
     }},
    {"validation.js", (const char[]){
#embed "../DuetServer/Pages/Explorer/validation.js" suffix(, 0) if_empty(0)
     }},
    {NULL, NULL},
};

CDuetPage CDuetExplorerPage(void) { return (CDuetPage){explorer_html, explorer_files}; }
