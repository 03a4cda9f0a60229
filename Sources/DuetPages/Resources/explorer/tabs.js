/**
 * Makes a tab list of what is marked up as one (WAI-ARIA tabs pattern): one stop of the Tab key, arrows between tabs.
 *
 * @param {function(Element)} shown told of each tab whose panel is shown, the first one too
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
