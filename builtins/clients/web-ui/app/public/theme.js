// Puts the chosen theme on the page before its first drawing, so that it does not flash.
(() => {
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // a browser that keeps nothing
  }
})();
