#!/usr/bin/env node
// Keeps chats in memory and discards them on exit: the headless distribution with a different store.
import { join } from 'node:path';
import { runDistribution } from 'agent-harness';

process.exitCode = await runDistribution({
  name: 'app',
  title: 'Ephemeral Harness',
  // `storage` is left out because the plugin in `platform` provides its services.
  platform: ['exact-files', 'patterns', 'chats', 'models', 'tools', 'policy', 'agent', 'commands'],
  builtins: ['model-chat-completions', 'model-demo', 'files', 'checkpoints'],
  sources: [
    { origin: 'platform', dir: join(import.meta.dirname, 'platform') },
    { origin: 'bundle', dir: join(import.meta.dirname, '../headless/plugins') },
  ],
});
