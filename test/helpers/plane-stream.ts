// A reader of server-sent events of a control plane: keeps every event, and waits for one.
import { createParser } from 'eventsource-parser';

export interface PlaneEvent {
  readonly id: string | undefined;
  readonly data: any;
}

export interface OpenPlaneStream {
  readonly events: PlaneEvent[];
  until(fits: (data: any) => boolean): Promise<PlaneEvent>;
  readonly ended: Promise<void>;
  close(): void;
}

/** Resolves once it is open; rejects with status and body where it is not. Whoever opens one closes it. */
export async function openPlaneStream(
  url: string,
  path: string,
  { cookie, token, lastEventId }: { readonly cookie?: string; readonly token?: string; readonly lastEventId?: string } = {},
): Promise<OpenPlaneStream> {
  const abort = new AbortController();
  const events: PlaneEvent[] = [];
  const waiting = new Set<{ fits: (data: any) => boolean; resolve: (event: PlaneEvent) => void; reject: (fault: Error) => void }>();
  const reply = await fetch(url + path, {
    headers: {
      ...(cookie === undefined ? {} : { cookie }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: abort.signal,
  });
  if (!reply.ok || !reply.body) throw new Error(`the stream answered ${reply.status}: ${await reply.text()}`);
  const parser = createParser({
    onEvent(message) {
      const event = { id: message.id, data: JSON.parse(message.data) as unknown };
      events.push(event);
      for (const one of waiting) {
        if (!one.fits(event.data)) continue;
        waiting.delete(one);
        one.resolve(event);
      }
    },
  });
  const { body } = reply;
  let isOver = false;
  const overFault = (): Error => new Error(`the stream ended; seen: ${JSON.stringify(events.slice(-5))}`);
  const ended = (async () => {
    const decoder = new TextDecoder();
    try {
      for await (const piece of body as unknown as AsyncIterable<Uint8Array>) parser.feed(decoder.decode(piece, { stream: true }));
    } catch {
      // closed by the test, or the node died: either way whoever still waits is told below
    }
    isOver = true;
    for (const one of waiting) one.reject(overFault());
    waiting.clear();
  })();
  return {
    events,
    until: (fits) =>
      new Promise((resolve, reject) => {
        const known = events.find(({ data }) => fits(data));
        if (known) resolve(known);
        else if (isOver) reject(overFault());
        else waiting.add({ fits, resolve, reject });
      }),
    ended,
    close: () => abort.abort(),
  };
}
