// Opens the page again as soon as the server answers.
setInterval(() => {
  fetch('/api/config', { cache: 'no-store' }).then(
    () => location.reload(),
    () => undefined,
  );
}, 3000);
