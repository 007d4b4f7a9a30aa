// Applies the chosen theme and plugin overrides before the first rendering, to avoid a flash.
(() => {
  const { documentElement: root } = document;
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch {
    // the browser provides no storage
  }
  const brought = document.querySelector('meta[name="page-tokens"]');
  if (!brought) return;
  try {
    const tokens = Object.entries(JSON.parse(brought.content));
    for (const [name, value] of tokens) root.style.setProperty(`--${name}`, value);
    root.dataset.tokens = tokens.map(([name]) => name).join(' ');
  } catch {
    // no overrides
  }
})();
