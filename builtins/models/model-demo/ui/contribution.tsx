// The demo model in the page: a line that says so, and prompts that it understands, because it follows fixed rules.
import type { Contribution } from '#page/points/contribution.ts';
import { DemoLine } from './demo-line.tsx';

export const contribution: Contribution = {
  plugin: 'model-demo',
  parts: [{ slot: 'header', title: 'The line about the demo model', Part: DemoLine }],
  firstRun: {
    isWanted: ({ demoModel }) => demoModel,
    examples: [
      { title: 'Look around', prompt: 'List the files' },
      { title: 'Make something', prompt: 'Write notes.md with a haiku, then read notes.md' },
      { title: 'Be asked', prompt: 'Ask me which colour I like' },
    ],
  },
};
