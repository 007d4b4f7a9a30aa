// Loads the code of hands-free conversation when one begins.
import type { Client } from 'agent-harness/client';
import { perObject } from '#page/kit/per-object.ts';
import { loadPart } from '#page/kit/lazy-part.ts';
import { handsFreeStateOf, type HandsFree } from './hands-free-state.ts';

export const handsFreeOf = perObject('loaded hands-free', async (client: Client): Promise<HandsFree> => {
  const { createHandsFree } = await loadPart(() => import('./hands-free.ts'));
  return createHandsFree(client, handsFreeStateOf(client));
});
