#include "CDuetPages.h"
#include <stddef.h>

// Clang embeds the files with #embed (C23), in a hundredth of the time that the Swift compiler needs for arrays of bytes.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const CDuetPageFile files[] = {
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
    {"page.html", (const char[]){
#embed "../DuetPages/Resources/comparison/page.html" suffix(, 0) if_empty(0)
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
    {"verdict-view.js", (const char[]){
#embed "../DuetPages/Resources/comparison/verdict-view.js" suffix(, 0) if_empty(0)
     }},
    {"waterfall.js", (const char[]){
#embed "../DuetPages/Resources/comparison/waterfall.js" suffix(, 0) if_empty(0)
     }},
    {NULL, NULL},
};

const CDuetPageFile *CDuetPagesComparison(void) { return files; }
