// Keeps an event stream of the control plane open, and reopens it after its last event.
import { call } from './plane.ts';

export interface LiveParts {
  /** Read each time it is opened. */
  readonly address: () => string;
  readonly onMessage: (data: string) => void;
  readonly onState?: (state: 'live' | 'waiting') => void;
}

const againMs = 2_000;

/** Returns a function that ends it. */
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
      // The browser retries by itself if there was no response; after a refusal it does not.
      if (opened.readyState !== EventSource.CLOSED) return;
      // A user who is no longer signed in is sent to the sign-in by this.
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
