// Loads the name and description of each plugin of the product in the language of the page, one file per language.
import type { PluginRow } from 'agent-harness/client';

type Words = readonly [title: string, about: string];

export interface PluginWords {
  /** By the id of a group. */
  readonly groups: Readonly<Record<string, Words>>;
  /** By the name of a plugin. */
  readonly plugins: Readonly<Record<string, Words>>;
  /** The names of the plugins of each group, in the order of the page. */
  readonly members: Readonly<Record<string, readonly string[]>>;
}

const files = import.meta.glob<Omit<PluginWords, 'members'>>('./words/??.json', { import: 'default' });

/** Loads the texts of a language; English if it has no file. */
export async function loadPluginWords(language: string): Promise<PluginWords> {
  const load = files[`./words/${language}.json`] ?? files['./words/en.json'];
  const [words, members] = await Promise.all([load?.(), import('./words/groups.json')]);
  return { ...(words ?? { groups: {}, plugins: {} }), members: members.default };
}

/** Returns the group of a plugin. A plugin outside of all groups belongs to the turn, as most plugins do. */
export function groupOf({ name, origin }: Pick<PluginRow, 'name' | 'origin'>, { members }: PluginWords): string {
  if (origin === 'platform') return 'platform';
  return Object.keys(members).find((group) => members[group]?.includes(name) === true) ?? 'turn';
}

/** Returns the title and description of a plugin. A third-party plugin is named after its id: `word-count` is “Word count”. */
export function describePlugin({ name }: Pick<PluginRow, 'name'>, { plugins }: PluginWords): { readonly title: string; readonly about?: string } {
  const words = Object.hasOwn(plugins, name) ? plugins[name] : undefined;
  if (words) return { title: words[0], about: words[1] };
  const spaced = name.replaceAll('-', ' ');
  return { title: spaced.charAt(0).toUpperCase() + spaced.slice(1) };
}
