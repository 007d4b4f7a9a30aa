// Tests the pure functions of the settings page: shown fields, drafts and server errors.
import { expect, test } from 'vitest';
import {
  draftedText,
  faultOf,
  faultsOf,
  inferenceModeKey,
  rangeWords,
  refusalOf,
  toPatch,
  withDraft,
  withMode,
  type Drafts,
} from '../../../../builtins/clients/web-ui/app/pages/settings/setting-drafts.ts';
import {
  durationWords,
  firstFields,
  groupsIn,
  lockReason,
  sourceWord,
  titleOfGroup,
  wordOf,
  type SettingField,
} from '../../../../builtins/clients/web-ui/app/pages/settings/settings-model.ts';

import { createSearch } from '../../../../builtins/clients/web-ui/app/pages/settings/settings-search.ts';

const rounds: SettingField = {
  key: 'AGENT_MAX_ROUNDS',
  tab: 'harness',
  group: 'agent',
  label: 'Rounds per turn',
  description: 'How many times one turn may call the model.',
  kind: 'integer',
  minimum: 1,
  maximum: 1000,
  default: 128,
  value: 64,
  source: 'preferences',
  locked: false,
  sensitive: false,
  restart: false,
};
const lazy: SettingField = {
  ...rounds,
  key: 'AGENT_TOOL_LAZY',
  group: 'tools',
  label: 'Describe tools on demand',
  description: '',
  kind: 'boolean',
  default: true,
  value: true,
  source: 'default',
};
const wire: SettingField = {
  ...rounds,
  key: 'AGENT_MODEL_WIRE',
  tab: 'models_api',
  group: 'models',
  label: 'Wire format',
  kind: 'enum',
  values: ['auto', 'messages'],
  default: 'auto',
  value: 'auto',
};
const settings = {
  tabs: [
    { id: 'models_api', title: 'Models & API' },
    { id: 'web_research', title: 'Web' },
    { id: 'harness', title: 'Harness behaviour' },
  ],
  fields: [rounds, lazy, wire],
};
const none: Drafts = new Map<string, string | null>();

test('groups the fields of a tab by plugin and lists ranked fields first', () => {
  expect(groupsIn(settings, 'harness')).toEqual([
    { name: 'agent', fields: [rounds] },
    { name: 'tools', fields: [lazy] },
  ]);
  const [early, late] = [
    { ...lazy, rank: 10 },
    { ...rounds, rank: 70 },
  ];
  expect(firstFields({ fields: [late, wire, early] })).toEqual([early, late]);
});

const keysFor = (query: string, fields: readonly SettingField[] = settings.fields): string[] => createSearch(fields, [])(query).fields.map(({ key }) => key);

test('searches label, keywords, variable, plugin and description, and marks the nearest fields when none matches all words', () => {
  expect(keysFor('MANY times')[0]).toBe('AGENT_MAX_ROUNDS');
  expect(keysFor('agent_tool_lazy')[0]).toBe('AGENT_TOOL_LAZY');
  expect(keysFor('how do I change the wire format')).toEqual(['AGENT_MODEL_WIRE']);
  expect(keysFor('limit', [lazy, { ...rounds, words: 'limits iterations' }])).toEqual(['AGENT_MAX_ROUNDS']);
  expect(keysFor('demandd')).toEqual(['AGENT_TOOL_LAZY']);
  expect(keysFor('xylophone')).toEqual([]);
  const found = createSearch(settings.fields, [{ id: 'look', title: 'Theme', words: 'dark' }])('rounds xylophone');
  expect([found.fields[0]?.key, found.isNear]).toEqual(['AGENT_MAX_ROUNDS', true]);
  expect(createSearch(settings.fields, [{ id: 'look', title: 'Theme', words: 'dark' }])('dark')).toMatchObject({ places: ['look'], isNear: false });
});

test('names the source of each value and the reason for a locked one', () => {
  expect(sourceWord({ source: 'default', locked: false })).toBe('Default');
  expect(sourceWord({ source: 'preferences', locked: false })).toBe('Changed here');
  expect(sourceWord({ source: 'environment', locked: false })).toBe('.env file');
  expect(sourceWord({ source: 'environment', locked: true })).toBe('Environment');
  expect(lockReason(rounds)).toBeUndefined();
  expect(lockReason({ ...rounds, locked: true })).toContain('environment of the server as AGENT_MAX_ROUNDS');
  expect(lockReason({ ...rounds, sensitive: true })).toContain('neither shows nor saves');
});

