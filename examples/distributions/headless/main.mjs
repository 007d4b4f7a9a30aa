#!/usr/bin/env node
// A distribution without server and web UI: one command runs a turn and exits. It lists the platform plugins that a turn needs.
import { join } from 'node:path';
import { runDistribution } from 'agent-harness';

process.exitCode = await runDistribution({
  name: 'app',
  title: 'Headless Harness',
  platform: ['storage', 'exact-files', 'patterns', 'chats', 'models', 'tools', 'policy', 'agent', 'commands'],
  builtins: ['model-chat-completions', 'model-demo', 'files', 'checkpoints'],
  sources: [{ origin: 'bundle', dir: join(import.meta.dirname, 'plugins') }],
});
