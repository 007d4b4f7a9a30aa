// A stream of the control plane that stays: where it ended it is opened again, from where it was.
import { call } from './plane.ts';

export interface LiveParts {
  /** Asked each time it is opened. */
  readonly address: () => string;
  readonly onMessage: (data: string) => void;
  readonly onState?: (state: 'live' | 'waiting') => void;
}

const againMs = 2_000;

/** Answers how to end it. */
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
      // The browser tries again by itself where nobody answered; who was refused is not heard again.
      if (opened.readyState !== EventSource.CLOSED) return;
      // Whoever is not signed in any more is asked to sign in by this.
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
