// Tests the texts of the voice controls and the spacing of inserted text.
import { expect, test } from 'vitest';
import { engineText } from '../../../../builtins/voice/transcription/ui/engine-text.ts';
import { withSpaces } from '../../../../builtins/voice/transcription/ui/dictation.ts';
import { speechEngineText } from '../../../../builtins/voice/speech/ui/speech-engine-text.ts';

const engine = { name: 'one', title: 'The ear', plugin: 'ear', isUsable: true };

test('names the engine and the destination of audio and text', () => {
  const here = { inUse: 'one', engines: [{ ...engine, place: 'here' as const }] };
  const there = { inUse: 'one', engines: [{ ...engine, place: 'provider' as const, goesTo: 'api.example.org' }] };
  const none = { inUse: null, engines: [{ ...engine, place: 'here' as const, isUsable: false, reason: 'Install it.' }] };
  expect([here, there, none].map(engineText)).toEqual([
    'The ear transcribes. The audio stays on the machine of the server.',
    'The ear transcribes. The audio is sent to api.example.org.',
    'No engine can transcribe here. Install it.',
  ]);
  expect([here, there, none].map(speechEngineText)).toEqual([
    'The ear speaks. The text stays on the machine of the server.',
    'The ear speaks. The text is sent to api.example.org.',
    'No engine can speak here. Install it.',
  ]);
});

test.each([
  ['', 'Hello.', '', 'Hello.'],
  ['Say', 'hello', '', ' hello'],
  ['Say ', 'hello', ' now', 'hello'],
  ['(', 'hello', ')', 'hello'],
  ['a', 'b', 'c', ' b '],
  ['a\n', 'b', ', c', 'b'],
])('inserts text with spaces between %j and a following %j', (before, text, after, expected) => {
  expect(withSpaces(before, text, after)).toBe(expected);
});
