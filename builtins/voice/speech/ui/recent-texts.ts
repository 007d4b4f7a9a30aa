// Stores the recently played texts, so that their sound is not mistaken for the user's voice.

export interface RecentTexts {
  begin(text: string): void;
  /** Marks the end of the text that is playing. */
  end(): void;
  /** Returns the texts that played within the last `ms` milliseconds. */
  within(ms: number): string;
}

const keptMs = 30_000;

export function createRecentTexts(): RecentTexts {
  /** Times on this page's clock. */
  let texts: { readonly text: string; to: number }[] = [];

  function end(): void {
    for (const one of texts) one.to = Math.min(one.to, performance.now());
  }

  return {
    begin(text) {
      end();
      const now = performance.now();
      texts = [...texts.filter(({ to }) => now - to < keptMs), { text, to: Infinity }];
    },
    end,
    within(ms) {
      const since = performance.now() - ms;
      return texts
        .filter(({ to }) => to >= since)
        .map(({ text }) => text)
        .join(' ');
    },
  };
}
