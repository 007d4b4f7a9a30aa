// Requests a generated persona from the server, and shows the progress.
import type { Client } from './http-client.ts';
import type { Paint } from './paint.ts';

/** The displayed part of `GET /api/persona`. */
export interface PersonaReply {
  readonly label: string;
  readonly slices: readonly { readonly name: string; readonly text: string; readonly outside?: { readonly text: string } }[];
  readonly bootstrap: { readonly state: string; readonly error?: string; readonly notice?: string };
}

const stageTexts: Readonly<Record<string, string>> = { profile: 'Reading the sentence …', soul: 'Writing the persona …', apply: 'Activating the persona …' };

/** Resolves with the active persona after the run, which may have failed. Rejects with the server's error or when the signal is aborted. */
export async function makePersona(client: Client, input: string, paint: Paint, signal: AbortSignal, write: (text: string) => void): Promise<PersonaReply> {
  const seen = new Set<string>();
  let hasBegun = false;
  const over = new AbortController();
  try {
    for await (const event of client.stream('all', AbortSignal.any([signal, over.signal]))) {
      // Starts the run only after the stream has opened: the end of a quick run could otherwise be missed.
      if (!hasBegun) await client.call('POST', '/api/persona/bootstrap', { input });
      hasBegun = true;
      if (event.kind !== 'persona_progress') continue;
      const stage = String(event['stage']);
      const text = stageTexts[stage];
      if (text !== undefined && !seen.has(stage)) write(paint.dim(`${text}\n`));
      seen.add(stage);
      if (stage === 'done' || stage === 'failed') break;
    }
  } finally {
    over.abort();
  }
  signal.throwIfAborted();
  return client.call<PersonaReply>('GET', '/api/persona');
}
