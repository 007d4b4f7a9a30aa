// Describes a call by the verb of its tool: `Edited` afterwards, `Edit file?` in its approval. Pure.
import type { ToolEntry } from 'agent-harness/client';
import { table } from './t.ts';

interface Words {
  /** Verb before the call has ended. */
  readonly todo: string;
  /** Verb after the call has succeeded. */
  readonly done: string;
  /** Question in the approval of the call. */
  readonly question?: string;
}

const verbs: Readonly<Record<string, Words>> = table(
  {
    read: { todo: 'Read##to do', done: 'Read', question: 'Read file?' },
    write: { todo: 'Write', done: 'Wrote', question: 'Write file?' },
    edit: { todo: 'Edit', done: 'Edited', question: 'Edit file?' },
    list: { todo: 'List', done: 'Listed' },
    find: { todo: 'Find files', done: 'Found files' },
    search: { todo: 'Search', done: 'Searched' },
    run: { todo: 'Run', done: 'Ran', question: 'Run command?' },
    fetch: { todo: 'Fetch', done: 'Fetched', question: 'Fetch page?' },
  },
  'todo',
  'done',
  'question',
);

const wordsOf = (verb: string | undefined): Words | undefined => (verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined);

/** Returns the verb of a tool; `undefined` if none is known, in which case the tool's name is shown. */
export function toolVerb({ verb, state }: Pick<ToolEntry, 'verb' | 'state'>): string | undefined {
  return wordsOf(verb)?.[state === 'ok' ? 'done' : 'todo'];
}

/** Returns the question of an approval; `undefined` for a tool without one. */
export function toolQuestion(verb: string | undefined): string | undefined {
  return wordsOf(verb)?.question;
}
