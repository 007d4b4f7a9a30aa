// Shows a notification if permitted; uses the service worker where pages cannot show notifications themselves.
import type { Notice } from './attention.ts';
import { canNotify } from './notify-button.tsx';

/** Shows the notification. Returns the function that closes it. */
export function notify({ title, body, tag, chatId }: Notice): () => void {
  if (!canNotify() || Notification.permission !== 'granted') return () => undefined;
  const address = `#/chat/${encodeURIComponent(chatId)}`;
  try {
    const shown = new Notification(title, { body, tag });
    shown.onclick = () => {
      window.focus();
      location.hash = address;
      shown.close();
    };
    return () => shown.close();
  } catch {
    return notifyByWorker(title, { body, tag, data: { url: `/${address}` } });
  }
}

function notifyByWorker(title: string, options: NotificationOptions & { readonly tag: string }): () => void {
  const registration = navigator.serviceWorker?.getRegistration().catch(() => undefined);
  void registration?.then((found) => found?.showNotification(title, options)).catch(() => undefined);
  return () =>
    void registration
      ?.then((found) => found?.getNotifications({ tag: options.tag }))
      .then((shown) => shown?.forEach((one) => one.close()))
      .catch(() => undefined);
}
