// Defines the manifest of the vault: settings, errors and dependencies.
import * as Type from 'typebox';
import type { PluginManifest } from 'agent-harness/kernel';
import type {} from './contract.ts';

const tab = 'memory_vault';

export const vaultManifest = {
  name: 'vault',
  requires: ['models', 'product', 'storage', 'turns'],
  optional: ['checkpoints', 'why'],
  provides: ['vault'],
  events: ['vault_activity'],
  errors: { NOT_WRITTEN: { message: 'The note {path} was not written: {why}', status: 409 } },
  config: Type.Object({
    path: Type.String({
      default: '',
      env: 'AGENT_VAULT_PATH',
      words: 'obsidian markdown folder knowledge base second brain',
      tab,
      title: 'Vault',
      description: 'Absolute path of a folder with Markdown notes. The vault tools exist only if this is set.',
      apply: 'reload',
    }),
    autoWrite: Type.Union([Type.Literal('off'), Type.Literal('research'), Type.Literal('aggressive')], {
      default: 'research',
      env: 'AGENT_VAULT_AUTO_WRITE',
      tab,
      title: 'Write notes after turns',
      description:
        'off: never. research: after turns with web tools and an answer of some length. aggressive: also after every successful turn with three or more tool calls. Each note costs one call of the fast model.',
      apply: 'live',
    }),
    dedupe: Type.Boolean({
      default: true,
      env: 'AGENT_VAULT_DEDUPE',
      tab,
      title: 'Skip near-duplicates',
      description: 'Does not write a new note if the vault has one with nearly the same content, and returns the path of that note.',
      apply: 'live',
    }),
    writeBudget: Type.Integer({
      default: 8,
      minimum: 1,
      maximum: 50,
      env: 'AGENT_VAULT_WRITE_BUDGET',
      tab,
      title: 'Notes per turn',
      description: 'Maximum number of notes that vault_write may write in one turn.',
      apply: 'live',
    }),
    requireLinks: Type.Boolean({
      default: false,
      env: 'AGENT_VAULT_REQUIRE_LINKS',
      tab,
      title: 'Automatic notes need links',
      description:
        'Each note that is written after a turn links to a related note, or otherwise to an index note. If neither is possible, the note is not written.',
      apply: 'live',
    }),
    observability: Type.Boolean({
      default: true,
      env: 'AGENT_VAULT_OBSERVABILITY',
      tab,
      title: 'Show vault activity',
      description: 'Reports searches, reads and writes in the vault as vault_activity events, and adds their counts to the results of vault_search.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;
