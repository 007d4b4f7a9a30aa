#!/usr/bin/env node
// Chats that are kept in memory and gone when the program ends: the headless distribution with another store under it.
import { join } from 'node:path';
import { runDistribution } from 'agent-harness';

process.exitCode = await runDistribution({
  name: 'app',
  title: 'Ephemeral Harness',
  // Without `storage`: what it provides comes from the plugin in `platform`.
  platform: ['exact-files', 'patterns', 'chats', 'models', 'tools', 'policy', 'agent', 'commands'],
  builtins: ['model-chat-completions', 'model-demo', 'files', 'checkpoints'],
  sources: [
    { origin: 'platform', dir: join(import.meta.dirname, 'platform') },
    { origin: 'bundle', dir: join(import.meta.dirname, '../headless/plugins') },
  ],
});
