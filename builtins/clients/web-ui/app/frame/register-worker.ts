// Registers the service worker, which caches the offline page.
const ownNames = new Set(['localhost', '127.0.0.1', '[::1]']);

export function canKeepShell({ protocol, hostname }: Pick<Location, 'protocol' | 'hostname'>): boolean {
  return protocol === 'https:' || ownNames.has(hostname);
}

export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !canKeepShell(location)) return;
  const register = (): void => {
    navigator.serviceWorker.register('/sw.js').catch(() => undefined); // the page works without the service worker
  };
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
