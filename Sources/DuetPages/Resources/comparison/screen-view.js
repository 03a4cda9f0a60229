import { byId } from '../explorer/element.js';
import { makeTabs } from '../explorer/tabs.js';
import { ScreenList } from './screen-list.js';
import { graphQLPages, restPages } from './screen-pages.js';

/**
 * A screen of an app as a task of the file declares it, which the page shows in both styles.
 *
 * @typedef {{
 *   title: string, sentence: string, rows: [string, string], rest: string[], graphql: string[],
 *   heading: string[], line: string|undefined, picture: string|undefined,
 * }} Screen `rows` is the word for one row and for several; `heading` and `line` are paths of values, and `picture` is a path with names of
 *   values in braces
 */

/**
 * Shows the tab of a screen beside that of the tasks.
 *
 * @param {Screen} screen
 * @param {function(Element)} shown as for `makeTabs`
 * @returns {function(Element)} shows a tab's panel
 */
export function makeScreen(screen, shown) {
  const views = byId('views');
  views.setAttribute('role', 'tablist');
  views.setAttribute('aria-label', 'A task or a screen');
  views.hidden = false;
  for (const view of ['task', 'screen']) {
    const panel = byId(`panel-${view}`);
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', `tab-${view}`);
  }
  byId('tab-screen').textContent = screen.title;
  byId('screen-sentence').textContent = screen.sentence;
  new ScreenList('rest', screen, restPages(screen));
  new ScreenList('graphql', screen, graphQLPages(screen));
  return makeTabs(views, shown);
}
