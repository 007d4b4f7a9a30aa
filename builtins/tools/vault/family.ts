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
        description: 'Searches the vault by relevance. Returns the path, title and excerpt of each note.',
        input: searchInput,
      },
      {
        ...reading,
        name: 'vault_read',
        display: { icon: 'file' },
        description: 'Reads a note by its path or title. Page through long notes with offset.',
        input: readInput,
      },
      {
        name: 'vault_write',
        display: { icon: 'file-edit' },
        description:
          "Writes a vault note: new ones under agent/, and changes to notes created this way. It never overwrites the user's text. Search first; near-duplicate notes are rejected.",
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
        description: "Lists a note's links, backlinks and broken links.",
        input: linksInput,
      },
    ],
    load,
  };
}
