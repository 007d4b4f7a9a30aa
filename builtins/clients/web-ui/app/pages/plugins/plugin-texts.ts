// Loads the names and descriptions of the built-in plugins in the language of the page, from one file per language.
import type { PluginRow } from 'agent-harness/client';

type Words = readonly [title: string, about: string];

export interface PluginTexts {
  /** Texts by group id. */
  readonly groups: Readonly<Record<string, Words>>;
  /** Texts by plugin name. */
  readonly plugins: Readonly<Record<string, Words>>;
  /** The names of each group's plugins, in display order. */
  readonly members: Readonly<Record<string, readonly string[]>>;
}

const files = import.meta.glob<Omit<PluginTexts, 'members'>>('./words/??.json', { import: 'default' });

/** Loads the texts of a language; English if the language has no file. */
export async function loadPluginTexts(language: string): Promise<PluginTexts> {
  const load = files[`./words/${language}.json`] ?? files['./words/en.json'];
  const [words, members] = await Promise.all([load?.(), import('./words/groups.json')]);
  return { ...(words ?? { groups: {}, plugins: {} }), members: members.default };
}

/** Returns the group of a plugin. A plugin that is in no group belongs to the group of the turn, as most plugins do. */
export function groupOf({ name, origin }: Pick<PluginRow, 'name' | 'origin'>, { members }: PluginTexts): string {
  if (origin === 'platform') return 'platform';
  return Object.keys(members).find((group) => members[group]?.includes(name) === true) ?? 'turn';
}

/** Returns the title and description of a plugin. A third-party plugin is named after its id: `word-count` is “Word count”. */
export function describePlugin({ name }: Pick<PluginRow, 'name'>, { plugins }: PluginTexts): { readonly title: string; readonly about?: string } {
  const words = Object.hasOwn(plugins, name) ? plugins[name] : undefined;
  if (words) return { title: words[0], about: words[1] };
  const spaced = name.replaceAll('-', ' ');
  return { title: spaced.charAt(0).toUpperCase() + spaced.slice(1) };
}
