// The look that a model chooses with a character: from the same lists, and as the rules have it wherever its answer cannot be taken.
import { expect, test } from 'vitest';
import { themeOf } from '../../../../builtins/persona/persona-theme/heuristic.ts';
import { type Harness, type ScriptedReply, type ScriptedRequest, startHarness, startScriptedModel, useEach } from '../../../helpers/in-process.ts';
import { make } from '../persona/persona-world.ts';

const sentence = 'A terse hacker in a terminal.';
const profile = {
  ...{ label: 'Terse', name: '', summary: 'Terse.', traits: [], verbosity: 'brief', humor: 'none' },
  ...{ formality: 'neutral', language: '', address: '' },
};
const byRules = themeOf(sentence, profile.summary);

let harness: Harness;
const model = useEach(() => startScriptedModel());

const isLook = ({ body }: ScriptedRequest): boolean => String(body.messages[0]?.content).startsWith('You choose the look of a program');
const looks = (): readonly ScriptedRequest[] => model.requests.filter(isLook);

async function lookOf(answers: readonly ScriptedReply[], environment: Record<string, string> = {}): Promise<unknown> {
  let asked = 0;
  model.play((request) => (isLook(request) ? (answers[asked++] ?? { text: '' }) : { text: JSON.stringify(profile) }));
  harness = await startHarness({
    builtins: ['persona', 'persona-theme', 'model-chat-completions'],
    environment: { ...model.environment, AGENT_PERSONA_SOUL_MODE: 'scaffold', AGENT_PERSONA_UI_THEME_LLM: '1', ...environment },
  });
  const events = await make(harness, sentence);
  expect(events.at(-1)).toMatchObject({ stage: 'done' });
  return (await harness.call('GET', '/api/config')).body.personaUiTheme.theme;
}

test('what it chooses from the lists comes into force, with three digits and capitals read as what they mean', async () => {
  const answer = { mood: 'Bold', shape: 'round', density: 'airy', font: 'serif', accent: '#F0A', ground: '#102030', css: 'body { display: none }' };
  expect(await lookOf([{ text: `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`` }])).toEqual({
    ...{ mood: 'bold', shape: 'round', density: 'airy', font: 'serif' },
    ...{ accent: '#ff00aa', ground: '#102030' },
  });
  expect(looks()).toHaveLength(1);
  expect(looks()[0]?.body.messages.at(-1).content).toContain(sentence);
});

test('what is no choice and no colour in it is as the rules have it', async () => {
  const answer = { mood: 'dreamy', shape: '<img src=x onerror=alert(1)>', density: 3, font: 'Comic Sans', accent: 'url(https://example.org)', ground: 'red' };
  expect(await lookOf([{ text: JSON.stringify(answer) }])).toEqual({ ...byRules, mood: 'dreamy' });
});

test('an answer that is prose is asked for once more, and then the rules choose', async () => {
  expect(await lookOf([{ text: 'I would take something dark.' }, { text: 'Really, something dark!' }])).toEqual(byRules);
  expect(looks()).toHaveLength(2);
});

test.each([
  ['fails', { status: 500, body: { error: { message: 'broken' } } }],
  ['falls silent', { text: ['{"mood"', ': "warm"}'], stallAfter: 1 }],
  ['is cut off', { text: ['{"mood"', ': "warm"}'], cutAfter: 1 }],
])('where the model %s the rules choose', async (_, reply: ScriptedReply) => {
  const limits = { AGENT_PERSONA_GEN_TIMEOUT_MS: '1000', AGENT_PERSONA_GEN_RETRIES: '0', AGENT_MAX_RETRIES: '0' };
  expect(await lookOf([reply, reply, reply, reply, reply, reply], limits)).toEqual(byRules);
});

test('without the switch no model is asked about the look', async () => {
  expect(await lookOf([{ text: JSON.stringify({ mood: 'warm' }) }], { AGENT_PERSONA_UI_THEME_LLM: '0' })).toEqual(byRules);
  expect(looks()).toHaveLength(0);
});
