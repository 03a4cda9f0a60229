#include "CDuetPages.h"
#include <stddef.h>

// Clang embeds the files with #embed (C23), in a hundredth of the time that the Swift compiler needs for arrays of bytes.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const CDuetPageFile files[] = {
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
    {"index.html", (const char[]){
#embed "../DuetPages/Resources/explorer/index.html" suffix(, 0) if_empty(0)
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

const CDuetPageFile *CDuetPagesExplorer(void) { return files; }
