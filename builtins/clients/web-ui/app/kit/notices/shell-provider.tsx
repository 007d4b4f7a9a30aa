// Provides shared services to all components of the page: notices, dialogs, and the theme.
import { messageOf } from '#lib/errors';
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { readRoute, useRoute } from '../hooks.ts';
import { Notices, placeOf, type Notice } from './notices.tsx';
import { DialogContext, ShellContext, type DialogName, type Shell, type Tone } from '../shell-context.ts';
import { applyTheme, keepTheme, readTheme } from '../theme.ts';

/** Maximum number of notices; more would cover the page. */
const noticesShown = 4;

export function ShellProvider({ brand, children }: { readonly brand: string; readonly children: ReactNode }) {
  const [theme, chooseTheme] = useState(() => readTheme(localStorage));
  const [dialog, setDialog] = useState<{ readonly name: DialogName; readonly place: string }>();
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  useEffect(() => applyTheme(theme), [theme]);
  const place = placeOf(useRoute());

  const dismiss = useCallback((id: number) => setNotices((all) => all.filter((notice) => notice.id !== id)), []);
  const tell = useCallback((text: string, tone: Tone = 'plain') => {
    setNotices((all) =>
      [
        ...all.filter((notice) => notice.text !== text),
        { id: Math.max(0, ...all.map(({ id }) => id)) + 1, text, tone, place: placeOf(readRoute(location.hash)) },
      ].slice(-noticesShown),
    );
  }, []);
  const attempt = useCallback(
    (work: () => Promise<unknown>) => {
      work().catch((fault: unknown) => tell(messageOf(fault), 'bad'));
    },
    [tell],
  );
  const shell = useMemo<Shell>(
    () => ({
      brand,
      theme,
      setTheme(name) {
        keepTheme(localStorage, name);
        chooseTheme(name);
      },
      openDialog: (name) => setDialog({ name, place: placeOf(readRoute(location.hash)) }),
      tell,
      attempt,
    }),
    [brand, theme, tell, attempt],
  );
  // A dialog belongs to the page on which it was opened; the Back button closes both.
  const name = dialog && isHere(dialog, place) ? dialog.name : undefined;
  const open = useMemo(() => ({ name, close: () => setDialog(undefined) }), [name]);
  return (
    <ShellContext value={shell}>
      <DialogContext value={open}>{children}</DialogContext>
      <Notices notices={notices.filter((notice) => isHere(notice, place))} onGone={dismiss} />
    </ShellContext>
  );
}

/** Returns whether a dialog was opened at this place. The start page of the chats counts as the chat to which it redirects. */
function isHere(shown: { readonly place: string }, place: string): boolean {
  return shown.place === place || (shown.place === 'chat/' && place.startsWith('chat/'));
}
