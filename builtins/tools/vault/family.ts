// Defines the descriptors of the vault tools; their code is imported on first use.
import type { ToolFamily } from 'agent-harness/plugins/tools';
import { linksInput, readInput, searchInput, writeInput } from './inputs.ts';

export function vaultFamily(hasUndo: boolean, load: ToolFamily['load']): ToolFamily {
  const reading = { effects: ['read'], undo: 'none', replay: 'pure' } as const;
  return {
    name: 'vault',
    description: "Search, read, link and write notes in the user's vault of markdown notes.",
    traits: ['knowledge'],
    tools: [
      {
        ...reading,
        name: 'vault_search',
        display: { icon: 'search' },
        description: 'Finds notes in the vault by relevance. Answers paths, titles and an excerpt of each.',
        input: searchInput,
      },
      {
        ...reading,
        name: 'vault_read',
        display: { icon: 'file' },
        description: 'Reads a note by its path or title. Long notes come in pages: use offset.',
        input: readInput,
      },
      {
        name: 'vault_write',
        display: { icon: 'file-edit' },
        description:
          'Writes a note into the vault: new ones under agent/, and changes to notes that were made this way. What a person wrote is never overwritten. Search first; a note that says nearly the same is not written twice.',
        input: writeInput,
        effects: ['write'],
        undo: hasUndo ? 'checkpoint' : 'none',
        replay: 'ask',
        compose: { path: 'path', content: 'content' },
      },
      {
        ...reading,
        name: 'vault_links',
        display: { icon: 'file' },
        description: 'Lists where a note links to, which notes link to it, and its broken links.',
        input: linksInput,
      },
    ],
    load,
  };
}
