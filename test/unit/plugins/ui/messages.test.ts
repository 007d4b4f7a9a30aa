// Tests translations from plugins: the reply for a language, and rejected contributions.
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as ui from '../../../../plugins/ui/index.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { loadTestKernel } from '../../../helpers/test-kernel.ts';

let harness: Harness;
const plural = { one: '{count} Ding', other: '{count} Dinge' };

beforeAll(async () => {
  const adds = (language: string, messages: object) => ({ register: (registry: any) => void registry.add('ui.messages', { language, messages }) });
  harness = await startHarness({
    builtins: ['model-demo'],
    modules: {
      first: adds('de', { Clock: 'Uhr', Day: 'Tag', constructor: 'Erbauer' }),
      second: adds('de', { Day: 'Tage', '{count} thing': plural }),
      third: adds('pt-BR', { Clock: 'Relógio' }),
    },
  });
});
afterAll(() => harness.close());

test('merges the translations of all plugins, with later ones taking precedence', async () => {
  expect((await harness.call('GET', '/api/ui/messages')).body).toEqual({ languages: ['de', 'pt-BR'], messages: {} });
  const { body } = await harness.call('GET', '/api/ui/messages?language=de');
  expect(body.messages).toEqual({ Clock: 'Uhr', Day: 'Tage', constructor: 'Erbauer', '{count} thing': plural });
  expect((await harness.call('GET', '/api/ui/messages?language=fr')).body.messages).toEqual({});
});

test.each([
  ['nothing', null, 'messages need a language'],
  ['an invalid language', { language: 'Deutsch!', messages: {} }, "not 'Deutsch!'"],
  ['English', { language: 'en', messages: {} }, "there are no messages for 'en'"],
  ['no messages', { language: 'de' }, 'are an object'],
  ['a number', { language: 'de', messages: { Day: 5 } }, "the message 'Day' of 'de' is neither"],
  ["a plural without 'other'", { language: 'de', messages: { Day: { one: 'Tag' } } }, "of which 'other' must be there"],
  ['an unknown plural form', { language: 'de', messages: { Day: { some: 'Tag', other: 'Tage' } } }, 'zero, one, two, few, many, other'],
])('rejects %s', async (_, item, sentence) => {
  const http = { manifest: { provides: ['http'] }, register: (registry: any) => void registry.provide('http', () => ({})) };
  const kernel = await loadTestKernel({ http, ui, bad: { register: (registry: any) => void registry.add('ui.messages', item) } });
  const reported = [kernel.reason('bad'), ...kernel.errors.map(({ message }) => message)].join('\n');
  await kernel.close();
  expect(reported).toContain(sentence);
});
