// Blocks what a guest's press must not open on the host's machine, whatever script of the page requests it and whatever was pressed: while the press
// may still be the cause, no file chooser opens, and nothing is downloaded.
import { withLimit } from '#lib/async';
import type { CdpSession } from 'agent-harness/builtins/desktop/desktop-window';

export interface PressFence {
  /**
   * Raised from now on, until no press came for a while. `up`: it was already; `raised`: the page continued while it was raised; `failed`: the
   * browser does not support it, so nothing must be pressed.
   * @param onStopped something was about to open, and was blocked
   */
  raise(session: CdpSession, onStopped: () => void): Promise<'up' | 'raised' | 'failed'>;
}

/** A browser lets a script open a file chooser for five seconds after a press. In milliseconds. */
const lastsMs = 6_000;
const limitMs = 1_000;

interface Raised {
  readonly session: CdpSession;
  readonly works: Promise<boolean>;
  readonly stopped: () => void;
  lowering: NodeJS.Timeout | undefined;
}

/** What it changed in a session is reset when that session ends, or after a while. */
export function createPressFence(): PressFence {
  let current: Raised | undefined;
  let notify = (): void => undefined;

  function put(session: CdpSession): Raised {
    const stopped = (): void => notify();
    session.on('Page.fileChooserOpened', stopped);
    const asked = [
      session.send('Page.enable'),
      session.send('Page.setInterceptFileChooserDialog', { enabled: true }),
      session.send('Page.setDownloadBehavior', { behavior: 'deny' }),
    ];
    const works = withLimit(
      Promise.all(asked).then(
        () => true,
        () => false,
      ),
      limitMs,
      () => false,
    );
    return { session, works, stopped, lowering: undefined };
  }

  function lower(raised: Raised): void {
    const { session, stopped, lowering } = raised;
    clearTimeout(lowering);
    if (current === raised) current = undefined;
    session.off('Page.fileChooserOpened', stopped);
    for (const [method, params] of [
      ['Page.setInterceptFileChooserDialog', { enabled: false }],
      ['Page.setDownloadBehavior', { behavior: 'default' }],
    ] as const)
      session.send(method, params).catch(() => undefined); // the session has ended, and its changes with it
  }

  return {
    async raise(session, onStopped) {
      notify = onStopped;
      const known = current?.session === session ? current : undefined;
      if (current && !known) lower(current);
      const raised = (current = known ?? put(session));
      clearTimeout(raised.lowering);
      raised.lowering = setTimeout(() => lower(raised), lastsMs).unref();
      if (await raised.works) return known ? 'up' : 'raised';
      lower(raised);
      return 'failed';
    },
  };
}
