// Selects the theme to apply when responses arrive out of order: the one that was requested last.
import type { Client } from 'agent-harness/client';

type Tokens = Readonly<Record<string, string>> | undefined;

export interface FollowedLook {
  /** Receives the tokens in the server's configuration, which may be older than the last change. */
  take(tokens: Tokens): void;
  /** Removes the theme permanently. */
  leave(): void;
}

export function followLook(client: Pick<Client, 'on' | 'call'>, wear: (tokens: Tokens) => void): FollowedLook {
  let asked = 0;

  function ask(): void {
    const own = ++asked;
    client.call('GET /api/persona/theme').then(
      ({ personaUiTheme }) => {
        if (own === asked) wear(personaUiTheme?.tokens);
      },
      () => undefined, // the next change triggers a reload
    );
  }

  const stop = client.on(({ kind }) => {
    if (kind === 'look_changed') ask();
  });
  return {
    take(tokens) {
      if (asked === 0) wear(tokens);
      else ask();
    },
    leave() {
      stop();
      asked++;
      wear(undefined);
    },
  };
}
