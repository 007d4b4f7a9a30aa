import { answerLabel, approvalText, authorText, emptyTranscript, outputText, reduce, type Approval } from 'agent-harness/transcript';
import { expect, test } from 'vitest';

test.each<[object | undefined, string | undefined]>([
  [{ kind: 'owner', id: 'owner', role: 'owner' }, undefined],
  [{ kind: 'device', id: 'dev_1', name: 'Phone', role: 'owner' }, undefined],
  [undefined, undefined],
  [{ kind: 'teammate', id: 'mate_1', name: 'Ada', role: 'member' }, 'Ada'],
  [{ kind: 'service', id: 'ci', name: '', role: 'member' }, 'ci'],
  [{ kind: 'guest' }, 'guest'],
])('for the principal %j the author, decider and answerer is named %s', (principal, name) => {
  const head = { at: '2026-01-01T00:00:00.000Z', turnId: 'turn_1', principal };
  const call = { ...head, callId: 'call_1' };
  const { entries } = reduce(emptyTranscript, [
    { ...head, kind: 'message_accepted', messageId: 'msg_1', text: 'go' },
    { ...call, kind: 'approval_decision', approvalId: 'appr_1', decision: 'reject', by: 'user' },
    { ...call, kind: 'ask_user_answered', askId: 'ask_1', answer: 'red' },
  ]).state;
  expect(entries).toMatchObject(name === undefined ? [{}, {}] : [{ saidBy: name }, { decision: { saidBy: name }, answeredBy: name }]);
  if (name === undefined) expect(JSON.stringify(entries)).not.toMatch(/saidBy|answeredBy/);
});

test('a message or answer names its author unless that is the owner', () => {
  const origin = { plugin: 'deadlines', reason: 'It is due today.' };
  expect([authorText({}), authorText({ saidBy: 'Ada' }), authorText({ origin })]).toEqual([undefined, 'Ada', 'deadlines: It is due today.']);
  expect([authorText({ liveDictation: true }), authorText({ saidBy: 'Ada', liveDictation: true })]).toEqual(['by voice', 'Ada, by voice']);
  expect([answerLabel({}), answerLabel({ answeredBy: 'Ada' })]).toEqual(['Answer:', 'Answer of Ada:']);
});

test.each(['user', 'rule', 'timeout', 'unattended', 'abort'])('the output of a call rejected by %s is hidden from the user', (by) => {
  const output = 'The call was not run. Do not try it again.';
  expect(outputText({ output, decision: { decision: 'reject', by } })).toBeUndefined();
  expect(outputText({ output, decision: { decision: 'approve', by } })).toBe(output);
  expect(outputText({ output })).toBe(output);
});

test.each<[Pick<Approval, 'args' | 'preview'>, string]>([
  [{ args: { to: 'Ada' } }, '{"to":"Ada"}'],
  [{ args: {}, preview: { kind: 'command', command: 'make\r\nmake test', cwd: '/work', network: true } }, 'in /work, with network:\n  make\n  make test'],
  [{ args: {}, preview: { kind: 'diff', path: 'a.txt', diff: '-1\n+2' } }, 'a.txt:\n  -1\n  +2'],
])('an approval shows %j in full', (approval, text) => expect(approvalText(approval)).toBe(text));
