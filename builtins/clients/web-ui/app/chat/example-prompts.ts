// Three prompts to begin with. The demo model follows fixed rules, so it gets those that it understands.
export interface Example {
  readonly title: string;
  readonly prompt: string;
}

const real: readonly Example[] = [
  { title: 'Look around', prompt: 'Look at the files in this folder and tell me what they are about.' },
  { title: 'Make something', prompt: 'Write a small web page that shows a calm, animated night sky, in one HTML file.' },
  { title: 'Plan a change', prompt: 'Ask me what I want to get done here, then propose a plan before you change anything.' },
];

const demo: readonly Example[] = [
  { title: 'Look around', prompt: 'List the files' },
  { title: 'Make something', prompt: 'Write notes.md with a haiku, then read notes.md' },
  { title: 'Be asked', prompt: 'Ask me which colour I like' },
];

export function examplesFor(isDemo: boolean): readonly Example[] {
  return isDemo ? demo : real;
}
