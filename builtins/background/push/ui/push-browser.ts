// Checks whether this browser supports push notifications, and manages its subscription.
import { t } from '#page/kit/t.ts';

/** Returns the reason why push is unavailable, as a sentence; `undefined` if it is available. */
export function whyNoPush(): string | undefined {
  if (!window.isSecureContext) return t('Browsers support push notifications only over https and on this machine. Pair this device over https to enable them.');
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) {
    return t('This browser does not support push notifications. On an iPhone or iPad, add the page to the home screen first.');
  }
  return Notification.permission === 'denied' ? t('Notifications of this page are blocked. Allow them in the browser’s settings for this page.') : undefined;
}

export async function currentSubscription(): Promise<PushSubscription | undefined> {
  const registration = await navigator.serviceWorker.ready;
  return (await registration.pushManager.getSubscription()) ?? undefined;
}

/**
 * Subscribes the browser; asks the user for permission if necessary. Rejects with an error whose message is a sentence for the user.
 * @param publicKey base64url
 */
export async function subscribe(publicKey: string): Promise<PushSubscription> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error(t('Notifications were not allowed.'));
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  // Replaces a subscription that belongs to another server or uses an earlier key.
  if (before && keyText(before.options.applicationServerKey) !== publicKey) await before.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

/** Returns the endpoint and keys of a subscription in the server's format. */
export function keysOf(subscription: PushSubscription): { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string } } {
  return { endpoint: subscription.endpoint, keys: { p256dh: keyText(subscription.getKey('p256dh')), auth: keyText(subscription.getKey('auth')) } };
}

function keyText(bytes: ArrayBuffer | null): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Returns a name such as `Firefox on Android` for the list of subscribed browsers. */
export function browserName(agent = navigator.userAgent): string {
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /Firefox\//.test(agent)
      ? 'Firefox'
      : /Chrome\//.test(agent)
        ? 'Chrome'
        : /Safari\//.test(agent)
          ? 'Safari'
          : t('Browser');
  const system = /Android/.test(agent)
    ? 'Android'
    : /iPhone|iPad/.test(agent)
      ? 'iOS'
      : /Windows/.test(agent)
        ? 'Windows'
        : /Mac OS/.test(agent)
          ? 'macOS'
          : /Linux/.test(agent)
            ? 'Linux'
            : undefined;
  return system === undefined ? browser : t('{browser} on {system}', { browser, system });
}
