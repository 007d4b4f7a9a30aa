// Three prompts to begin with.
import type { Example } from '../points/contribution.ts';
import { table } from '../kit/t.ts';

export const usualExamples: readonly Example[] = table([
  { title: 'Look around', prompt: 'Look at the files in this folder and tell me what they are about.' },
  { title: 'Make something', prompt: 'Write a small web page that shows a calm, animated night sky, in one HTML file.' },
  { title: 'Plan a change', prompt: 'Ask me what I want to get done here, then propose a plan before you change anything.' },
]);
