/**
 * Adds the behavior of a tab list to an element with roles (WAI-ARIA tabs pattern). The Tab key moves only to the
 * selected tab, and arrow keys move between the tabs.
 *
 * @param {function(Element)} shown a function that is called with each tab whose panel is shown, including the first
 *   tab
 * @returns {function(Element)} shows a tab's panel
 */
export function makeTabs(list, shown = () => {}) {
  const tabs = [...list.querySelectorAll('[role=tab]')];
  const choose = (chosen) => {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      document.getElementById(tab.getAttribute('aria-controls')).hidden = !isChosen;
    }
    shown(chosen);
  };
  list.addEventListener('click', (event) => {
    const tab = event.target.closest('[role=tab]');
    if (tab) choose(tab);
  });
  list.addEventListener('keydown', (event) => {
    const index = tabs.indexOf(document.activeElement);
    const target = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const tab = tabs.at(target % tabs.length);
    choose(tab);
    tab.focus();
  });
  choose(tabs[0]);
  return choose;
}
