// Blocks file choosers and downloads on the host's machine after a press by a guest, until the press can no longer be their cause. Page scripts cannot bypass
// it.
import { withLimit } from '#lib/async';
import type { CdpSession } from 'agent-harness/builtins/desktop/desktop-window';

export interface PressFence {
  /**
   * Activates the block until no press has occurred for a while. `up`: it was already active; `raised`: it has just been activated, and the page may have
   * changed in the meantime; `failed`: the browser does not support it, so no press is allowed.
   * @param onStopped called when something was blocked
   */
  raise(session: CdpSession, onStopped: () => void): Promise<'up' | 'raised' | 'failed'>;
}

/** Time in milliseconds for which the block stays active; a browser lets a script open a file chooser for five seconds after a press. */
const lastsMs = 6_000;
const limitMs = 1_000;

interface Raised {
  readonly session: CdpSession;
  readonly works: Promise<boolean>;
  readonly stopped: () => void;
  lowering: NodeJS.Timeout | undefined;
}

/** Creates the block. Its changes in a session are reset after a while, or when the session ends. */
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
      session.send(method, params).catch(() => undefined); // the session has ended, and with it the changes
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
