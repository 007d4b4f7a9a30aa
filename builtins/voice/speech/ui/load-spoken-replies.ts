// Loads the playback code on first use.
import type { Client } from 'agent-harness/client';
import { perObject } from '#page/kit/per-object.ts';
import { loadPart } from '#page/kit/lazy-part.ts';
import { speechStateOf, type SpokenReplies } from './speech-state.ts';

export const spokenRepliesOf = perObject('loaded speech', async (client: Client): Promise<SpokenReplies> => {
  const { createSpokenReplies } = await loadPart(() => import('./spoken-replies.ts'));
  return createSpokenReplies(client, speechStateOf(client));
});
