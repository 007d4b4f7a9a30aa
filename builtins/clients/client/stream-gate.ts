// Delays work until the event stream is open, or until a time limit.

export interface StreamGate {
  /** Resolves when the stream is open, or after the time limit. */
  ready(): Promise<void>;
  /** Continues all waiting work. */
  open(): void;
}

/** A transcript loaded before the stream is open must be reloaded. */
const patienceMs = 1_000;

export function createStreamGate(isOpen: () => boolean): StreamGate {
  const waiting = new Set<() => void>();

  return {
    ready() {
      if (isOpen()) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(go, patienceMs);
        function go(): void {
          clearTimeout(timer);
          waiting.delete(go);
          resolve();
        }
        waiting.add(go);
      });
    },
    open() {
      for (const go of waiting) go();
    },
  };
}
