#!/usr/bin/env node
// A distribution with chats and files only. Plugins that are not listed are never imported.
import { runDistribution } from 'agent-harness';

process.exitCode = await runDistribution({
  name: 'app',
  title: 'Minimal Harness',
  builtins: ['model-chat-completions', 'model-demo', 'files', 'checkpoints', 'cli'],
});
