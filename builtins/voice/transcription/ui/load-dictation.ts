// Loads the code of dictation on first use.
import type { Client } from 'agent-harness/client';
import { perObject } from '#page/kit/per-object.ts';
import { loadPart } from '#page/kit/lazy-part.ts';
import { dictationStateOf, type Dictation } from './dictation-state.ts';

export const dictationOf = perObject('loaded dictation', async (client: Client): Promise<Dictation> => {
  const { createDictation } = await loadPart(() => import('./dictation.ts'));
  return createDictation(client, dictationStateOf(client));
});
