// Creates the id that a page uses to claim the speech of a chat.
import type { Client } from 'agent-harness/client';
import { perObject } from '#page/kit/per-object.ts';

/** Returns a secret id of this page. Also works outside secure contexts, where browsers create no UUIDs. */
export const speakerIdOf = perObject('speaker id', (_client: Client): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
);
