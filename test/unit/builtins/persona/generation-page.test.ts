// Tests the page state during persona generation with repeated, late and missing events.
import { expect, test } from 'vitest';
import { afterProgress, afterReading, asking, readablePreview, type Generation } from '../../../../builtins/persona/persona/ui/generation-state.ts';

const after = (...events: readonly Readonly<Record<string, unknown>>[]): Generation => events.reduce<Generation>(afterProgress, asking);

test('lists sections in the order they started, each with its newest text', () => {
  const making = after(
    { stage: 'profile', artifact: 'profile' },
    { stage: 'soul', artifact: 'voice', preview: 'Two' },
    { stage: 'soul', artifact: 'stance', preview: 'You' },
    { stage: 'soul', artifact: 'voice', preview: 'Two sentences' },
    { stage: 'soul', artifact: 'voice' },
  );
  expect(making).toMatchObject({ phase: 'making', stage: 'soul' });
  expect(making.previews).toEqual([
    { name: 'profile', text: '' },
    { name: 'voice', text: 'Two sentences' },
    { name: 'stance', text: 'You' },
  ]);
});

test('reports why a run failed and starts the next run without its previews', () => {
  const failed = after({ stage: 'soul', artifact: 'voice', preview: 'Two' }, { stage: 'failed', error: 'The disk is full.' });
  expect(failed).toMatchObject({ phase: 'failed', error: 'The disk is full.' });
  expect(afterProgress(failed, { stage: 'profile', artifact: 'profile' })).toMatchObject({ phase: 'making', previews: [{ name: 'profile', text: '' }] });
  expect(after({ stage: 'profile' }, { stage: 'done', notice: 'The model did not answer.' })).toMatchObject({
    phase: 'done',
    notice: 'The model did not answer.',
  });
  expect(afterProgress(asking, { stage: 7 })).toBe(asking);
});

test('renders partial JSON as readable text and leaves other text unchanged', () => {
  expect(readablePreview('Two sentences, at most.')).toBe('Two sentences, at most.');
  expect(readablePreview('{"mood": "bold", "font": "mono", "accent": "#00a8')).toBe('mood: bold\nfont: mono\naccent: #00a8');
  expect(readablePreview('```json\n{"a_b": "x"}\n```')).toBe('a b: x');
});

test('shows the outcome of a run that ended while the page was disconnected, and resumes a running one', () => {
  const making = after({ stage: 'soul', artifact: 'voice', preview: 'Two' });
  expect(afterReading(making, { state: 'running', input: 'x', stage: 'artifacts' })).toEqual({ ...making, stage: 'artifacts' });
  expect(afterReading(making, { state: 'done', notice: 'By rules.' })).toMatchObject({ phase: 'done', notice: 'By rules.' });
  expect(afterReading(making, { state: 'pending', input: 'x' })).toMatchObject({ phase: 'failed', error: expect.stringContaining('interrupted') });
  expect(afterReading(making, { state: 'done', input: 'x', error: 'The disk is full.' })).toMatchObject({ phase: 'failed', error: 'The disk is full.' });
  expect(afterReading(making, { state: 'skipped' })).toMatchObject({ phase: 'failed' });
  expect(afterReading(asking, { state: 'done' })).toBe(asking);
  expect(afterReading(asking, { state: 'running', input: 'x', stage: 'soul' })).toEqual({ phase: 'making', stage: 'soul', previews: [] });
  expect(afterReading({ ...making, phase: 'failed' }, { state: 'running' })).toMatchObject({ phase: 'making', previews: [] });
});
