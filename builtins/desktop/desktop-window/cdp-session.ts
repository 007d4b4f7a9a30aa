// Opens a separate debugging session with a page over the shared pipe.
import type { CdpSession } from 'agent-harness/builtins/desktop/desktop-window';
import type { CdpPipe } from './cdp-pipe.ts';

export async function openSession(pipe: CdpPipe, targetId: string): Promise<CdpSession> {
  const { sessionId } = (await pipe.send('Target.attachToTarget', { targetId, flatten: true })) as { sessionId: string };
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  const stop = pipe.listen((event) => {
    if (event.sessionId !== sessionId) return;
    for (const listener of [...(listeners.get(event.method) ?? [])]) listener(event.params);
  });
  return {
    send: (method, params) => pipe.send(method, params, sessionId),
    on(event, listener) {
      const known = listeners.get(event) ?? new Set();
      listeners.set(event, known.add(listener));
    },
    off: (event, listener) => void listeners.get(event)?.delete(listener),
    async detach() {
      stop();
      await pipe.send('Target.detachFromTarget', { sessionId }).catch(() => undefined); // the session ended with its page
    },
  };
}
