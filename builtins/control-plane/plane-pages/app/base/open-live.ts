// Keeps an event stream from the control plane open, and reconnects after a failure.
import { call } from './plane.ts';

export interface LiveParts {
  /** Returns the address of the stream; called for each connection, so that it can contain the last received cursor. */
  readonly address: () => string;
  readonly onMessage: (data: string) => void;
  readonly onState?: (state: 'live' | 'waiting') => void;
}

const reconnectMs = 2_000;

/** Returns a function that closes the stream. */
export function openLive({ address, onMessage, onState }: LiveParts): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  function open(): void {
    const opened = new EventSource(address());
    source = opened;
    opened.onopen = () => onState?.('live');
    opened.onmessage = ({ data }) => onMessage(String(data));
    opened.onerror = () => {
      onState?.('waiting');
      // The browser retries if there was no response, but not after a refusal.
      if (opened.readyState !== EventSource.CLOSED) return;
      // This call redirects a signed-out user to the sign-in page.
      void call('GET /api/account/me')
        .catch(() => undefined)
        .then(() => {
          if (!isOver) timer = setTimeout(open, reconnectMs);
        });
    };
  }

  open();
  return () => {
    isOver = true;
    clearTimeout(timer);
    source?.close();
  };
}
