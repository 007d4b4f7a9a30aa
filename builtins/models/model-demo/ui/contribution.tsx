// Contributes the demo model to the page: a line in an empty chat that names the model, and example prompts that its rules understand.
import { FolderTree, PenLine } from 'lucide-react';
import type { Contribution } from '#page/points/contribution.ts';
import { DemoLine } from './demo-line.tsx';

export const contribution: Contribution = {
  plugin: 'model-demo',
  parts: [{ slot: 'first-run', title: 'Demo model', order: -1, Part: DemoLine }],
  firstRun: {
    isWanted: ({ demoModel }) => demoModel,
    examples: [
      { icon: FolderTree, prompt: 'List the files' },
      { icon: PenLine, prompt: 'Write notes.md with a haiku, then read notes.md' },
    ],
  },
};
