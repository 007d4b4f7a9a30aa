// Puts the chosen theme, and what plugins make of its tokens, on the page before its first drawing, so that it does not flash.
(() => {
  const { documentElement: root } = document;
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch {
    // a browser that keeps nothing
  }
  const brought = document.querySelector('meta[name="page-tokens"]');
  if (!brought) return;
  try {
    const tokens = Object.entries(JSON.parse(brought.content));
    for (const [name, value] of tokens) root.style.setProperty(`--${name}`, value);
    root.dataset.tokens = tokens.map(([name]) => name).join(' ');
  } catch {
    // the page is plain
  }
})();
