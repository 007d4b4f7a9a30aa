// Parses a search query for API operations: maps verbs to HTTP methods, and words to synonyms that OpenAPI documents use.
import { textStart } from '#lib/text';
import type { Method } from './table.ts';

export interface Question {
  /** Search words with their weights. */
  readonly words: ReadonlyMap<string, number>;
  /** Returns how well a method matches the query, 0 to 1. */
  readonly fits: (method: Method) => number;
  /** Whether the query asks for several items. */
  readonly isForMany: boolean;
}

interface Action {
  readonly words: readonly string[];
  /** Words that documents use for the action. */
  readonly called: readonly string[];
  readonly methods: readonly Method[];
  /** Whether nearly every document contains the verb; its weight is then low. */
  readonly isCommon?: boolean;
  readonly isForMany?: boolean;
}

const actions: readonly Action[] = [
  { words: 'get show read fetch view see look display find check what'.split(' '), called: ['get'], methods: ['get', 'head'], isCommon: true },
  { words: ['list', 'who', 'which', 'whose'], called: ['list'], methods: ['get'], isCommon: true, isForMany: true },
  { words: ['search', 'query'], called: ['search'], methods: ['get', 'post'] },
  { words: ['download', 'export'], called: ['download', 'export', 'get'], methods: ['get'] },
  { words: 'create add new open make post send submit upload register'.split(' '), called: ['create', 'add'], methods: ['post', 'put'], isCommon: true },
  { words: ['invite'], called: ['invitation', 'invite', 'create'], methods: ['post', 'put'] },
  { words: 'start run trigger launch'.split(' '), called: ['start', 'run', 'dispatch', 'create'], methods: ['post', 'put'] },
  { words: 'stop cancel abort end'.split(' '), called: ['cancel', 'stop'], methods: ['post', 'put', 'delete'] },
  { words: 'delete remove drop destroy erase'.split(' '), called: ['delete', 'remove'], methods: ['delete'], isCommon: true },
  { words: 'update edit change modify patch rename close reopen move write'.split(' '), called: ['update'], methods: ['patch', 'put', 'post'], isCommon: true },
  { words: 'set replace enable disable'.split(' '), called: ['set', 'update'], methods: ['put', 'patch', 'post'], isCommon: true },
  { words: 'assign attach apply'.split(' '), called: ['assign', 'add'], methods: ['post', 'put', 'patch'] },
];
/** Specific verbs, such as "fork" in "fork a repository". */
const doing: Action = { words: [], called: ['create', 'add'], methods: ['post', 'put', 'patch'], isCommon: true };

/** Verbs such as "unstar" and "unfollow". */
const undoing: Action = { words: [], called: ['remove', 'delete'], methods: ['delete', 'post', 'put'], isCommon: true };

/** Pairs of synonyms. */
const same: readonly (readonly [string, string])[] = [
  ['repository', 'repo'],
  ['organization', 'org'],
  ['organisation', 'organization'],
  ['organisation', 'org'],
  ['application', 'app'],
  ['configuration', 'config'],
  ['administrator', 'admin'],
  ['environment', 'env'],
  ['information', 'info'],
  ['specification', 'spec'],
  ['picture', 'image'],
  ['photo', 'image'],
  ['mail', 'email'],
];

/** Other names for a thing, and for the current user. */
const things: Readonly<Record<string, string>> = {
  i: 'authenticated me current self',
  me: 'authenticated current self',
  my: 'authenticated me current own',
  mine: 'authenticated me current',
  myself: 'authenticated me current self',
  am: 'user profile',
  who: 'member user',
  user: 'member account collaborator',
  person: 'user member',
  people: 'user member',
  somebody: 'user member assignee',
  someone: 'user member assignee',
  member: 'user',
  assign: 'assignee',
  invite: 'member collaborator',
  branch: 'ref reference',
  tag: 'ref reference',
  file: 'content',
  folder: 'content directory',
  buy: 'order purchase checkout',
  bill: 'invoice',
  money: 'payment balance',
  mail: 'message',
};

const silent = new Set('a an the of for in on to with by and or all how do can is are it its from that this at into am i me my mine myself what which who whose please somebody someone'.split(' ')); // prettier-ignore

/** Stop words in documents. */
const empty: ReadonlySet<string> = new Set([...silent, 'authenticated', 'current', 'self', 'v1', 'v2', 'api']);

/** Weights of words that the query does not contain: synonyms, other names of a thing, names of the action. */
const [sameWeight, meantWeight, calledWeight] = [0.9, 0.45, 0.35];
/** Weight of a common verb in the query. */
const commonWeight = 0.5;

export function readQuestion(text: string): Question {
  const said = wordsOf(text);
  // "Who am I" asks for one item; "who is in the team" asks for several.
  const verb = said.includes('am') ? 'get' : said.find((word) => actions.some((one) => one.words.includes(word)));
  const isDoing = verb === undefined && said.length > 1 && !silent.has(said[0] ?? '') && silent.has(said[1] ?? '');
  const undone = verb === undefined ? /^un(\p{L}{3,})$/u.exec(said[0] ?? '')?.[1] : undefined;
  const action = undone !== undefined ? undoing : isDoing ? doing : actions.find((one) => verb !== undefined && one.words.includes(verb));
  const words = new Map<string, number>();
  const add = (word: string, weight: number): void => void words.set(word, Math.max(weight, words.get(word) ?? 0));
  for (const word of said) {
    const plain = singular(word);
    if (!silent.has(word)) add(plain, word === verb && action?.isCommon === true ? commonWeight : 1);
    for (const [one, other] of same) if (one === plain || other === plain) add(one === plain ? other : one, sameWeight);
    for (const other of things[plain]?.split(' ') ?? []) add(other, silent.has(word) ? 0.8 : meantWeight);
  }
  if (undone !== undefined) add(undone, sameWeight);
  action?.called.forEach((word, place) => add(singular(word), place === 0 && action.isCommon !== true ? sameWeight : calledWeight));
  return {
    words,
    fits: (method) => (!action || action.methods.includes(method) ? 1 : 0.4),
    isForMany: action?.isForMany === true || said.some((word) => !silent.has(word) && singular(word) !== word),
  };
}

/** Returns whether a word of a document describes the operation. */
export function isDescriptive(word: string): boolean {
  return !empty.has(word);
}

/** Returns lower-case words; splits camel-case names. */
export function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => textStart(word, 40));
}

/** Returns the singular of English plurals only: enough to match `issues` with `issue`. */
export function singular(word: string): string {
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}
