// Caches the shell of the page for an unreachable server. Never caches /api, nor the index, which contains the token.
const shell = 'shell-v1';
const filesKept = 150;
const kept = ['/offline.html', '/offline.css', '/offline.js', '/theme.js', '/icon.svg'];

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(shell)
      .then((cache) => cache.addAll(kept))
      .catch(() => undefined),
  ); // notifications work without the cache
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  const removeOthers = async () => {
    for (const name of await caches.keys()) if (name !== shell) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(removeOthers());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => caches.match('/offline.html')));
  // The names of assets change with their content.
  else if (url.pathname.startsWith('/assets/')) event.respondWith(fromShell(request));
  else if (kept.includes(url.pathname)) event.respondWith(fetch(request).catch(() => caches.match(request)));
});

async function fromShell(request) {
  const known = await caches.match(request).catch(() => undefined);
  if (known) return known;
  const reply = await fetch(request);
  if (reply.ok) await keep(request, reply.clone()).catch(() => undefined); // a full disk disables caching, but does not block the response
  return reply;
}

async function keep(request, reply) {
  const cache = await caches.open(shell);
  await cache.put(request, reply);
  await forgetOld(cache);
}

/** Removes files of earlier builds, oldest first. */
async function forgetOld(cache) {
  const files = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith('/assets/'));
  await Promise.all(files.slice(0, Math.max(0, files.length - filesKept)).map((file) => cache.delete(file)));
}

self.addEventListener('push', (event) => {
  const { title = 'Something happened', url = '/', ...rest } = event.data?.json() ?? {};
  event.waitUntil(self.registration.showNotification(title, { ...rest, icon: '/icon-192.png', data: { url } }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { url = '/' } = event.notification.data ?? {};
  const show = async () => {
    const [page] = await self.clients.matchAll({ type: 'window' });
    if (!page) return self.clients.openWindow(url);
    await page.navigate(url);
    return page.focus();
  };
  event.waitUntil(show());
});
