// Tests the theme that a model chooses with a persona: from fixed lists, with rules as the fallback.
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

test('applies the valid choices of the model, normalized, and takes the others from the rules', async () => {
  const answer = { mood: 'Bold', shape: '<img src=x onerror=alert(1)>', density: 3, font: 'Comic Sans', accent: '#F0A', ground: 'red', css: 'body{}' };
  expect(await lookOf([{ text: `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`` }])).toEqual({ ...byRules, mood: 'bold', accent: '#ff00aa' });
  expect(looks()).toHaveLength(1);
  expect(looks()[0]?.body.messages.at(-1).content).toContain(sentence);
});

test('retries once after an answer in prose and then falls back to the rules', async () => {
  expect(await lookOf([{ text: 'I would take something dark.' }, { text: 'Really, something dark!' }])).toEqual(byRules);
  expect(looks()).toHaveLength(2);
});

test.each([
  ['fails', { status: 500, body: { error: { message: 'broken' } } }],
  ['stalls', { text: ['{"mood"', ': "warm"}'], stallAfter: 1 }],
  ['is cut off', { text: ['{"mood"', ': "warm"}'], cutAfter: 1 }],
])('falls back to the rules when the model %s', async (_, reply: ScriptedReply) => {
  const limits = { AGENT_PERSONA_GEN_TIMEOUT_MS: '1000', AGENT_PERSONA_GEN_RETRIES: '0', AGENT_MAX_RETRIES: '0' };
  expect(await lookOf([reply, reply, reply, reply, reply, reply], limits)).toEqual(byRules);
});

test('calls no model for the theme while the setting is off', async () => {
  expect(await lookOf([{ text: JSON.stringify({ mood: 'warm' }) }], { AGENT_PERSONA_UI_THEME_LLM: '0' })).toEqual(byRules);
  expect(looks()).toHaveLength(0);
});
