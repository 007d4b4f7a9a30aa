// Provides HTTP helpers for tests of the persona.
import { expect } from 'vitest';
import { type Harness, openEventStream, type StreamEvent } from '../../../helpers/in-process.ts';

export const sentence = 'Dry and brief, named Kea, tells me when I am wrong.';

export const configOf = async (harness: Harness): Promise<any> => (await harness.call('GET', '/api/config')).body;
export const personaOf = async (harness: Harness): Promise<any> => (await harness.call('GET', '/api/persona')).body;
export const sliceOf = async (harness: Harness, name: string): Promise<any> => (await personaOf(harness)).slices.find((one: any) => one.name === name);

export async function make(harness: Harness, input = sentence): Promise<StreamEvent[]> {
  const stream = await openEventStream(harness, { chatId: 'all' });
  const reply = await harness.call('POST', '/api/persona/bootstrap', { input });
  expect([reply.status, reply.body]).toEqual([202, { ok: true }]);
  await stream.until(isEnd);
  stream.close();
  return stream.events.filter(({ kind }) => kind.startsWith('persona_'));
}

export const isEnd = ({ kind, stage }: StreamEvent): boolean => kind === 'persona_progress' && ['done', 'failed'].includes(stage);
