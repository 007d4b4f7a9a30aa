// Reloads the page as soon as the server responds.
setInterval(() => {
  fetch('/api/config', { cache: 'no-store' }).then(
    () => location.reload(),
    () => undefined,
  );
}, 3000);
