// Updates title and notifications of a hidden page for pending decisions and ended turns.
import { handle, type Client } from 'agent-harness/client';
import { useEffect, useSyncExternalStore } from 'react';
import { attentionTitle, noticeIn, type Notice, type Pending } from './attention.ts';
import { notify } from './notify.ts';
import { useEnded } from './use-ended.ts';

export function useAttention(client: Client, pending: Pending): void {
  const isHidden = useSyncExternalStore(subscribeToVisibility, () => document.hidden);
  const ended = useEnded(client, isHidden);
  useTitle(isHidden ? attentionTitle(pending, ended) : undefined);
  useNotices(client, isHidden);
  useBadge(pending.approvals.length + pending.questions.length);
}

/** Shows the number of pending decisions on the icon of the installed app, if supported. */
function useBadge(count: number): void {
  useEffect(() => {
    const set = count === 0 ? navigator.clearAppBadge?.() : navigator.setAppBadge?.(count);
    set?.catch(() => undefined);
  }, [count]);
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon) icon.href = count === 0 ? '/icon.svg' : '/icon-waiting.svg';
  }, [count]);
}

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** Replaces the page's title, and restores it afterwards. */
function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return;
    let own = document.title;
    const element = document.querySelector('title');
    const show = (): void => {
      if (document.title === title) return;
      // Another component changed the title in the meantime.
      own = document.title;
      document.title = title;
    };
    show();
    const observer = new MutationObserver(show);
    if (element) observer.observe(element, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      document.title = own;
    };
  }, [title]);
}

/** Shows notifications while the page is hidden, and closes them when it becomes visible. */
function useNotices(client: Client, isHidden: boolean): void {
  useEffect(() => {
    if (!isHidden) return;
    const shown = new Map<string, () => void>();
    const show = (notice: Notice): void => void shown.set(notice.tag, notify(notice));
    const leave = client.on((event) => {
      const notice = noticeIn(event, client.chats.get().chats);
      if (notice) show(notice);
      // Closes the notification of a decision that was made elsewhere.
      handle(event, { approval_decision: ({ approvalId }) => shown.get(approvalId)?.(), ask_user_answered: ({ askId }) => shown.get(askId)?.() });
    });
    return () => {
      leave();
      for (const close of shown.values()) close();
    };
  }, [client, isHidden]);
}
