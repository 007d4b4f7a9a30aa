// Keeps an event stream of the control plane open, and reopens it after its last event.
import { call } from './plane.ts';

export interface LiveParts {
  /** Returns the address; read on each opening. */
  readonly address: () => string;
  readonly onMessage: (data: string) => void;
  readonly onState?: (state: 'live' | 'waiting') => void;
}

const againMs = 2_000;

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
      // The browser retries if it got no response, but not after a refusal.
      if (opened.readyState !== EventSource.CLOSED) return;
      // This call redirects a signed-out user to the sign-in page.
      void call('GET /api/account/me')
        .catch(() => undefined)
        .then(() => {
          if (!isOver) timer = setTimeout(open, againMs);
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