test('formats values and durations for display', () => {
  expect(wordOf(lazy, true)).toBe('on');
  expect(wordOf(rounds, 1800000)).toBe('1,800,000');
  expect(wordOf({ kind: 'string' }, '')).toBe('nothing');
  expect(titleOfGroup('model-chat-completions')).toBe('Model chat completions');
  expect(durationWords({ key: 'X_MS' }, '90000')).toBe('1 min 30 s');
  expect(durationWords({ key: 'X_MS' }, '3600000')).toBe('1 h');
  expect(durationWords({ key: 'X_MS' }, '500')).toBeUndefined();
  expect(durationWords({ key: 'X' }, '90000')).toBeUndefined();
});

test('drops a draft without a change and resets only a saved value', () => {
  const changed = withDraft(none, rounds, '10');
  expect([...changed]).toEqual([['AGENT_MAX_ROUNDS', '10']]);
  expect(withDraft(changed, rounds, '64').size).toBe(0);
  expect(withDraft(none, rounds, null).get('AGENT_MAX_ROUNDS')).toBeNull();
  expect(withDraft(none, lazy, null).size).toBe(0);
  expect(draftedText(rounds, withDraft(none, rounds, null))).toBe('128');
  expect(withMode(withMode(none, 'auto', 'byok'), 'auto', 'auto').size).toBe(0);
});

test('validates numbers and choices before sending', () => {
  expect(faultOf(rounds, '5')).toBeUndefined();
  expect(faultOf(rounds, '')).toBe('Enter a number.');
  expect(faultOf(rounds, '1.5')).toBe('Enter a whole number.');
  expect(faultOf({ ...rounds, kind: 'number' }, '1.5')).toBeUndefined();
  expect(faultOf(rounds, '1001')).toBe('Enter a number from 1 to 1,000.');
  expect(faultOf(wire, 'carrier pigeon')).toBe('Choose one of the values.');
  expect(rangeWords({ minimum: 2 })).toBe('from 2');
  expect(rangeWords({})).toBeUndefined();
  expect([...faultsOf(settings.fields, new Map([['AGENT_MAX_ROUNDS', '0']]))]).toEqual([['AGENT_MAX_ROUNDS', 'Enter a number from 1 to 1,000.']]);
});

test('combines drafts into one request and removes a preference when reset or emptied', () => {
  const drafts: Drafts = new Map([
    ['AGENT_MAX_ROUNDS', null],
    ['AGENT_MODEL', ''],
    ['AGENT_TOOL_LAZY', 'false'],
    [inferenceModeKey, 'managed'],
  ]);
  expect(toPatch(drafts)).toEqual({
    harness: { env: { AGENT_MAX_ROUNDS: null, AGENT_MODEL: null, AGENT_TOOL_LAZY: 'false' } },
    provider: { inferenceMode: 'managed' },
  });
  expect(toPatch(new Map([[inferenceModeKey, 'byok']]))).toEqual({ provider: { inferenceMode: 'byok' } });
});

test('assigns server errors to their fields, with and without details', () => {
  const message = 'The change was rejected: /harness/env/AGENT_MODEL must be shorter.';
  const errors = [
    { pointer: '/harness/env/AGENT_MODEL', why: 'must be shorter.' },
    { pointer: '/harness/env/AGENT_MAX_ROUNDS', why: 'is out of range.' },
  ];
  const keys = ['AGENT_MODEL', 'AGENT_MAX_ROUNDS', 'AGENT_MODEL_WIRE'];
  const detailed = refusalOf(Object.assign(new Error(message), { code: 'invalid_request', details: { errors } }), keys);
  expect([...detailed.byKey]).toEqual([
    ['AGENT_MODEL', 'Must be shorter.'],
    ['AGENT_MAX_ROUNDS', 'Is out of range.'],
  ]);
  expect([...refusalOf(Object.assign(new Error(message), { code: 'invalid_request' }), keys).byKey]).toEqual([['AGENT_MODEL', 'Must be shorter.']]);
  const locked = 'These settings are set in the environment of the server and can be changed only there: AGENT_MODEL.';
  expect(refusalOf(new Error(locked), keys).byKey.get('AGENT_MODEL')).toBe(locked);
  const { byKey, text } = refusalOf(Object.assign(new Error('busy'), { code: 'turn_in_progress' }), ['AGENT_MODEL']);
  expect(byKey.size).toBe(0);
  expect(text).toContain('A turn is running');
});
