import { byId } from '../explorer/element.js';
import { makeTabs } from '../explorer/tabs.js';
import { ScreenList } from './screen-list.js';
import { graphQLPages, restPages } from './screen-pages.js';

/**
 * A list of rows that an app could show. A task declares the screen. The page shows the screen twice: with data from
 * REST and with data from GraphQL.
 *
 * @typedef {{
 *   title: string, sentence: string, rows: [string, string], rest: string[], graphql: string[],
 *   heading: string[], line: string|undefined, picture: string|undefined,
 * }} Screen `rows` contains the words for one row and for several rows. `heading` and `line` are paths of values in a
 * row, such as `titles.title`. `picture` is a URL path with names of values in braces
 */

/**
 * Shows the tab of a screen next to the tab of the tasks.
 *
 * @param {Screen} screen
 * @param {function(Element)} shown the argument of `makeTabs`
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
